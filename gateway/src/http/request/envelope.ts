import { resultDescription } from '@tillbridge/protocol/api/result-codes/result-codes.js';
import type { ParameterError } from '@tillbridge/protocol/api/validate.js';
import { toHex } from '@tillbridge/protocol/bytes.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { Random } from '@tillbridge/protocol/seams/random.js';
import { REST_ERRORS } from '../../errors/error-table.js';

/** What every answer of the API carries (spec 2.10). */
export interface Envelope {
  readonly result: {
    readonly code: string;
    readonly description: string;
    readonly parameterErrors?: readonly ParameterError[];
  };
  readonly buildNumber: string;
  readonly timestamp: string;
  readonly ndc: string;
}

/** What an envelope is made with. */
export interface EnvelopeSources {
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly random: Random;
  readonly buildNumber: string;
}

/** Why a request is refused. */
export type RestErrorCode = keyof typeof REST_ERRORS;

/** A request that ends without a payment. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
  readonly httpStatus: number;
  readonly resultCode: string;
  readonly parameterErrors: readonly ParameterError[];

  constructor(code: RestErrorCode, parameterErrors: readonly ParameterError[] = []) {
    const [, , httpStatus, resultCode] = REST_ERRORS[code];
    super(`${resultCode} ${resultDescription(resultCode)}`);
    this.httpStatus = httpStatus;
    this.resultCode = resultCode;
    this.parameterErrors = parameterErrors;
  }
}

/** A request whose parameters are wrong: all of them at once (reference §4). */
export function invalidParameters(errors: readonly ParameterError[]): RequestRefused {
  return new RequestRefused('invalid-parameters', errors);
}

/** Makes the envelope of an answer. The ndc names this one answer and nothing else: clients log it, so it must not tell whose it is. */
export function envelope(
  { clock, random, buildNumber }: EnvelopeSources,
  code: string,
  parameterErrors: readonly ParameterError[] = [],
): Envelope {
  return {
    result: {
      code,
      description: resultDescription(code),
      ...(parameterErrors.length > 0 && { parameterErrors }),
    },
    buildNumber,
    timestamp: timestampText(clock.nowMs()),
    ndc: toHex(random.bytes(16)).toLowerCase(),
  };
}

/** `2026-11-20 19:36:00+0000` (spec 2.10). */
export function timestampText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')}+0000`;
}
