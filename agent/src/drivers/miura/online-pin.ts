import { encodeTlv, findTlv, type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { ONLINE_PIN_P1 } from '@tillbridge/wire/terminals/miura/commands.js';
import { statusOf } from '@tillbridge/wire/terminals/miura/statuses.js';
import { ONLINE_PIN_ENDS, TAGS, TEMPLATES } from '@tillbridge/wire/terminals/miura/tags.js';
import { enciphered, type PinEntry } from '../core/card-data.js';
import { readTlv } from '../core/emv-data.js';
import { andThen, cancelled, failed, isFailed } from '../core/result.js';
import type { TransactionValues } from '../core/transaction-values.js';
import { PIN_TIMEOUT_MS } from './limits.js';
import type { MiuraLink } from './link.js';
import { statusFailure } from './replies.js';

/** Prompts for the PIN of a magnetic stripe or a tap (ONLINE PIN): the device names the card by its masked track. */
export async function askOnlinePin(
  link: MiuraLink,
  { amount, currency }: TransactionValues,
  objects: readonly TlvNode[],
  stopped: () => boolean,
): Promise<PinEntry> {
  const track = findTlv(objects, TAGS.maskedMagstripeTrack2) ?? findTlv(objects, TAGS.maskedChipTrack2);
  if (!track) return failed('protocol-error', 'the terminal gave no masked track to ask a PIN for');
  const label = findTlv(objects, '50') ?? Buffer.from('CARD', 'latin1');
  const data = encodeTlv([
    tlv(TEMPLATES.commandData, [
      tlv('9F02', amount),
      tlv('50', label),
      tlv('5F2A', currency),
      tlv(TAGS.maskedMagstripeTrack2, track),
    ]),
  ]);
  const reply = await link.execute({ command: 'onlinePin', p1: ONLINE_PIN_P1, p2: 0, data }, PIN_TIMEOUT_MS);
  if (isFailed(reply)) return reply;
  const { data: answer, sw } = reply;
  const { hint } = statusOf(sw);
  if (hint === 'cancelled') return cancelled(stopped());
  if (hint !== 'ok') return statusFailure('onlinePin', sw);
  return pinOf(answer, stopped);
}

function pinOf(answer: Buffer, stopped: () => boolean): PinEntry {
  if (answer.length === 1) {
    if (answer[0] === ONLINE_PIN_ENDS.bypassed) return { kind: 'pin', pin: undefined };
    if (answer[0] !== ONLINE_PIN_ENDS.cancelledOrTimeout) {
      return failed('internal', 'ONLINE PIN: the terminal reports an internal error');
    }
    return cancelled(stopped());
  }
  return andThen(readTlv('ONLINE PIN', answer), (nodes) => {
    const pin = enciphered(nodes, TAGS.pinData, TAGS.pinKsn);
    return pin ? { kind: 'pin', pin } : failed('protocol-error', 'ONLINE PIN: the answer holds no PIN block');
  });
}
