import { type TlvNode, tlv } from '@tillbridge/protocol/emv/tlv.js';
import { currencyNumber } from '@tillbridge/protocol/payment/currency-codes.js';
import type { CallbackAnswer } from '@tillbridge/protocol/terminals/newland/callbacks.js';
import { encodePerform } from '@tillbridge/protocol/terminals/newland/perform.js';
import { ERRORS } from '@tillbridge/protocol/terminals/newland/statuses.js';
import { CALLBACK_FLAGS, CARD_WAYS, KEY_SYSTEMS, TAGS } from '@tillbridge/protocol/terminals/newland/tags.js';
import type { StartRequest, TerminalRisk } from '../core/driver.js';
import { type Failed, failed } from '../core/result.js';
import { KEY_SLOTS } from './device.js';
import { PIN_SECONDS } from './limits.js';

/** Longest amount: tag 9F02 has 12 digits; the floor limit (9F1B) and the threshold have four bytes. */
const MAX_AMOUNT_MINOR = 999_999_999_999;
const MAX_UINT32 = 0xffff_ffff;
/** Tag 9C. */
const TRANSACTION_TYPES: Readonly<Record<StartRequest['kind'], number>> = {
  sale: 0x00,
  preauthorization: 0x00,
  refund: 0x20,
};
const EVERY_WAY = CARD_WAYS.stripe | CARD_WAYS.contact | CARD_WAYS.contactless | CARD_WAYS.manual;
const WANTED = CALLBACK_FLAGS.notification | CALLBACK_FLAGS.afterFinalSelect | CALLBACK_FLAGS.getPin;
/** The settings behind the callbacks as the published host sends them. */
const CALLBACK_SETTINGS = Buffer.of(WANTED, 0x01, 0x00);
/** 0: the cardholder may skip the PIN. */
const PIN_LENGTHS = Buffer.of(0, 4, 5, 6, 7, 8, 9, 10, 11, 12);

/** A sale as the pad wants it. */
export interface TransactionRequest {
  readonly kind: 'request';
  /** The data of PERFORM TRANSACTION. */
  readonly data: Buffer;
  /** Tags 9F02 and 9F21, which the answer must repeat: a late answer is not taken for it. */
  readonly mark: { readonly amount: Buffer; readonly time: Buffer };
}

function bcd(value: number, digits: number): Buffer {
  return Buffer.from(String(value).padStart(digits, '0'), 'hex');
}

function binary(minor: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(Math.min(minor, MAX_UINT32));
  return bytes;
}

/** Builds the data of PERFORM TRANSACTION. */
export function transactionRequest(request: StartRequest): TransactionRequest | Failed {
  const { kind, amount, date, time, transactionSequenceNumber, cardTimeoutMs } = request;
  const number = currencyNumber(amount.currency);
  if (number === undefined) return failed('internal', 'the currency has no ISO 4217 number');
  const { minor } = amount;
  if (!Number.isSafeInteger(minor) || minor < 0 || minor > MAX_AMOUNT_MINOR) {
    return failed('internal', `the amount must be 0 to ${MAX_AMOUNT_MINOR} minor units`);
  }
  const mark = { amount: bcd(minor, 12), time: Buffer.from(time, 'hex') };
  const objects: TlvNode[] = [
    tlv(TAGS.cardWays, Buffer.of(EVERY_WAY)),
    tlv('9F02', mark.amount),
    tlv('9C', Buffer.of(TRANSACTION_TYPES[kind])),
    tlv('9A', Buffer.from(date, 'hex')),
    tlv('9F21', mark.time),
    tlv('5F2A', Buffer.from(number.padStart(4, '0'), 'hex')),
    tlv('9F41', bcd(transactionSequenceNumber % 1e8, 8)),
    ...(kind === 'preauthorization' ? [tlv(TAGS.forceOnline, Buffer.of(1))] : []),
    tlv(TAGS.callbacks, CALLBACK_SETTINGS),
  ];
  const timeoutSeconds = Math.max(1, Math.ceil(cardTimeoutMs / 1_000));
  return { kind: 'request', data: encodePerform({ cardWays: EVERY_WAY, timeoutSeconds, objects }), mark };
}

/** What the pad must know for a PIN; without a PIN key none is asked for. */
export function pinTerms(online: boolean, pinReady: boolean): CallbackAnswer {
  if (online && !pinReady) return { result: ERRORS.skipPin.code, objects: [] };
  const key = [
    tlv(TAGS.pinKeySystem, Buffer.of(KEY_SYSTEMS.dukpt)),
    tlv(TAGS.pinKeySlot, Buffer.of(KEY_SLOTS.pin)),
  ];
  const terms = [tlv(TAGS.pinLengths, PIN_LENGTHS), tlv(TAGS.pinTimeout, Buffer.of(PIN_SECONDS))];
  return { result: 0, objects: [...(online ? key : []), ...terms] };
}

/**
 * Terminal risk management for the application that was chosen. The published host changes other objects of the
 * configuration in the same way; that these may be changed is from public sources incomplete.
 */
export function riskTerms(risk: TerminalRisk): CallbackAnswer {
  const percent = (value: number): Buffer => bcd(Math.min(99, Math.round(value)), 2);
  return {
    result: 0,
    objects: [
      tlv('9F1B', binary(risk.floorLimitMinor)),
      tlv(TAGS.randomThreshold, binary(risk.randomSelectionThresholdMinor)),
      tlv(TAGS.randomMaxPercent, percent(risk.randomSelectionMaxPercent)),
      tlv(TAGS.randomTargetPercent, percent(risk.randomSelectionTargetPercent)),
    ],
  };
}
