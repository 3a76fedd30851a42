import { decodePinAnswer, PIN_REQUEST } from '@tillbridge/protocol/terminals/idtech/pin-entry.js';
import { KEYPAD_STATES, statusOf } from '@tillbridge/protocol/terminals/idtech/statuses.js';
import type { DriverFailure, Enciphered, StartOutcome } from '../core/driver.js';
import { type Failed, failed, STOPPED_BY_TILL } from '../core/result.js';
import { PIN_TIMEOUT_MS } from './limits.js';
import type { NeoLink } from './link.js';
import { reading, statusFailure } from './replies.js';

/** How a PIN entry of its own ended. */
export type PinResult =
  | { readonly kind: 'pin'; readonly pin: Enciphered }
  | Extract<StartOutcome, { kind: 'cancelled' }>
  | Failed;

const STATE_FAILURES: ReadonlyMap<number, readonly [DriverFailure, string]> = new Map([
  [KEYPAD_STATES.wrongParameters, ['protocol-error', 'the PIN pad refuses the parameters']],
  [KEYPAD_STATES.panError, ['card-error', 'the PIN pad refuses the card number']],
  [KEYPAD_STATES.keyMissing, ['key-missing', 'the PIN key is missing']],
  [KEYPAD_STATES.keyExhausted, ['key-exhausted', 'the PIN key is used up']],
]);

/** Asks for the PIN of a tap (62-01): the device knows its card number. A PIN cannot be skipped here. */
export async function askOnlinePin(link: NeoLink, stopped: () => boolean): Promise<PinResult> {
  const reply = await link.execute('encryptedPin', PIN_REQUEST, PIN_TIMEOUT_MS);
  if (reply.kind === 'failed') return reply;
  if (reply.kind === 'cancelled') return STOPPED_BY_TILL;
  const { hint } = statusOf(reply.status);
  if (hint === 'timed-out') return { kind: 'cancelled', by: 'timeout' };
  if (hint !== 'ok' && hint !== 'failed') return statusFailure('encryptedPin', reply.status);
  const answer = reading('encryptedPin', () => decodePinAnswer(reply.data));
  if (answer.kind === 'failed') return answer;
  if (answer.kind === 'pin') return { kind: 'pin', pin: { data: answer.block, ksn: answer.ksn } };
  const failure = STATE_FAILURES.get(answer.state);
  if (failure) return failed(...failure);
  return stopped() || answer.state === KEYPAD_STATES.cancelledByHost
    ? STOPPED_BY_TILL
    : { kind: 'cancelled', by: 'cardholder' };
}
