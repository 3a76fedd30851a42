import { decodePinAnswer, PIN_REQUEST } from '@tillbridge/wire/terminals/idtech/pin-entry.js';
import { KEYPAD_STATES, statusOf } from '@tillbridge/wire/terminals/idtech/statuses.js';
import type { PinEntry } from '../core/card-data.js';
import type { DriverFailure } from '../core/driver.js';
import { cancelled, failed, isFailed, STOPPED_BY_TILL, TIMED_OUT } from '../core/result.js';
import { PIN_TIMEOUT_MS } from './limits.js';
import type { NeoLink } from './link.js';
import { reading, statusFailure } from './replies.js';

const STATE_FAILURES: ReadonlyMap<number, readonly [DriverFailure, string]> = new Map([
  [KEYPAD_STATES.wrongParameters, ['protocol-error', 'the PIN pad refuses the parameters']],
  [KEYPAD_STATES.panError, ['card-error', 'the PIN pad refuses the card number']],
  [KEYPAD_STATES.keyMissing, ['key-missing', 'the PIN key is missing']],
  [KEYPAD_STATES.keyExhausted, ['key-exhausted', 'the PIN key is used up']],
]);

/** Prompts for the PIN of a tap (62-01): the device knows its card number. A PIN cannot be skipped here. */
export async function askOnlinePin(link: NeoLink, stopped: () => boolean): Promise<PinEntry> {
  const reply = await link.execute('encryptedPin', PIN_REQUEST, PIN_TIMEOUT_MS);
  if (isFailed(reply)) return reply;
  if (reply.kind === 'cancelled') return STOPPED_BY_TILL;
  const { hint } = statusOf(reply.status);
  if (hint === 'timed-out') return TIMED_OUT;
  if (hint !== 'ok' && hint !== 'failed') return statusFailure('encryptedPin', reply.status);
  const answer = reading('encryptedPin', () => decodePinAnswer(reply.data));
  if (isFailed(answer)) return answer;
  if (answer.kind === 'pin') return { kind: 'pin', pin: { data: answer.block, ksn: answer.ksn } };
  const failure = STATE_FAILURES.get(answer.state);
  if (failure) return failed(...failure);
  return cancelled(stopped() || answer.state === KEYPAD_STATES.cancelledByHost);
}
