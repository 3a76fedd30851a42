import { resultDescription } from '@tillbridge/wire/payment/result-codes/result-codes.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import type { ParameterError } from '../../api/validate.js';
import { REST_ERRORS } from '../../errors/error-table.js';
import { newId } from '../../store/new-id.js';
import { type AnswerFrame, answerFrame } from './answer-frame.js';

/** What every answer of the API carries, and what is wrong with the parameters. */
export interface Envelope extends AnswerFrame {
  readonly result: AnswerFrame['result'] & { readonly parameterErrors?: readonly ParameterError[] };
}

/** What an envelope is made with. */
export interface EnvelopeDeps {
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly random: Random;
  readonly buildNumber: string;
}

/** Why a request is refused. */
export type RestErrorCode = keyof typeof REST_ERRORS;

/** Refusals that a client distinguishes by their text alone (docs/rest-api.md). */
const EXPLAINED: ReadonlySet<RestErrorCode> = new Set([
  'no-checkout',
  'checkout-expired',
  'checkout-of-other-mode',
  'changed-meanwhile',
  'entity-of-another',
  'webhook-test-refused',
  'review-decided',
  'sign-in-refused',
  'no-session',
  'wrong-origin',
  'invitation-unknown',
]);

/** A request that ends without a payment. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
  readonly httpStatus: number;
  readonly resultCode: string;
  readonly parameterErrors: readonly ParameterError[];
  /** Replaces the result code's text, which several refusals share. */
  readonly description: string | undefined;

  constructor(code: RestErrorCode, parameterErrors: readonly ParameterError[] = []) {
    const [what, remedy, httpStatus, resultCode] = REST_ERRORS[code];
    super(`${resultCode} ${resultDescription(resultCode)}`);
    this.httpStatus = httpStatus;
    this.resultCode = resultCode;
    this.parameterErrors = parameterErrors;
    this.description = EXPLAINED.has(code) ? `${what}: ${remedy}` : undefined;
  }
}

/** A request whose parameters are wrong: all of them at once (docs/rest-api.md). */
export function invalidParameters(errors: readonly ParameterError[]): RequestRefused {
  return new RequestRefused('invalid-parameters', errors);
}

/** Code of a successful request that makes no payment. */
const DONE = '000.000.100';

/** What went well, in its envelope. */
export function done<T extends object>(sources: EnvelopeDeps, answer: T): Envelope & T {
  return { ...envelope(sources, DONE), ...answer };
}

/** Makes the envelope of an answer. The ndc names this one answer and nothing else: clients log it, so it must not reveal whose it is. */
export function envelope(
  { clock, random, buildNumber }: EnvelopeDeps,
  code: string,
  parameterErrors: readonly ParameterError[] = [],
  ndc = newId(random),
): Envelope {
  const frame = answerFrame(code, { buildNumber, ndc, nowMs: clock.nowMs() });
  return parameterErrors.length > 0 ? { ...frame, result: { ...frame.result, parameterErrors } } : frame;
}
