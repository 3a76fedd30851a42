import { decodeCoded } from '@tillbridge/wire/terminals/newland/commands.js';
import { type ErrorHint, errorOf, RESPONSE_CODES } from '@tillbridge/wire/terminals/newland/statuses.js';
import { andThen, attempt, type Failed, failed, type Result, type SaleEnd } from '../core/result.js';
import { endOfHint, statusFailures } from '../core/status-failures.js';
import type { Command, NewlandLink, Reply } from './link.js';

/** A command that the pad refused: its answer has another code than 00. */
interface Refused {
  readonly kind: 'refused';
  readonly code: string;
}

/** The data after an answer's code 00. */
interface Done {
  readonly kind: 'done';
  readonly data: Buffer;
}

/** The answer of a command that may be refused. */
export function outcomeOf(what: string, reply: Reply): Result<Done | Refused> {
  const answer = andThen(reply, (bytes) => attempt(what, () => decodeCoded(bytes)));
  return andThen(answer, ({ code, data }) =>
    code === RESPONSE_CODES.ok ? { kind: 'done', data } : { kind: 'refused', code },
  );
}

/** The data of a command that must succeed. */
function dataOf(what: string, reply: Reply): Result<Buffer> {
  return andThen(outcomeOf(what, reply), (outcome) =>
    outcome.kind === 'done'
      ? outcome.data
      : failed('protocol-error', `${what} answered code ${outcome.code}`),
  );
}

/** Sends a command that must succeed, and reads its data. */
export async function ask<T>(
  link: NewlandLink,
  command: Command,
  read: (data: Buffer) => Result<T>,
  ...times: readonly [timeoutMs?: number, longestMs?: number]
): Promise<Result<T>> {
  const data = dataOf(command.name, await link.execute(command, ...times));
  return andThen(data, (bytes) => attempt(command.name, () => read(bytes)));
}

const failureOf = statusFailures<ErrorHint>({ ok: 'protocol-error', 'host-error': 'internal' });

/** What an error of the L3 module means where nothing else follows from it. */
export function l3Failure(what: string, code: number): Failed {
  const { hint, meaning } = errorOf(code);
  return failed(failureOf(hint), `${what} ended with ${code}: ${meaning}`);
}

/** How a transaction ended that gave no decision. */
export function undecided(what: string, code: number, stopped: boolean): SaleEnd {
  return endOfHint(errorOf(code).hint, stopped, () => l3Failure(what, code));
}
