import { findTlv, type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { currencyNumber } from '@tillbridge/wire/payment/currency-codes.js';
import { minorDigits } from '@tillbridge/wire/payment/minor-digits.js';
import type { StartRequest } from './driver.js';
import { failed, type Result } from './result.js';

/** Longest amount: tag 9F02 has 12 digits. */
const MAX_AMOUNT_MINOR = 999_999_999_999;
const MAX_UINT32 = 0xffff_ffff;
const SEQUENCE_DIGITS = 8;
/** ISO 8583 processing codes, first two digits (tag 9C). */
const TRANSACTION_TYPES: Readonly<Record<StartRequest['kind'], number>> = {
  sale: 0x00,
  preauthorization: 0x00,
  refund: 0x20,
};
/** The same of a purchase with cash back. */
const CASH_BACK_TYPE = 0x09;

/** A sale as EMV objects hold it. */
export interface TransactionValues {
  /** Tag 9C. */
  readonly type: Buffer;
  /** Tag 9F02. */
  readonly amount: Buffer;
  /** Tag 9F03: cash back, a part of the amount. Absent where there is none: terminals take zero then. */
  readonly other?: Buffer;
  /** Tag 5F2A. */
  readonly currency: Buffer;
  /** Tag 5F36. */
  readonly exponent: Buffer;
  /** Tag 9A. */
  readonly date: Buffer;
  /** Tag 9F21. */
  readonly time: Buffer;
  /** Tag 9F41. */
  readonly sequence: Buffer;
}

/** Digits as format n, filled with zeros in front (EMV Book 3 §4.3). */
export function numeric(value: number | string, digits: number): Buffer {
  return Buffer.from(String(value).padStart(digits, '0'), 'hex');
}

/** A number as format b of four bytes, cut to what they hold: floor limits (tag 9F1B) and thresholds. */
export function binary4(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(Math.max(0, Math.min(MAX_UINT32, Math.trunc(value))));
  return bytes;
}

/** The values of a request; failed where EMV has no place for them. */
export function transactionValues(request: StartRequest): Result<TransactionValues> {
  const { kind, amount, cashBackMinor = 0, date, time, transactionSequenceNumber } = request;
  const currency = currencyNumber(amount.currency);
  if (currency === undefined) return failed('internal', 'the currency has no ISO 4217 number');
  const { minor } = amount;
  if (!Number.isSafeInteger(minor) || minor < 0 || minor > MAX_AMOUNT_MINOR) {
    return failed('internal', `the amount must be 0 to ${MAX_AMOUNT_MINOR} minor units`);
  }
  return {
    type: Buffer.of(cashBackMinor > 0 ? CASH_BACK_TYPE : TRANSACTION_TYPES[kind]),
    amount: numeric(minor, 12),
    ...(cashBackMinor > 0 && { other: numeric(cashBackMinor, 12) }),
    currency: numeric(currency, 4),
    exponent: Buffer.of(minorDigits(amount.currency)),
    date: Buffer.from(date, 'hex'),
    time: Buffer.from(time, 'hex'),
    sequence: numeric(String(transactionSequenceNumber).slice(-SEQUENCE_DIGITS), SEQUENCE_DIGITS),
  };
}

/** Values that an answer repeats, if it has them. Other values belong to a late answer of another sale. */
interface SaleMark {
  /** Tag 9F02. */
  readonly amount: Buffer;
  /** Tag 9F21, where the host gives the time. */
  readonly time?: Buffer;
}

/** The answer belongs to another sale. */
export const OTHER_SALE = failed('protocol-error', 'the answer belongs to another sale');

/** Whether objects can be those of the sale. */
export function isOfSale({ amount, time }: SaleMark, objects: readonly TlvNode[]): boolean {
  const [authorized, at] = [findTlv(objects, '9F02'), findTlv(objects, '9F21')];
  return (!authorized || amount.equals(authorized)) && (!at || !time || time.equals(at));
}

/** Tag 9F03 for a maker's list of objects; nothing where there is no cash back. */
export function otherAmount({ other }: Pick<TransactionValues, 'other'>): readonly TlvNode[] {
  return other ? [tlv('9F03', other)] : [];
}
