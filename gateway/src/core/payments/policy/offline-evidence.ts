import { toHex } from '@tillbridge/wire/bytes.js';
import { cryptogramType } from '@tillbridge/wire/emv/cid.js';
import { decodeTlv, findTlv, TlvError, type TlvNode } from '@tillbridge/wire/emv/tlv.js';
import { currencyNumber } from '@tillbridge/wire/payment/currency-codes.js';
import type { PaymentRequest } from '../rules/requests.js';

/** Entry modes in which a chip gives a cryptogram. */
const CHIP: ReadonlySet<string> = new Set(['ICC', 'NFC_ICC']);

const DAY_MS = 86_400_000;

/**
 * What is wrong with the evidence of a card-approved offline record: the chip's data must hold a TC, and say the amount, the currency and
 * the day of the record. Only the issuer, who has the keys, can verify the cryptogram.
 * @returns undefined where nothing is wrong, else a text without values of the card
 */
export function evidenceFault({ pos, amount, offline }: PaymentRequest): string | undefined {
  if (offline?.kind !== 'card-approved') return undefined;
  if (!pos || !CHIP.has(pos.entryMode)) return 'no chip was read: only a chip approves offline';
  const nodes = pos.iccData && nodesOf(pos.iccData);
  if (!nodes) return 'the data of the chip are missing or cannot be read';
  const hex = (tag: string): string | undefined => {
    const value = findTlv(nodes, tag);
    return value && toHex(value);
  };
  const [cid] = findTlv(nodes, '9F27') ?? [];
  if (cid === undefined || cryptogramType(cid) !== 'TC' || findTlv(nodes, '9F26')?.length !== 8)
    return 'there is no TC (tags 9F27, 9F26)';
  if (hex('9F02') !== String(amount.minor).padStart(12, '0')) return 'tag 9F02 has another amount';
  if (hex('5F2A') !== currencyNumber(amount.currency)?.padStart(4, '0'))
    return 'tag 5F2A has another currency';
  return isDayOf(hex('9A'), offline.decidedAtMs) ? undefined : 'tag 9A has another day';
}

function nodesOf(iccData: Uint8Array): readonly TlvNode[] | undefined {
  try {
    return decodeTlv(iccData);
  } catch (error) {
    if (error instanceof TlvError) return undefined;
    throw error;
  }
}

/** Whether `YYMMDD`, in whatever time zone, is the day of a time; a terminal's clock may be a day off. */
function isDayOf(date: string | undefined, timeMs: number): boolean {
  const [, year, month, day] = /^(\d\d)(\d\d)(\d\d)$/.exec(date ?? '') ?? [];
  if (year === undefined) return false;
  const midnightMs = Date.UTC(2_000 + Number(year), Number(month) - 1, Number(day));
  return timeMs >= midnightMs - DAY_MS && timeMs < midnightMs + 2 * DAY_MS;
}
