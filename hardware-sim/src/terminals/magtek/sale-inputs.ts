import { type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { TerminalFormatError } from '@tillbridge/wire/terminals/format-error.js';
import { parameter } from '@tillbridge/wire/terminals/magtek/message.js';
import type { StartParameters } from '@tillbridge/wire/terminals/magtek/start-transaction.js';
import type { SaleInputs } from '../core/payment-core.js';
import { amountText, dateAndTime, hostObjects, saleOf } from '../core/sale-inputs.js';

const objectsOf = ({ transaction }: StartParameters) =>
  hostObjects(
    (tag) => parameter(transaction, tag),
    () => new TerminalFormatError('transaction', 'needs 9C and 9F02'),
  );

/** The amount as the display shows it; nothing where the host named none. */
export function amountLines(start: StartParameters): readonly string[] {
  const { find } = objectsOf(start);
  const amount = find('9F02');
  if (amount === undefined) return [];
  const currency = find('5F2A')?.slice(-3);
  return [amountText({ amountMinor: Number(amount), ...(currency !== undefined && { currency }) })];
}

/** The sale in START TRANSACTION of a card; 9C and 9F02 were checked when it was read. */
export function saleInputs(start: StartParameters, nowMs: number): SaleInputs {
  return saleOf(objectsOf(start), dateAndTime(nowMs));
}

/** Objects that the request of a magstripe may hold in clear. */
export function saleObjects(start: StartParameters, nowMs: number): readonly TlvNode[] {
  const { date, time } = dateAndTime(nowMs);
  return [...start.transaction, tlv('9A', Buffer.from(date, 'hex')), tlv('9F21', Buffer.from(time, 'hex'))];
}
