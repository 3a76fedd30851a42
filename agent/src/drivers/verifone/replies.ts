import { findTlv, type TlvNode } from '@tillbridge/protocol/emv/tlv.js';
import { COMMANDS, type CommandName } from '@tillbridge/protocol/terminals/verifone/commands.js';
import { decodeContainer } from '@tillbridge/protocol/terminals/verifone/messages.js';
import { type StatusHint, statusOf } from '@tillbridge/protocol/terminals/verifone/statuses.js';
import { TAGS } from '@tillbridge/protocol/terminals/verifone/tags.js';
import type { DriverFailure } from '../core/driver.js';
import { attempt, type Failed, failed, isFailed, type Result } from '../core/result.js';
import { COMMAND_TIMEOUT_MS } from './limits.js';
import { type Reply, type SdiExchange, type SdiLink, swText } from './link.js';

/** An answer that was understood: its meaning and its objects. */
export interface Answer {
  readonly sw: number;
  readonly hint: StatusHint;
  readonly objects: readonly TlvNode[];
}

/**
 * A device that lost its state, or answers what was not asked, begins a new session: those are errors of the protocol. The
 * hints of an ended wait are outcomes where a wait was asked for, and a fault anywhere else.
 */
const FAILURES: Readonly<Record<StatusHint, DriverFailure>> = {
  ok: 'protocol-error',
  bypassed: 'protocol-error',
  online: 'protocol-error',
  approved: 'protocol-error',
  declined: 'protocol-error',
  'host-error': 'protocol-error',
  'wrong-state': 'protocol-error',
  busy: 'protocol-error',
  cancelled: 'protocol-error',
  aborted: 'protocol-error',
  'timed-out': 'protocol-error',
  'pin-ended': 'protocol-error',
  'transaction-ended': 'card-error',
  'card-removed': 'card-removed',
  'card-error': 'card-error',
  'card-blocked': 'card-blocked',
  'no-application': 'application-not-supported',
  'swipe-allowed': 'card-error',
  'other-interface': 'card-error',
  'tap-again': 'card-error',
  'no-tap': 'protocol-error',
  'no-contactless': 'internal',
  'key-missing': 'key-missing',
  // No word of its own is published for a DUKPT key whose counter is used up (from public sources incomplete).
  'encryption-failed': 'key-exhausted',
  tampered: 'tampered',
  'device-error': 'internal',
};

/** What an error status means where nothing else follows from it; with the code of the device's library, if it gave one. */
export function statusFailure(command: CommandName, { sw, hint, objects }: Answer): Failed {
  const code = findTlv(objects, TAGS.errorCode);
  const library = code ? `, code ${Buffer.from(code).toString('hex').toUpperCase()}` : '';
  return failed(FAILURES[hint], `${COMMANDS[command].name} answered ${swText(sw)}${library}`);
}

/** Reads the objects of an answer, whatever its status. */
export function answerOf(command: CommandName, reply: Reply): Result<Answer> {
  if (isFailed(reply)) return reply;
  const { sw, data } = reply;
  const objects = attempt(COMMANDS[command].name, () => decodeContainer(data));
  return isFailed(objects) ? objects : { sw, hint: statusOf(sw).hint, objects };
}

/** Sends a command that waits for nobody, and reads its answer. */
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
  const answer = await ask(link, command, rest);
  if (isFailed(answer)) return answer;
  return answer.hint === 'ok' ? answer.objects : statusFailure(command, answer);
}
