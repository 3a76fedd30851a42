import { CodedError } from '@tillbridge/wire/errors/coded-error.js';
import type { EGRESS_ERRORS } from '../errors/error-table.js';

/** Code of {@link EgressError}. */
type EgressErrorCode = keyof typeof EGRESS_ERRORS;

/** A request of the gateway's own that got no answer, or was not sent. The message names host and cause, never the path of the URL. */
export class EgressError extends CodedError<EgressErrorCode> {}
