import { decodeCoded } from '@tillbridge/protocol/terminals/newland/commands.js';
import { type ErrorHint, errorOf, RESPONSE_CODES } from '@tillbridge/protocol/terminals/newland/statuses.js';
import type { DriverFailure, StartOutcome } from '../core/driver.js';
import { attempt, cancelled, type Failed, failed, isFailed, type Result, TIMED_OUT } from '../core/result.js';
import type { Reply } from './link.js';

/** A command that the pad refused: its answer has another code than 00. */
export interface Refused {
  readonly kind: 'refused';
  readonly code: string;
}

/** What stands behind an answer's code 00. */
export interface Done {
  readonly kind: 'done';
  readonly data: Buffer;
}

/** The answer of a command that may be refused. */
export function outcomeOf(what: string, reply: Reply): Done | Refused | Failed {
  if (isFailed(reply)) return reply;
  const answer = attempt(what, () => decodeCoded(reply));
  if (isFailed(answer)) return answer;
  const { code, data } = answer;
  return code === RESPONSE_CODES.ok ? { kind: 'done', data } : { kind: 'refused', code };
}

/** The data of a command that must succeed. */
export function dataOf(what: string, reply: Reply): Result<Buffer> {
  const outcome = outcomeOf(what, reply);
  if (outcome.kind === 'done') return outcome.data;
  if (isFailed(outcome)) return outcome;
  return failed('protocol-error', `${what} answered code ${outcome.code}`);
}

const FAILURES: Readonly<Record<ErrorHint, DriverFailure>> = {
  ok: 'protocol-error',
  failed: 'internal',
  cancelled: 'internal',
  'timed-out': 'internal',
  'host-error': 'internal',
  'card-error': 'card-error',
  'card-removed': 'card-removed',
  'no-application': 'application-not-supported',
  'other-card': 'card-error',
  manual: 'internal',
};

/** What an error of the L3 module means where nothing else follows from it. */
export function l3Failure(what: string, code: number): Failed {
  const { hint, meaning } = errorOf(code);
  return failed(FAILURES[hint], `${what} ended with ${code}: ${meaning}`);
}

/** How a transaction ended that gave no decision. */
export function undecided(
  what: string,
  code: number,
  stopped: boolean,
): Exclude<StartOutcome, { card: object }> {
  const { hint } = errorOf(code);
  if (hint === 'cancelled') return cancelled(stopped);
  return hint === 'timed-out' ? TIMED_OUT : l3Failure(what, code);
}
