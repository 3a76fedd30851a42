import { toHex } from '../../bytes.js';
import { holdsPan } from '../../mask/holds-pan.js';
import { maskText } from '../../mask/mask.js';
import { present } from '../../present.js';
import type { Dialect } from '../dialects/dialects.js';
import { Iso8583Error } from '../iso8583-error.js';
import { type Iso8583Message, packMessage, unpackMessage } from '../message.js';
import { INTAKE_LIMITS } from '../message-intake.js';
import type { ExchangeKind, ExchangeMessage, ExchangeTexts, ExchangeType } from './exchange-message.js';
import type { Family, Fields } from './family.js';
import { FAMILY_1987 } from './family-1987.js';
import { FAMILY_CMF } from './family-cmf.js';
import { mtiOf, typeOf } from './type-digits.js';

/** Transmission date and time of 1987. */
const TIME_FIELD = 7;
const MAC_FIELDS = { first: 64, second: 128 } as const;

function familyOf({ version }: Dialect): Family {
  return version === '2' ? FAMILY_CMF : FAMILY_1987;
}

/**
 * A message as bytes. With `hasMac` its last field is the authentication code, all zeros: {@link putMac} fills it. One that the other side would not
 * take is not written: it would cost the line, and everybody who waits on it.
 * @throws Iso8583Error badField, tooLong
 */
export function packExchange(dialect: Dialect, message: ExchangeMessage, hasMac: boolean): Buffer {
  const family = familyOf(dialect);
  const fields: Fields = {};
  for (const [number, name] of Object.entries(family.texts)) {
    const value = message[name];
    if (value !== undefined) fields[Number(number)] = value;
  }
  family.write(dialect, message, fields);
  if (!message.isResponse) Object.assign(fields, dialect.values);
  if (!message.isResponse && message.pinBlock !== undefined) Object.assign(fields, dialect.pinValues);
  for (const field of dialect.repeated) {
    const value = message.hostData?.[field];
    if (value !== undefined) fields[field] = value;
  }
  for (const field of dialect.never) delete fields[field];
  const [missing] = missingFields(dialect, message, fields);
  // A reversal must reach the host, whatever it lacks by now.
  if (missing !== undefined && message.kind !== 'reversal')
    throw new Iso8583Error('badField', missing, 'is required in this dialect');
  if (hasMac) {
    const isLong = Object.keys(fields).some((field) => Number(field) > MAC_FIELDS.first);
    fields[isLong ? MAC_FIELDS.second : MAC_FIELDS.first] = '00'.repeat(macOctets(dialect));
  }
  const bytes = packMessage(dialect, { mti: mtiOf(dialect.version, message), fields });
  const { maxMessageBytes } = INTAKE_LIMITS;
  if (bytes.length > maxMessageBytes)
    throw new Iso8583Error('tooLong', undefined, `${bytes.length} bytes, at most ${maxMessageBytes}`);
  return bytes;
}

/** Kinds of requests that move money. */
const MONEY: ReadonlySet<ExchangeKind> = new Set(['authorization', 'financial', 'reversal']);

/** Fields that a request for money lacks in this dialect. */
function missingFields(
  { required }: Dialect,
  { kind, isResponse }: Pick<ExchangeMessage, 'kind' | 'isResponse'>,
  fields: Readonly<Fields>,
): readonly number[] {
  return isResponse || !MONEY.has(kind) ? [] : required.filter((field) => fields[field] === undefined);
}

/**
 * Reads a message. Spaces behind texts of fixed length are left out.
 * @param nowMs completes dates without a year
 * @throws Iso8583Error badField (a message type or a value that these parties do not exchange), truncated, trailing, tooLong
 */
export function unpackExchange(dialect: Dialect, bytes: Uint8Array, nowMs: number): ExchangeMessage {
  return exchangeOf(dialect, unpackMessage(dialect, bytes), nowMs);
}

function exchangeOf(dialect: Dialect, { mti, fields: all }: Iso8583Message, nowMs: number): ExchangeMessage {
  const fields = spoken(dialect, all);
  const type = typeOf(dialect.version, mti);
  const family = familyOf(dialect);
  const texts: { -readonly [Name in keyof ExchangeTexts]: string } = {};
  for (const [number, name] of Object.entries(family.texts)) {
    const value = fields[Number(number)];
    if (value !== undefined) texts[name] = value.trimEnd();
  }
  const { stan, at = timeOf(dialect, type), ...values } = family.read(dialect, fields, nowMs);
  if (stan === undefined || at === undefined)
    throw new Iso8583Error('badField', 11, 'is missing, or the time');
  const resultTexts = type.isResponse ? resultTextsOf(dialect, all) : undefined;
  return {
    ...type,
    ...texts,
    ...values,
    ...present({ resultTexts, hostData: hostDataOf(dialect, all) }),
    stan,
    at,
  };
}

/** Fields without those that the dialect never writes: what the other side has there follows no table of ours. */
function spoken({ never }: Dialect, all: Readonly<Fields>): Readonly<Fields> {
  if (never.size === 0) return all;
  return Object.fromEntries(
    Object.entries(all).filter(([field]) => !never.has(Number(field)) || Number(field) === TIME_FIELD),
  );
}

/** Texts of an answer under the names that the dialect gives their fields; what could be a card number is masked. */
function resultTextsOf(
  { resultNames }: Dialect,
  fields: Readonly<Fields>,
): Readonly<Record<string, string>> | undefined {
  const found: Record<string, string> = {};
  for (const [field, name] of Object.entries(resultNames)) {
    const text = maskText(fields[Number(field)]?.trim() ?? '');
    if (text !== '' && !holdsPan(text)) found[name] = text;
  }
  return Object.keys(found).length === 0 ? undefined : found;
}

/** Values of the fields that the dialect repeats. One that could be a card number is none: it is journaled in clear. */
function hostDataOf(
  { repeated }: Dialect,
  fields: Readonly<Fields>,
): Readonly<Record<string, string>> | undefined {
  const found: Record<string, string> = {};
  for (const field of repeated) {
    const value = fields[field]?.trimEnd() ?? '';
    if (value !== '' && !holdsPan(value)) found[field] = value;
  }
  return Object.keys(found).length === 0 ? undefined : found;
}

/** The time of a message without one: none where answers are matched without their time. */
function timeOf({ matchedBy }: Dialect, { isResponse }: ExchangeType): string | undefined {
  return isResponse && !matchedBy.includes(TIME_FIELD) ? '' : undefined;
}

/** A message that ends with an authentication code. */
export interface CodedMessage {
  readonly message: ExchangeMessage;
  /** What the code covers. */
  readonly covered: Buffer;
  /** Undefined where the message has none as its last field. */
  readonly mac: Buffer | undefined;
  /** Fields that the dialect requires, and a request lacks. */
  readonly missing: readonly number[];
}

/** Reads a message, and its code. @throws Iso8583Error as {@link unpackExchange} */
export function unpackCoded(dialect: Dialect, bytes: Buffer, nowMs: number): CodedMessage {
  const unpacked = unpackMessage(dialect, bytes);
  const message = exchangeOf(dialect, unpacked, nowMs);
  const missing = missingFields(dialect, message, unpacked.fields);
  return { message, covered: coveredByMac(dialect, bytes), mac: codeOf(unpacked), missing };
}

/** A message as bytes with zeros for its code, what the code covers, and what writes it. @throws Iso8583Error */
export function packCoded(dialect: Dialect, message: ExchangeMessage) {
  const bytes = packExchange(dialect, message, true);
  const putCode = (mac: Uint8Array): void => putMac(dialect, bytes, mac);
  return { bytes, covered: coveredByMac(dialect, bytes), putCode };
}

/** Bytes of the authentication code of a dialect on the wire. */
export function macBytes(dialect: Dialect): number {
  return macOctets(dialect) * (isHexText(dialect) ? 2 : 1);
}

/** Bytes of the code itself. */
function macOctets(dialect: Dialect): number {
  return dialect.fields[MAC_FIELDS.first]?.maxLength ?? 0;
}

function isHexText(dialect: Dialect): boolean {
  return dialect.fields[MAC_FIELDS.first]?.encoding === 'asciiHex';
}

/** What the authentication code of a message covers: everything before it. It is always the last field. */
export function coveredByMac(dialect: Dialect, bytes: Buffer): Buffer {
  return bytes.subarray(0, Math.max(0, bytes.length - macBytes(dialect)));
}

/** Writes the authentication code, cut to the length of the dialect, over the zeros of a message. */
export function putMac(dialect: Dialect, bytes: Buffer, mac: Uint8Array): void {
  const code = mac.subarray(0, macOctets(dialect));
  bytes.set(isHexText(dialect) ? Buffer.from(toHex(code), 'latin1') : code, bytes.length - macBytes(dialect));
}

/** The authentication code of a message; undefined where it has none as its last field. */
export function macOf(dialect: Dialect, bytes: Uint8Array): Buffer | undefined {
  return codeOf(unpackMessage(dialect, bytes));
}

function codeOf({ fields }: Iso8583Message): Buffer | undefined {
  const last = Object.keys(fields).map(Number).at(-1);
  if (last !== MAC_FIELDS.first && last !== MAC_FIELDS.second) return undefined;
  return Buffer.from(fields[last] ?? '', 'hex');
}
