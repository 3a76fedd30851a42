import type { HintOf } from '@tillbridge/wire/terminals/code-table.js';
import { COMMANDS, type CommandName } from '@tillbridge/wire/terminals/idtech/commands.js';
import { type ResultKind, resultOf, STATUSES, statusOf } from '@tillbridge/wire/terminals/idtech/statuses.js';
import { andThen, attempt, type Failed, failed, type Result, type SaleEnd } from '../core/result.js';
import { endOfHint, statusFailures } from '../core/status-failures.js';
import type { NeoLink, Reply } from './link.js';

const failureOf = statusFailures<HintOf<typeof STATUSES> | ResultKind>({
  accepted: 'protocol-error',
  online: 'protocol-error',
  'not-now': 'protocol-error',
});

/** The usual reason (ID TECH knowledge base): a VP6800 reads no magstripe until its removal detection is active. */
const REMOVAL_DETECTION = ' (activate the removal detection in the menu of the terminal)';

/** What an error status means where nothing else follows from it. */
export function statusFailure(command: CommandName, status: number): Failed {
  const { hint, meaning } = statusOf(status);
  const advice = command === 'activate' && status === STATUSES.wrongParameter.code ? REMOVAL_DETECTION : '';
  return failed(failureOf(hint), `${COMMANDS[command].name} answered ${hex(status, 2)}: ${meaning}${advice}`);
}

/** What a result code means that is no decision. @param stopped whether the till has cancelled */
export function resultEnd(command: CommandName, code: number, stopped: boolean): SaleEnd {
  const { hint, meaning } = resultOf(code);
  return endOfHint(hint, stopped, () =>
    failed(failureOf(hint), `${COMMANDS[command].name} ended with ${hex(code, 4)}: ${meaning}`),
  );
}

/** The data of a command that must succeed. */
export function dataOf(command: CommandName, reply: Reply): Result<Buffer> {
  return andThen(reply, (answer) => {
    if (answer.kind === 'cancelled') return failed('internal', `${COMMANDS[command].name} was cancelled`);
    return statusOf(answer.status).hint === 'ok' ? answer.data : statusFailure(command, answer.status);
  });
}

/** Sends a command that must succeed, and reads its data. */
export async function ask<T>(
  link: NeoLink,
  command: CommandName,
  read: (data: Buffer) => T,
  data?: Uint8Array,
): Promise<Result<T>> {
  const answered = dataOf(command, await link.execute(command, data));
  return andThen(answered, (bytes) => reading(command, () => read(bytes)));
}

/** Reads data of the device; broken data are a failure. */
export function reading<T>(command: CommandName, read: () => T): Result<T> {
  return attempt(COMMANDS[command].name, read);
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}
