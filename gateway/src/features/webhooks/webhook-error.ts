import { CodedError } from '@tillbridge/wire/errors/coded-error.js';
import type { WEBHOOK_ERRORS } from '../../kernel/errors/error-table.js';

/** Code of {@link WebhookError}. */
type WebhookErrorCode = keyof typeof WEBHOOK_ERRORS;

/** An endpoint cannot be made or changed so; nothing was written. The message names what is wrong. Exit code 2. */
export class WebhookError extends CodedError<WebhookErrorCode> {}
