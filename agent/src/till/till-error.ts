import { maxHeaderSize } from 'node:http';
import type { MalformedStatus } from '@tillbridge/platform/http/malformed-request.js';
import { bodyFault, type SchemaError } from '@tillbridge/platform/schema/fault.js';
import { systemCode } from '@tillbridge/platform/system-code.js';
import { CodedError } from '@tillbridge/wire/errors/coded-error.js';
import { TILL_ERRORS } from '../errors/error-table.js';
import { SaleError } from '../sale/service/sale-service.js';

/** Codes of the agent's REST errors. */
type TillErrorCode = keyof typeof TILL_ERRORS;

/** The body of every error answer. */
interface TillErrorBody {
  readonly error: {
    readonly code: TillErrorCode;
    readonly message: string;
    /** The field that is wrong. */
    readonly field?: string;
    /** With `terminal-busy`: the sale that runs. */
    readonly runningReference?: string;
    readonly correlationId?: string;
  };
}

/** A request that is refused before it reaches the service; the message names the rule and the likely intent. */
export class TillError extends CodedError<TillErrorCode> {
  readonly field: string | undefined;

  constructor(code: TillErrorCode, message: string, field?: string) {
    super(code, message);
    this.field = field;
  }
}

/** The longest body that a till may send, in bytes. */
export const MAX_BODY_BYTES = 16 * 1024;

const LONG_BODY = `the body must not exceed ${MAX_BODY_BYTES} bytes`;

/** Fastify's own refusals in our words; anything else of its kind is a plain bad request. */
const FASTIFY_ERRORS: Readonly<Record<string, { readonly code: TillErrorCode; readonly message: string }>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'body-too-large', message: LONG_BODY },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { code: 'not-json', message: 'send Content-Type: application/json' },
  FST_ERR_CTP_EMPTY_JSON_BODY: { code: 'bad-json', message: 'the body is empty, expected a JSON object' },
  FST_ERR_CTP_INVALID_JSON_BODY: { code: 'bad-json', message: 'the body is not valid JSON' },
};

/** Answer to anything thrown while a request was handled; the texts of unforeseen faults stay inside. */
export function errorAnswer(error: unknown): { readonly status: number; readonly body: TillErrorBody } {
  if (error instanceof TillError) return answer(error.code, error.message, { field: error.field });
  if (error instanceof SaleError) {
    return answer(error.code, error.message, { runningReference: error.runningReference });
  }
  if (error instanceof Error && 'validation' in error) {
    const { message, field } = bodyFault(error.validation as readonly SchemaError[]);
    return answer('bad-request', message, { field });
  }
  const own = FASTIFY_ERRORS[systemCode(error)];
  if (own) return answer(own.code, own.message);
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status >= 400 && status < 500) return answer('bad-request', UNREADABLE);
  return answer('internal', 'unforeseen fault of the agent; its log has the details');
}

const UNREADABLE = 'the request cannot be read';

const MALFORMED: Readonly<Record<MalformedStatus, readonly [TillErrorCode, string]>> = {
  400: ['bad-request', UNREADABLE],
  408: ['request-timeout', 'the request did not come in time'],
  413: ['body-too-large', LONG_BODY],
  431: ['headers-too-large', `the head of a request must not exceed ${maxHeaderSize} bytes`],
};

/** Body of the answer to what is no HTTP request. */
export function malformedBody(status: MalformedStatus): TillErrorBody {
  return answer(...MALFORMED[status]).body;
}

function answer(
  code: TillErrorCode,
  message: string,
  more: { readonly field?: string | undefined; readonly runningReference?: string | undefined } = {},
): { readonly status: number; readonly body: TillErrorBody } {
  const error = {
    code,
    message,
    ...(more.field !== undefined && { field: more.field }),
    ...(more.runningReference !== undefined && { runningReference: more.runningReference }),
  };
  return { status: TILL_ERRORS[code][2], body: { error } };
}
