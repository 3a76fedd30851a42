import { currencyNumber } from '@tillbridge/protocol/payment/currency-codes.js';
import type { StartRequest } from './driver.js';
import { type Failed, failed } from './result.js';

/** Longest amount: tag 9F02 has 12 digits. */
export const MAX_AMOUNT_MINOR = 999_999_999_999;
/** ISO 8583 processing codes, first two digits (tag 9C). */
const TRANSACTION_TYPES: Readonly<Record<StartRequest['kind'], number>> = {
  sale: 0x00,
  preauthorization: 0x00,
  refund: 0x20,
};

/** A sale as EMV objects hold it. */
export interface TransactionValues {
  readonly kind: 'values';
  /** Tag 9C. */
  readonly type: Buffer;
  /** Tag 9F02. */
  readonly amount: Buffer;
  /** Tag 5F2A. */
  readonly currency: Buffer;
  /** Tag 9A. */
  readonly date: Buffer;
  /** Tag 9F21. */
  readonly time: Buffer;
}

/** Digits as format n, filled with zeros in front (EMV Book 3 §4.3). */
export function numeric(value: number | string, digits: number): Buffer {
  return Buffer.from(String(value).padStart(digits, '0'), 'hex');
}

/** The values of a request; failed where EMV has no place for them. */
export function transactionValues({ kind, amount, date, time }: StartRequest): TransactionValues | Failed {
  const currency = currencyNumber(amount.currency);
  if (currency === undefined) return failed('internal', 'the currency has no ISO 4217 number');
  const { minor } = amount;
  if (!Number.isSafeInteger(minor) || minor < 0 || minor > MAX_AMOUNT_MINOR) {
    return failed('internal', `the amount must be 0 to ${MAX_AMOUNT_MINOR} minor units`);
  }
  return {
    kind: 'values',
    type: Buffer.of(TRANSACTION_TYPES[kind]),
    amount: numeric(minor, 12),
    currency: numeric(currency, 4),
    date: Buffer.from(date, 'hex'),
    time: Buffer.from(time, 'hex'),
  };
}
