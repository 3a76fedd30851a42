import { encodeTlv, tlv } from '@tillbridge/protocol/emv/tlv.js';
import { currencyNumber } from '@tillbridge/protocol/payment/currency-codes.js';
import { TAGS, TEMPLATES } from '@tillbridge/protocol/terminals/miura/tags.js';
import type { StartRequest } from '../driver.js';
import { type Failed, failed } from '../failures.js';

/** Longest amount: tag 9F02 has 12 digits. */
const MAX_AMOUNT_MINOR = 999_999_999_999;
/** Tag 9C. */
const TRANSACTION_TYPES: Readonly<Record<StartRequest['kind'], number>> = {
  sale: 0x00,
  preauthorization: 0x00,
  refund: 0x20,
};
/** DFA204: the device lets the cardholder choose among applications; DFA203: risk management stage of its own files. */
const DEVICE_CHOOSES = Buffer.of(0x01);
const RISK_STAGE = Buffer.of(0x00);

/** What the objects of a request must look like in its answer, so that a late answer is not taken for it. */
export interface RequestMark {
  /** Tag 9F02. */
  readonly amount: Buffer;
  /** Tag 9F21. */
  readonly time: Buffer;
}

/** A sale as MPI wants it. */
export interface TransactionRequest {
  readonly kind: 'request';
  /** E0 of START TRANSACTION. */
  readonly contact: Buffer;
  /** E0 of START CONTACTLESS TRANSACTION. */
  readonly contactless: Buffer;
  readonly amount: Buffer;
  readonly currency: Buffer;
  readonly mark: RequestMark;
}

/** Builds the commands' data, in the order of the published frame. */
export function transactionRequest({ kind, amount, date, time }: StartRequest): TransactionRequest | Failed {
  const number = currencyNumber(amount.currency);
  if (number === undefined) return failed('internal', 'the currency has no ISO 4217 number');
  const { minor } = amount;
  if (!Number.isSafeInteger(minor) || minor < 0 || minor > MAX_AMOUNT_MINOR) {
    return failed('internal', `the amount must be 0 to ${MAX_AMOUNT_MINOR} minor units`);
  }
  const amountBytes = Buffer.from(String(minor).padStart(12, '0'), 'hex');
  const currency = Buffer.from(number.padStart(4, '0'), 'hex');
  const timeBytes = Buffer.from(time, 'hex');
  const common = [
    tlv('9C', Buffer.of(TRANSACTION_TYPES[kind])),
    tlv('9F02', amountBytes),
    tlv('9A', Buffer.from(date, 'hex')),
    tlv('9F21', timeBytes),
  ];
  const choice = [tlv(TAGS.applicationSelection, DEVICE_CHOOSES), tlv(TAGS.riskStage, RISK_STAGE)];
  const end = tlv('5F2A', currency);
  return {
    kind: 'request',
    contact: encodeTlv([tlv(TEMPLATES.commandData, [...common, ...choice, end])]),
    contactless: encodeTlv([tlv(TEMPLATES.commandData, [...common, end])]),
    amount: amountBytes,
    currency,
    mark: { amount: amountBytes, time: timeBytes },
  };
}
