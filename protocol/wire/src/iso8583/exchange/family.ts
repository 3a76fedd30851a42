import type { Dialect } from '../dialects/dialects.js';
import type {
  ExchangeEntryMode,
  ExchangeMessage,
  ExchangeTexts,
  ExchangeTransaction,
} from './exchange-message.js';

/** Values of fields by their numbers. */
export type Fields = Record<number, string>;

/** Everything of a message except its type. */
export type ExchangeValues = {
  -readonly [Name in keyof Omit<
    ExchangeMessage,
    'kind' | 'isAdvice' | 'isResponse' | 'isRepeat'
  >]?: ExchangeMessage[Name];
};

/** Fields that hold the same value as it is in every version of the standard. */
export const COMMON_TEXTS = {
  2: 'pan',
  14: 'expiry',
  23: 'cardSequence',
  32: 'acquirerId',
  35: 'track2',
  37: 'rrn',
  38: 'approvalCode',
  41: 'terminalId',
  42: 'merchantId',
  52: 'pinBlock',
  55: 'iccData',
} as const satisfies Readonly<Record<number, keyof ExchangeTexts>>;

/** How the versions of the standard that lay out their fields alike carry the values of a message. */
export interface Family {
  /** Fields that hold a value as it is. */
  readonly texts: Readonly<Record<number, keyof ExchangeTexts>>;
  /** Adds the fields of all other values. */
  readonly write: (dialect: Dialect, message: ExchangeMessage, fields: Fields) => void;
  /** Adds the values of all other fields. `nowMs` completes dates without a year. @throws Iso8583Error */
  readonly read: (dialect: Dialect, fields: Readonly<Fields>, nowMs: number) => ExchangeValues;
}

/** Transaction types, the first two digits of field 3. */
export type TransactionTypes = Readonly<Record<ExchangeTransaction, string>>;

/** How the card was read, as a table that a family writes. */
export type EntryModes = Readonly<Record<ExchangeEntryMode, string>>;
