import { type TlvNode, tlv } from '@tillbridge/protocol/emv/tlv.js';
import { currencyNumber } from '@tillbridge/protocol/payment/currency-codes.js';
import { minorDigits } from '@tillbridge/protocol/payment/money.js';
import { encodeContainer } from '@tillbridge/protocol/terminals/verifone/messages.js';
import { TAGS, TRANSACTION_OPTIONS } from '@tillbridge/protocol/terminals/verifone/tags.js';
import type { StartRequest } from '../core/driver.js';
import { type Failed, failed } from '../core/result.js';

/** Longest amount: tag 9F02 has 12 digits. */
const MAX_AMOUNT_MINOR = 999_999_999_999;
/** Tag 9F1B has four bytes. */
const MAX_FLOOR_LIMIT_MINOR = 0xffff_ffff;
/** Tag 9C. */
const TRANSACTION_TYPES: Readonly<Record<StartRequest['kind'], number>> = {
  sale: 0x00,
  preauthorization: 0x00,
  refund: 0x20,
};
const NO = Buffer.of(0x00);
const NO_OPTIONS = Buffer.alloc(4);

/** A sale as SDI wants it. */
export interface TransactionRequest {
  readonly kind: 'request';
  /** CT START TRANSACTION. */
  readonly contact: Buffer;
  /** CT UPDATE TXN TAGS: the floor limit of this transaction. */
  readonly limits: Buffer;
  /** CT CONTINUE OFFLINE. */
  readonly offline: Buffer;
  /** CTLS SETUP TRANSACTION. */
  readonly contactless: Buffer;
  /** Amount and currency, for the display of a PIN entry. */
  readonly display: readonly TlvNode[];
  /** Tag 9F02: an answer that has another belongs to another sale. */
  readonly amount: Buffer;
}

function numeric(value: number | string, digits: number): Buffer {
  return Buffer.from(String(value).padStart(digits, '0'), 'hex');
}

/** Builds the commands' data, in the order of the published traces. */
export function transactionRequest(request: StartRequest): TransactionRequest | Failed {
  const { kind, amount, date, time, transactionSequenceNumber, risk } = request;
  const currency = currencyNumber(amount.currency);
  if (currency === undefined) return failed('internal', 'the currency has no ISO 4217 number');
  const { minor } = amount;
  if (!Number.isSafeInteger(minor) || minor < 0 || minor > MAX_AMOUNT_MINOR) {
    return failed('internal', `the amount must be 0 to ${MAX_AMOUNT_MINOR} minor units`);
  }
  const amountBytes = numeric(minor, 12);
  const display = [tlv('9F02', amountBytes), tlv('5F2A', numeric(currency, 4))];
  const common = [
    tlv('9C', Buffer.of(TRANSACTION_TYPES[kind])),
    ...display,
    tlv('5F36', Buffer.of(minorDigits(amount.currency))),
    tlv('9A', Buffer.from(date, 'hex')),
    tlv('9F21', Buffer.from(time, 'hex')),
  ];
  const sequence = tlv('9F41', numeric(transactionSequenceNumber, 8));
  const options = tlv(TAGS.transactionOptions, TRANSACTION_OPTIONS);
  return {
    kind: 'request',
    contact: encodeContainer([
      ...common,
      sequence,
      options,
      tlv(TAGS.forceOnline, NO),
      tlv(TAGS.forceAcceptance, NO),
    ]),
    limits: encodeContainer([
      tlv(TAGS.updateOptions, NO_OPTIONS),
      tlv(TAGS.updateObjects, floorLimit(risk.floorLimitMinor)),
    ]),
    offline: encodeContainer([sequence, options]),
    contactless: encodeContainer([...common, sequence, tlv(TAGS.forceOnline, NO)]),
    display,
    amount: amountBytes,
  };
}

/** Tag 9F1B: binary. The rest of the risk management stays as the device is configured. */
function floorLimit(minor: number): Buffer {
  const value = Buffer.alloc(4);
  value.writeUInt32BE(Math.max(0, Math.min(MAX_FLOOR_LIMIT_MINOR, Math.trunc(minor))));
  return Buffer.concat([Buffer.from('9F1B04', 'hex'), value]);
}
