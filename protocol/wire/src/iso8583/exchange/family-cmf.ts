import { currencyAlpha, currencyNumber } from '../../payment/currency-codes.js';
import { minorDigits } from '../../payment/minor-digits.js';
import type { Money } from '../../payment/money.js';
import type { Dialect } from '../dialects/dialects.js';
import { Iso8583Error } from '../iso8583-error.js';
import type { Parts } from '../parts/reading.js';
import { readAdditionalAmounts, writeAdditionalAmounts } from './additional-amounts.js';
import {
  type ExchangeMessage,
  type ExchangeOriginal,
  type ExchangeTexts,
  type ExchangeTotals,
  type NetworkFunction,
  netOf,
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
} from './field-values.js';
import { cmfCodeOf, responseCodeOf } from './result-codes-cmf.js';
import { mtiOf, originalTypeOf } from './type-digits.js';

const VERSION = '2';

const TEXTS = {
  ...COMMON_TEXTS,
  15: 'settlementDate',
  25: 'reasonCode',
  26: 'merchantCategory',
  53: 'zoneKey',
  124: 'macKsn',
} as const satisfies Readonly<Record<number, keyof ExchangeTexts>>;

/** Parts of the data sets of fields 34 and 49 that hold a text as it is. */
const DATASET_TEXTS: Readonly<Record<number, Readonly<Record<string, keyof ExchangeTexts>>>> = {
  34: { '73.8': 'threeDSVersion', '73.18': 'dsTransactionId' },
  49: {
    '71.3': 'billingStreet',
    '72.2': 'avsResult',
  },
};
/** The proof of authentication where it is 20 bytes, and one of any other length. */
const AUTHENTICATION_VALUE = '73.6';
const AUTHENTICATION_VALUE_BYTES = 20;
const AUTHENTICATION_CODE = '73.7';
const CVV = '71.2';
const POSTCODE = '71.4';
/** Longer postcodes are cut: issuers compare their beginning. */
const POSTCODE_LENGTH = 10;
const CVV_RESULT = '72.3';

/** Members of field 48 of ours, a form. */
const PRIVATE = [
  'eci',
  'agreementId',
  'networkTransactionId',
] as const satisfies readonly (keyof ExchangeTexts)[];

/** Members of field 104 of ours, a form; what has no member here stands in the details. */
const SPECIFIC = [
  'exemption',
  'standing',
  'deferred',
  'transactionCategory',
  'lifecycleId',
  'purposeCode',
  'details',
  'detailsLeftOut',
] as const satisfies readonly (keyof ExchangeTexts)[];

/** Bits of the four words of field 22, as jPOS numbers them: from the lowest bit of the first byte. */
const READING = { contactless: 1, keyed: 2, magstripe: 4, chip: 5, onFile: 6, chipFailed: 11, fallback: 13 };
const VERIFICATION = { unknown: 0, onlinePin: 3 };
const ENVIRONMENT = { attended: 1, eCommerce: 4, storedDetails: 7 };
const SECURITY = { unknown: 0 };
const WORD_BYTES = 4;
const WORD_DIGITS = 2 * WORD_BYTES;

/** A word with these bits, its lowest byte first, in hex. */
function word(...bits: readonly number[]): string {
  const bytes = Buffer.alloc(WORD_BYTES);
  bytes.writeUInt32LE(bits.reduce((sum, bit) => sum + 2 ** bit, 0));
  return bytes.toString('hex').toUpperCase();
}

/** How the card was read and where: the first and the third word of field 22. */
const READ_AT: EntryModes = {
  keyed: word(READING.keyed) + word(ENVIRONMENT.attended),
  magstripe: word(READING.magstripe) + word(ENVIRONMENT.attended),
  fallback: word(READING.magstripe, READING.chipFailed, READING.fallback) + word(ENVIRONMENT.attended),
  chip: word(READING.chip) + word(ENVIRONMENT.attended),
  'contactless-chip': word(READING.contactless, READING.chip) + word(ENVIRONMENT.attended),
  'contactless-magstripe': word(READING.contactless, READING.magstripe) + word(ENVIRONMENT.attended),
  'e-commerce': word(READING.keyed) + word(ENVIRONMENT.eCommerce),
  stored: word(READING.onFile) + word(ENVIRONMENT.storedDetails),
};

/** Transaction types of field 3. */
const TRANSACTIONS = {
  purchase: '00',
  'cash-back': '09',
  funding: '10',
  refund: '20',
  credit: '21',
} as const;

const FUNCTIONS: Readonly<Record<NetworkFunction, string>> = {
  'sign-on': '801',
  'sign-off': '802',
  'key-exchange': '811',
  'cut-over': '821',
  echo: '831',
};
const ORIGINAL_AUTHORIZATION = '100';
const PARTIAL_AUTHORIZATION = '181';
const ORIGINAL_FINANCIAL = '200';
const PARTIAL_FINANCIAL = '281';
const INCREMENT = '187';
const COMPLETION_OF_SAME_AMOUNT = '201';
const COMPLETION_OF_OTHER_AMOUNT = '202';
const FULL_REVERSAL = '400';
const PARTIAL_REVERSAL = '401';
const FINAL_RECONCILIATION = '500';
const NET_DIGITS = 17;
const STAN_DIGITS = 6;
const STAN_WIDTH = 12;

function functionOf(message: ExchangeMessage): string | undefined {
  const { kind, network, partialAllowed, remaining, original } = message;
  if (network) return FUNCTIONS[network];
  if (kind === 'reversal') return remaining ? PARTIAL_REVERSAL : FULL_REVERSAL;
  if (kind === 'reconciliation') return FINAL_RECONCILIATION;
  if (kind === 'authorization' && original) return INCREMENT;
  if (kind === 'authorization') return partialAllowed ? PARTIAL_AUTHORIZATION : ORIGINAL_AUTHORIZATION;
  if (original?.type.kind === 'authorization') return completionOf(message, original);
  if (kind === 'financial') return partialAllowed ? PARTIAL_FINANCIAL : ORIGINAL_FINANCIAL;
  return undefined;
}

function completionOf({ amount }: ExchangeMessage, original: ExchangeOriginal): string {
  return amount?.minor === original.amount?.minor ? COMPLETION_OF_SAME_AMOUNT : COMPLETION_OF_OTHER_AMOUNT;
}

function write(dialect: Dialect, message: ExchangeMessage, fields: Fields): void {
  const { at, amount, transaction, entryMode, remaining, original, acceptor, totals, net } = message;
  fields[7] = at.slice(4);
  fields[11] = message.stan.padStart(STAN_WIDTH, '0');
  fields[12] = at;
  if (transaction) fields[3] = processingCode(TRANSACTIONS, transaction);
  if (amount) fields[4] = amountText(amount, 4);
  const task = message.isResponse ? undefined : functionOf(message);
  if (task) fields[24] = task;
  else if (message.network) fields[24] = FUNCTIONS[message.network];
  if (entryMode) fields[22] = made(dialect, 22, pointOfService(entryMode, message.pinBlock !== undefined));
  if (message.responseCode !== undefined) fields[39] = cmfCodeOf(message.responseCode);
  if (message.additionalAmounts) fields[54] = writeAdditionalAmounts(dialect, message.additionalAmounts);
  if (acceptor) {
    const country = acceptor.country.padEnd(3, ' ');
    fields[43] = made(dialect, 43, { '2': acceptor.name, '4': acceptor.city, '7': country });
  }
  if (remaining)
    fields[30] = made(dialect, 30, { transaction: amountText(remaining, 30), reconciliation: '0' });
  if (original)
    fields[56] = made(dialect, 56, {
      mti: mtiOf(VERSION, { ...original.type, isResponse: false, isRepeat: false }),
      stan: original.stan.padStart(STAN_WIDTH, '0'),
      local: original.at,
      acquirer: message.acquirerId ?? '',
    });
  if (message.keyBlock !== undefined) fields[96] = Buffer.from(message.keyBlock, 'latin1').toString('hex');
  const own = formOf(PRIVATE, message);
  if (own.size > 0) fields[48] = String(own);
  for (const field of [34, 49]) {
    const parts = datasetParts(field, message);
    if (Object.keys(parts).length > 0) fields[field] = made(dialect, field, parts);
  }
  const specific = formOf(SPECIFIC, message);
  if (specific.size > 0) fields[104] = Buffer.from(String(specific)).toString('hex');
  if (message.captureDate) fields[17] = message.captureDate.slice(4);
  if (totals) fields[74] = made(dialect, 74, totalParts(totals));
  // It has no sign: the totals show the direction.
  if (net) fields[97] = amountText({ ...net, minor: Math.abs(net.minor) }, 97, NET_DIGITS);
}

function pointOfService(entryMode: keyof EntryModes, hasPin: boolean): Parts {
  const words = READ_AT[entryMode];
  return {
    reading: words.slice(0, WORD_DIGITS),
    verification: word(hasPin ? VERIFICATION.onlinePin : VERIFICATION.unknown),
    environment: words.slice(WORD_DIGITS),
    security: word(SECURITY.unknown),
  };
}

function datasetParts(field: number, message: ExchangeMessage): Parts {
  const parts: Record<string, string> = {};
  for (const [key, name] of Object.entries(DATASET_TEXTS[field] ?? {})) {
    const value = message[name];
    if (value !== undefined) parts[key] = value;
  }
  const { authenticationValue, cvv, cvvResult, billingPostcode } = message;
  if (field === 34 && authenticationValue !== undefined)
    Object.assign(parts, proofParts(authenticationValue));
  if (field === 49 && cvv !== undefined) parts[CVV] = cvv;
  if (field === 49 && cvvResult !== undefined) parts[CVV_RESULT] = cvvResult;
  if (field === 49 && billingPostcode !== undefined)
    parts[POSTCODE] = billingPostcode.slice(0, POSTCODE_LENGTH);
  return parts;
}

/** A proof of authentication as bytes where it is base64 of so many, else as the text that it is. */
function proofParts(proof: string): Parts {
  const bytes = Buffer.from(proof, 'base64');
  return bytes.length === AUTHENTICATION_VALUE_BYTES && bytes.toString('base64') === proof
    ? { [AUTHENTICATION_VALUE]: bytes.toString('hex').toUpperCase() }
    : { [AUTHENTICATION_CODE]: proof };
}

/** Values of a message as a form. */
function formOf(names: readonly (keyof ExchangeTexts)[], message: ExchangeMessage): URLSearchParams {
  const form = new URLSearchParams();
  for (const name of names) if (message[name] !== undefined) form.set(name, message[name]);
  return form;
}

function readForm(names: readonly (keyof ExchangeTexts)[], text: string, values: ExchangeValues): void {
  const form = new URLSearchParams(text);
  for (const name of names) {
    const value = form.get(name);
    if (value !== null) values[name] = value;
  }
}

function read(dialect: Dialect, fields: Readonly<Fields>, nowMs: number): ExchangeValues {
  const values: ExchangeValues = {};
  if (fields[12] !== undefined) values.at = fields[12];
  if (fields[11] !== undefined) values.stan = fields[11].slice(-STAN_DIGITS);
  if (fields[3] !== undefined) values.transaction = transactionOf(TRANSACTIONS, fields[3]);
  if (fields[4] !== undefined) values.amount = moneyOf(fields[4], 4);
  if (fields[22] !== undefined) {
    const { reading = '', environment = '' } = partsOf(dialect, 22, fields[22]);
    values.entryMode = keyOf(READ_AT, reading + environment, 22);
  }
  if (fields[24] !== undefined) readFunction(fields[24], values);
  if (fields[39] !== undefined) values.responseCode = responseCodeOf(fields[39]);
  if (fields[54] !== undefined) values.additionalAmounts = readAdditionalAmounts(dialect, fields[54]);
  if (fields[43] !== undefined) values.acceptor = acceptorOf(dialect, fields[43]);
  if (fields[30] !== undefined)
    values.remaining = moneyOf(partsOf(dialect, 30, fields[30]).transaction ?? '', 30);
  if (fields[56] !== undefined) {
    const { mti = '', stan = '', local = '' } = partsOf(dialect, 56, fields[56]);
    values.original = { type: originalTypeOf(VERSION, mti), stan: stan.slice(-STAN_DIGITS), at: local };
  }
  if (fields[96] !== undefined) values.keyBlock = Buffer.from(fields[96], 'hex').toString('latin1');
  if (fields[48] !== undefined) readForm(PRIVATE, fields[48], values);
  for (const field of [34, 49]) {
    const value = fields[field];
    if (value !== undefined) readDataset(field, partsOf(dialect, field, value), values);
  }
  if (fields[104] !== undefined)
    readForm(SPECIFIC, Buffer.from(fields[104], 'hex').toString('latin1'), values);
  if (fields[17] !== undefined) values.captureDate = dayWithYear(fields[17], nowMs, 17);
  if (fields[74] !== undefined) values.totals = totalsOf(partsOf(dialect, 74, fields[74]));
  if (fields[97] !== undefined) {
    const { minor, currency } = moneyOf(fields[97], 97);
    values.net = { minor: values.totals && netOf(values.totals) < 0 ? 0 - minor : minor, currency };
  }
  return values;
}

function readFunction(task: string, values: ExchangeValues): void {
  const network = (Object.keys(FUNCTIONS) as NetworkFunction[]).find((name) => FUNCTIONS[name] === task);
  if (network) values.network = network;
  if (task === PARTIAL_AUTHORIZATION || task === PARTIAL_FINANCIAL) values.partialAllowed = true;
}

function readDataset(field: number, parts: Parts, values: ExchangeValues): void {
  for (const [key, name] of Object.entries(DATASET_TEXTS[field] ?? {})) {
    const value = parts[key];
    if (value !== undefined) values[name] = value.trimEnd();
  }
  const proof = parts[AUTHENTICATION_VALUE];
  if (proof !== undefined) values.authenticationValue = Buffer.from(proof, 'hex').toString('base64');
  const code = parts[AUTHENTICATION_CODE];
  if (code !== undefined) values.authenticationValue = code;
  const postcode = parts[POSTCODE];
  if (postcode !== undefined) values.billingPostcode = postcode.trimEnd();
  const cvv = parts[CVV];
  // Four digits with a zero in front of three.
  if (cvv !== undefined) values.cvv = cvv.startsWith('0') ? cvv.slice(1) : cvv;
  const result = parts[CVV_RESULT];
  if (result !== undefined) values.cvvResult = result.trimEnd();
}

function acceptorOf(dialect: Dialect, value: string): NonNullable<ExchangeValues['acceptor']> {
  const { 2: name = '', 4: city = '', 7: country = '' } = partsOf(dialect, 43, value);
  return { name, city, country: country.trimEnd() };
}

const TOTAL_KEYS: readonly (readonly [keyof ExchangeTotals, string])[] = [
  ['credits', 'credits'],
  ['creditReversals', 'credits.reversal'],
  ['debits', 'debits'],
  ['debitReversals', 'debits.reversal'],
];

function totalParts(totals: ExchangeTotals): Parts {
  const none = ['credits.chargeback', 'debits.chargeback'].flatMap((key) => [
    [`${key}.amount`, '0'],
    [`${key}.number`, '0'],
  ]);
  const some = TOTAL_KEYS.flatMap(([name, key]) => [
    [`${key}.amount`, String(totals[name].minor)],
    [`${key}.number`, String(totals[name].number)],
  ]);
  return Object.fromEntries([...none, ...some]);
}

function totalsOf(parts: Parts): ExchangeTotals {
  const entries = TOTAL_KEYS.map(([name, key]) => [
    name,
    { number: Number(parts[`${key}.number`] ?? 0), minor: minorOf(parts[`${key}.amount`] ?? '0', 74) },
  ]);
  return Object.fromEntries(entries) as ExchangeTotals;
}

function amountText(money: Money, field: number, digits?: number): string {
  const number = currencyNumber(money.currency);
  if (number === undefined) throw new Iso8583Error('badField', field, 'is no currency');
  return `${number}${minorDigits(money.currency)}${minorDigitsOf(money, field, digits)}`;
}

function moneyOf(text: string, field: number): Money {
  const currency = currencyAlpha(text.slice(0, 3));
  if (currency === undefined || Number(text[3]) !== minorDigits(currency))
    throw new Iso8583Error('badField', field, 'is no amount of a currency');
  return { minor: minorOf(text.slice(4), field), currency };
}

/** The jPOS common message format, which follows ISO 8583:2003. */
export const FAMILY_CMF: Family = { texts: TEXTS, write, read };
