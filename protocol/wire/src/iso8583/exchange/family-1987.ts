import { currencyAlpha, currencyNumber } from '../../payment/currency-codes.js';
import type { Money } from '../../payment/money.js';
import { LOCAL_TIME } from '../dialects/dialect-table.js';
import type { Dialect } from '../dialects/dialects.js';
import { Iso8583Error } from '../iso8583-error.js';
import { localTime } from '../local-time.js';
import { readAdditionalAmounts, writeAdditionalAmounts } from './additional-amounts.js';
import {
  type ExchangeMessage,
  type ExchangeTexts,
  type ExchangeTotals,
  type NetworkFunction,
  NO_CURRENCY,
} from './exchange-message.js';
import { COMMON_TEXTS, type EntryModes, type ExchangeValues, type Family, type Fields } from './family.js';
import {
  dayWithYear,
  keyOf,
  made,
  minorDigitsOf,
  minorOf,
  partsOf,
  processingCode,
  transactionOf,
  withYear,
} from './field-values.js';
import { mtiOf, originalTypeOf } from './type-digits.js';

const VERSION = '0';

const TEXTS = {
  ...COMMON_TEXTS,
  18: 'merchantCategory',
  39: 'responseCode',
  120: 'keyBlock',
  121: 'macKsn',
} as const satisfies Readonly<Record<number, keyof ExchangeTexts>>;

/** Tags of field 48. */
const TAGS = {
  '10': 'transactionCategory',
  '11': 'lifecycleId',
  '12': 'purposeCode',
  '21': 'deferred',
  '22': 'detailsLeftOut',
  '40': 'eci',
  '41': 'authenticationValue',
  '42': 'dsTransactionId',
  '43': 'threeDSVersion',
  '44': 'exemption',
  '50': 'standing',
  '51': 'agreementId',
  '52': 'networkTransactionId',
  '60': 'billingStreet',
  '61': 'billingPostcode',
  '62': 'avsResult',
  '70': 'cvv',
  '71': 'cvvResult',
  '90': 'zoneKey',
} as const satisfies Readonly<Record<string, keyof ExchangeTexts>>;
const PARTIAL_TAG = '20';
const YES = '1';
const NET_DIGITS = 16;

/** Fields of the details, one behind the other. */
const DETAIL_FIELDS = [60, 61, 62, 63] as const;

/** Transaction types of field 3. */
const TRANSACTIONS = {
  purchase: '00',
  'cash-back': '09',
  funding: '10',
  refund: '20',
  credit: '26',
} as const;

/** The first two digits of field 22. */
const ENTRY_MODES: EntryModes = {
  keyed: '01',
  magstripe: '90',
  fallback: '80',
  chip: '05',
  'contactless-chip': '07',
  'contactless-magstripe': '91',
  'e-commerce': '81',
  stored: '10',
};
/** Field 25, the condition of the point of service: card and cardholder are present. */
const CONDITION_NORMAL = '00';
const CONDITIONS: Partial<EntryModes> = { 'e-commerce': '59', stored: '08' };
/** Field 26: digits of a PIN that a terminal takes at most (ISO 9564-1). */
const PIN_DIGITS = '12';
/** Third digit of field 22: whether a PIN could be entered. */
const PIN_ENTERED = '1';
const NO_PIN = '2';

const NETWORK: Readonly<Record<NetworkFunction, string>> = {
  'sign-on': '001',
  'sign-off': '002',
  'key-exchange': '161',
  'cut-over': '201',
  echo: '301',
};

/** Days without a year. */
const DATES = [
  [15, 'settlementDate'],
  [17, 'captureDate'],
] as const;

/** Number and sum of each total. */
const TOTALS: readonly (readonly [keyof ExchangeTotals, number: number, sum: number])[] = [
  ['credits', 74, 86],
  ['creditReversals', 75, 87],
  ['debits', 76, 88],
  ['debitReversals', 77, 89],
];

/** Field 66 of the answer to totals, by the response code of the same meaning. */
const SETTLEMENT_CODES: Readonly<Record<string, string>> = { '00': '1', '95': '2' };
const SETTLEMENT_ERROR = '3';
/** Response code of totals that could not be compared. */
const SYSTEM_ERROR = '96';
/** Letter in front of a net amount: debits are more, or credits. */
const NET_SIGNS = { debit: 'D', credit: 'C' } as const;

const NO_FEES = { settlement: '0', transactionFee: 'C0', settlementFee: 'C0' };

function write(dialect: Dialect, message: ExchangeMessage, fields: Fields): void {
  const { at, amount, transaction, entryMode, remaining, original, acceptor, network, totals, net } = message;
  const { details = '' } = message;
  fields[11] = message.stan;
  // A request that came without its time is answered without it.
  if (at !== '') writeTimes(dialect, message, fields);
  if (transaction) fields[3] = processingCode(TRANSACTIONS, transaction);
  if (amount) {
    fields[4] = minorDigitsOf(amount, 4);
    fields[49] = numberOf(amount, 49);
  }
  for (const [field, name] of DATES) if (message[name]) fields[field] = message[name].slice(4);
  if (entryMode) {
    fields[22] = `${ENTRY_MODES[entryMode]}${message.pinBlock ? PIN_ENTERED : NO_PIN}`;
    fields[25] = CONDITIONS[entryMode] ?? CONDITION_NORMAL;
  }
  if (message.pinBlock !== undefined) fields[26] = PIN_DIGITS;
  if (message.additionalAmounts) fields[54] = writeAdditionalAmounts(dialect, message.additionalAmounts);
  if (acceptor) fields[43] = made(dialect, 43, acceptor);
  if (network) fields[70] = NETWORK[network];
  if (original) {
    const mti = mtiOf(VERSION, { ...original.type, isResponse: false, isRepeat: false });
    const { acquirerId = '' } = message;
    fields[90] = made(dialect, 90, {
      mti,
      stan: original.stan,
      transmitted: original.at.slice(4),
      acquirer: acquirerId,
    });
  }
  if (remaining) fields[95] = made(dialect, 95, { ...NO_FEES, transaction: minorDigitsOf(remaining, 95) });
  const tags = tagsOf(message);
  if (Object.keys(tags).length > 0 && hasOurTags(dialect)) fields[48] = made(dialect, 48, tags);
  writeDetails(dialect, details, fields);
  for (const [name, number, sum] of TOTALS) {
    if (!totals) break;
    fields[number] = String(totals[name].number);
    fields[sum] = String(totals[name].minor);
  }
  if (net) writeNet(net, fields);
  if (message.kind === 'reconciliation' && message.responseCode !== undefined)
    fields[66] = SETTLEMENT_CODES[message.responseCode] ?? SETTLEMENT_ERROR;
}

/** Transmission time in UTC; date and time of the transaction as the clocks of the dialect's time zone show it. */
function writeTimes(dialect: Dialect, { at, timeZone = 'UTC' }: ExchangeMessage, fields: Fields): void {
  const local = localTime(at, dialect.timeZone === LOCAL_TIME ? timeZone : dialect.timeZone);
  fields[7] = at.slice(4);
  fields[12] = local.slice(8);
  fields[13] = local.slice(4, 8);
}

/** Fields that are free for details in a dialect: those that it neither fills itself nor leaves out. */
function detailFieldsOf({ never, values, pinValues, repeated }: Dialect): readonly number[] {
  const isFree = (field: number): boolean =>
    !never.has(field) &&
    !repeated.includes(field) &&
    values[field] === undefined &&
    pinValues[field] === undefined;
  return DETAIL_FIELDS.filter(isFree);
}

/** Details in the fields that are free for them, one behind the other; none of them where they have not room for all. */
function writeDetails(dialect: Dialect, details: string, fields: Fields): void {
  const parts: Fields = {};
  let at = 0;
  for (const field of detailFieldsOf(dialect)) {
    const part = details.slice(at, at + (dialect.fields[field]?.maxLength ?? 0));
    if (part !== '') parts[field] = part;
    at += part.length;
  }
  if (at === details.length) Object.assign(fields, parts);
}

function writeNet({ minor, currency }: Money, fields: Fields): void {
  fields[50] = numberOf({ minor, currency }, 50);
  const digits = minorDigitsOf({ minor: Math.abs(minor), currency }, 97, NET_DIGITS);
  fields[97] = `${minor < 0 ? NET_SIGNS.credit : NET_SIGNS.debit}${digits}`;
}

/** Net and currency of totals, and the host's verdict on them where the message has no response code. */
function readSettlement(fields: Readonly<Fields>, values: ExchangeValues): void {
  if (fields[97] !== undefined) {
    const { minor, currency } = moneyOf(fields[97].slice(1), fields[50], 97);
    values.net = { minor: fields[97].startsWith(NET_SIGNS.credit) ? 0 - minor : minor, currency };
  }
  if (fields[66] === undefined || fields[39] !== undefined) return;
  const code = Object.keys(SETTLEMENT_CODES).find((each) => SETTLEMENT_CODES[each] === fields[66]);
  values.responseCode = code ?? SYSTEM_ERROR;
}

function tagsOf(message: ExchangeMessage): Record<string, string> {
  const tags: Record<string, string> = {};
  for (const [tag, name] of Object.entries(TAGS)) {
    const value = message[name];
    if (value !== undefined) tags[tag] = value;
  }
  if (message.partialAllowed) tags[PARTIAL_TAG] = YES;
  return tags;
}

function numberOf({ currency }: Money, field: number): string {
  const number = currencyNumber(currency);
  if (number === undefined) throw new Iso8583Error('badField', field, 'is no currency');
  return number;
}

function read(dialect: Dialect, fields: Readonly<Fields>, nowMs: number): ExchangeValues {
  const values: ExchangeValues = {};
  if (fields[7] !== undefined) values.at = withYear(fields[7], nowMs, 7);
  if (fields[11] !== undefined) values.stan = fields[11];
  if (fields[3] !== undefined) values.transaction = transactionOf(TRANSACTIONS, fields[3]);
  // A host of one currency leaves it out of its answers.
  const currency = fields[49] ?? (fields[39] === undefined ? undefined : NO_CURRENCY);
  if (fields[4] !== undefined) values.amount = moneyOf(fields[4], currency, 4);
  for (const [field, name] of DATES) {
    const day = fields[field];
    if (day !== undefined) values[name] = dayWithYear(day, nowMs, field);
  }
  if (fields[22] !== undefined) values.entryMode = keyOf(ENTRY_MODES, fields[22].slice(0, 2), 22);
  if (fields[54] !== undefined) values.additionalAmounts = readAdditionalAmounts(dialect, fields[54]);
  if (fields[43] !== undefined) values.acceptor = acceptorOf(dialect, fields[43]);
  if (fields[70] !== undefined) values.network = keyOf(NETWORK, fields[70], 70);
  if (fields[90] !== undefined) {
    const { mti = '', stan = '', transmitted = '' } = partsOf(dialect, 90, fields[90]);
    values.original = { type: originalTypeOf(VERSION, mti), stan, at: withYear(transmitted, nowMs, 90) };
  }
  if (fields[95] !== undefined)
    values.remaining = moneyOf(partsOf(dialect, 95, fields[95]).transaction ?? '', currency, 95);
  if (fields[48] !== undefined && hasOurTags(dialect)) readTags(partsOf(dialect, 48, fields[48]), values);
  const details = detailFieldsOf(dialect)
    .map((field) => fields[field] ?? '')
    .join('');
  if (details !== '') values.details = details;
  if (fields[74] !== undefined) values.totals = totalsOf(fields);
  readSettlement(fields, values);
  return values;
}

/** Field 48 holds our tags, unless the acquirer has its own there. */
function hasOurTags({ fields }: Dialect): boolean {
  return fields[48]?.parts !== undefined;
}

function readTags(tags: Readonly<Record<string, string>>, values: ExchangeValues): void {
  for (const [tag, name] of Object.entries(TAGS)) {
    const value = tags[tag];
    if (value !== undefined) values[name] = value;
  }
  if (tags[PARTIAL_TAG] === YES) values.partialAllowed = true;
}

function acceptorOf(dialect: Dialect, value: string): NonNullable<ExchangeValues['acceptor']> {
  const { name = '', city = '', country = '' } = partsOf(dialect, 43, value);
  return { name: name.trimEnd(), city: city.trimEnd(), country };
}

function totalsOf(fields: Readonly<Fields>): ExchangeTotals {
  const entries = TOTALS.map(([name, number, sum]) => [
    name,
    { number: Number(fields[number] ?? 0), minor: minorOf(fields[sum] ?? '0', sum) },
  ]);
  return Object.fromEntries(entries) as ExchangeTotals;
}

function moneyOf(digits: string, number: string | undefined, field: number): Money {
  const currency = number === NO_CURRENCY ? NO_CURRENCY : currencyAlpha(number ?? '?');
  if (currency === undefined) throw new Iso8583Error('badField', field, 'is no amount of a currency');
  return { minor: minorOf(digits, field), currency };
}

/** ISO 8583:1987. */
export const FAMILY_1987: Family = { texts: TEXTS, write, read };
