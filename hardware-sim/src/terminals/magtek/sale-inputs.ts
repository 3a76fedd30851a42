import { type TlvNode, tlv } from '@tillbridge/protocol/emv/tlv.js';
import { parameter } from '@tillbridge/protocol/terminals/magtek/message.js';
import type { StartParameters } from '@tillbridge/protocol/terminals/magtek/start-transaction.js';
import type { SaleInputs } from '../core/payment-core.js';

/** The device has a clock of its own; the host names neither date nor time. */
function dateAndTime(nowMs: number): { readonly date: string; readonly time: string } {
  const digits = new Date(nowMs).toISOString().replace(/\D/g, '');
  return { date: digits.slice(2, 8), time: digits.slice(8, 14) };
}

function hexOf(nodes: readonly TlvNode[], tag: string): string | undefined {
  const value = parameter(nodes, tag);
  return value && Buffer.from(value).toString('hex');
}

/** The amount as the display shows it; nothing where the host named none. */
export function amountLines({ transaction }: StartParameters): readonly string[] {
  const amount = hexOf(transaction, '9F02');
  return amount === undefined ? [] : [(Number(amount) / 100).toFixed(2)];
}

/** The sale in START TRANSACTION of a card; 9C and 9F02 were checked when it was read. */
export function saleInputs({ transaction }: StartParameters, nowMs: number): SaleInputs {
  const currency = hexOf(transaction, '5F2A');
  return {
    amountMinor: Number(hexOf(transaction, '9F02')),
    cashbackMinor: Number(hexOf(transaction, '9F03') ?? 0),
    transactionType: Number.parseInt(hexOf(transaction, '9C') ?? '', 16),
    ...dateAndTime(nowMs),
    ...(currency !== undefined && { currency: currency.slice(-3) }),
  };
}

/** Objects that the request of a magstripe may hold in clear. */
export function saleObjects(start: StartParameters, nowMs: number): readonly TlvNode[] {
  const { date, time } = dateAndTime(nowMs);
  return [...start.transaction, tlv('9A', Buffer.from(date, 'hex')), tlv('9F21', Buffer.from(time, 'hex'))];
}
