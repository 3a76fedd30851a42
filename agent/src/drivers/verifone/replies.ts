import { findTlv, type TlvNode } from '@tillbridge/protocol/emv/tlv.js';
import { TerminalFormatError } from '@tillbridge/protocol/terminals/format-error.js';
import { COMMANDS, type CommandName } from '@tillbridge/protocol/terminals/verifone/commands.js';
import { decodeContainer } from '@tillbridge/protocol/terminals/verifone/messages.js';
import { type StatusHint, statusOf } from '@tillbridge/protocol/terminals/verifone/statuses.js';
import { TAGS } from '@tillbridge/protocol/terminals/verifone/tags.js';
import type { DriverFailure } from '../core/driver.js';
import { type Failed, failed } from '../core/result.js';
import { COMMAND_TIMEOUT_MS } from './limits.js';
import { type Exchange, type Reply, type SdiClient, swText } from './sdi-client.js';

/** An answer that was understood: its meaning and its objects. */
export interface Answer {
  readonly kind: 'answer';
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
export function answerOf(command: CommandName, reply: Reply): Answer | Failed {
  if (reply.kind === 'failed') return reply;
  try {
    const { sw, data } = reply;
    return { kind: 'answer', sw, hint: statusOf(sw).hint, objects: decodeContainer(data) };
  } catch (error) {
    if (!(error instanceof TerminalFormatError)) throw error;
    return failed('protocol-error', `${COMMANDS[command].name}: ${error.message}`);
  }
}

/** Sends a command that waits for nobody, and reads its answer. */
export async function ask(
  client: SdiClient,
  command: CommandName,
  rest: Partial<Omit<Exchange, 'command'>> = {},
): Promise<Answer | Failed> {
  return answerOf(command, await client.execute({ timeoutMs: COMMAND_TIMEOUT_MS, ...rest, command }));
}

/** The same for a command that must succeed; its objects. */
export async function mustAsk(
  client: SdiClient,
  command: CommandName,
  rest: Partial<Omit<Exchange, 'command'>> = {},
): Promise<readonly TlvNode[] | Failed> {
  const answer = await ask(client, command, rest);
  if (answer.kind === 'failed') return answer;
  return answer.hint === 'ok' ? answer.objects : statusFailure(command, answer);
}

/** True for a failure among a failure and a list. */
export function isFailed(value: readonly TlvNode[] | Failed | undefined): value is Failed {
  return value !== undefined && !Array.isArray(value);
}
