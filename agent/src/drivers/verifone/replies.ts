import { findTlv, type TlvNode } from '@tillbridge/wire/emv/tlv.js';
import type { HintOf } from '@tillbridge/wire/terminals/code-table.js';
import { COMMANDS, type CommandName } from '@tillbridge/wire/terminals/verifone/commands.js';
import { decodeContainer } from '@tillbridge/wire/terminals/verifone/messages.js';
import { type STATUSES, statusOf } from '@tillbridge/wire/terminals/verifone/statuses.js';
import { TAGS } from '@tillbridge/wire/terminals/verifone/tags.js';
import {
  andThen,
  attempt,
  type Failed,
  failed,
  type Result,
  type SaleEnd,
  STOPPED_BY_TILL,
} from '../core/result.js';
import { endOfHint, statusFailures } from '../core/status-failures.js';
import { COMMAND_TIMEOUT_MS } from './limits.js';
import { type Reply, type SdiExchange, type SdiLink, swText } from './link.js';

/** An answer that was read: its meaning and its objects. */
export interface Answer {
  readonly sw: number;
  readonly hint: HintOf<typeof STATUSES>;
  readonly objects: readonly TlvNode[];
}

/**
 * A device that lost its state, or sends another command's answer, begins a new session: those are protocol errors. The end of
 * a wait is an outcome of a command that waits, and a protocol error of any other.
 */
const failureOf = statusFailures<HintOf<typeof STATUSES>>(
  {
    busy: 'protocol-error',
    'transaction-ended': 'card-error',
    'no-contactless': 'internal',
    // No status is published for a DUKPT key whose counter is used up (from public sources incomplete).
    'encryption-failed': 'key-exhausted',
    'device-error': 'internal',
  },
  'protocol-error',
);

/** What an error status means where nothing else follows from it; with the code of the device's library, if it gave one. */
export function statusFailure(command: CommandName, { sw, hint, objects }: Answer): Failed {
  const code = findTlv(objects, TAGS.errorCode);
  const library = code ? `, code ${Buffer.from(code).toString('hex').toUpperCase()}` : '';
  return failed(failureOf(hint), `${COMMANDS[command].name} answered ${swText(sw)}${library}`);
}

/** How a wait for the cardholder ended without a card or a PIN. @param stopped the till has cancelled */
export function waitEnd(command: CommandName, answer: Answer, stopped: boolean): SaleEnd {
  if (answer.hint === 'aborted' && stopped) return STOPPED_BY_TILL;
  return endOfHint(answer.hint, false, () => statusFailure(command, answer));
}

/** Reads the objects of an answer, at any status. */
export function answerOf(command: CommandName, reply: Reply): Result<Answer> {
  return andThen(reply, ({ sw, data }) => {
    const objects = attempt(COMMANDS[command].name, () => decodeContainer(data));
    return andThen(objects, (read) => ({ sw, hint: statusOf(sw).hint, objects: read }));
  });
}

/** Sends a command and reads its answer. */
export async function ask(
  link: SdiLink,
  command: CommandName,
  rest: Partial<Omit<SdiExchange, 'command'>> = {},
): Promise<Result<Answer>> {
  return answerOf(command, await link.execute({ timeoutMs: COMMAND_TIMEOUT_MS, ...rest, command }));
}

/** The same for a command that must succeed; its objects. */
export async function mustAsk(
  link: SdiLink,
  command: CommandName,
  rest: Partial<Omit<SdiExchange, 'command'>> = {},
): Promise<Result<readonly TlvNode[]>> {
  return andThen(await ask(link, command, rest), (answer) =>
    answer.hint === 'ok' ? answer.objects : statusFailure(command, answer),
  );
}
