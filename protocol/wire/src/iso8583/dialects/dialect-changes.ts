import { LAST_FIELD } from '../bitmap.js';
import { FieldCodec } from '../field-codec.js';
import type { FieldSpec, LengthEncoding, MessageSpec } from '../field-spec.js';
import { Iso8583Error } from '../iso8583-error.js';
import { LINE_FORM, type LineForm } from '../line-form.js';
import { isTimeZone } from '../local-time.js';
import { type Dialect, type DialectTable, LOCAL_TIME } from './dialect-table.js';
import { ELEMENT_FORMAT, type ElementRow, fieldOf, type Representation } from './representation.js';

/** How the value of a field is written: `hex` as hex digits of its bytes, which its length counts; `hexText` as hex digits that its length counts. */
export const CHANGED_ENCODINGS = ['ascii', 'ebcdic', 'bcd', 'binary', 'hex', 'hexText'] as const;
type ChangedEncoding = (typeof CHANGED_ENCODINGS)[number];

/** Which nibble of an odd number of BCD digits is filled, with zero or with F. */
export const CHANGED_FILLERS = ['left', 'right', 'leftF', 'rightF'] as const;

/** Whether a field is in messages: `never` is not written, without `required` a request is neither written nor taken. */
export const PRESENCES = ['optional', 'required', 'never'] as const;

/** Requests that have the value of a field. */
export const VALUE_CONDITIONS = ['always', 'pin'] as const;

/** What an acquirer does otherwise with a field than its base dialect. */
export interface FieldChange {
  /** As the standard writes it: `n6`, `ans..25`, `b8`; more dots are more digits of the length: `ans...50`. */
  readonly format?: string;
  readonly length?: LengthEncoding;
  readonly encoding?: ChangedEncoding;
  readonly filler?: (typeof CHANGED_FILLERS)[number];
  readonly presence?: (typeof PRESENCES)[number];
  /** What each request has there. */
  readonly value?: string;
  /** Which requests have the value: `pin` those with a PIN block alone. */
  readonly when?: (typeof VALUE_CONDITIONS)[number];
  /** What an answer has there is sent again by whatever follows it: a host's token. */
  readonly isRepeated?: boolean;
  /** Name under which the gateway shows what an answer has there. */
  readonly resultName?: string;
}

/** What an acquirer does otherwise than its base dialect; all of it is data. */
export interface DialectChanges {
  readonly mti?: 'ascii' | 'bcd' | 'ebcdic';
  readonly bitmap?: 'binary' | 'hex';
  readonly header?: {
    readonly length?: LineForm['length'];
    readonly countsItself?: boolean;
    readonly tpdu?: string;
  };
  readonly timeZone?: string;
  readonly matchedBy?: readonly number[];
  /** By field number. */
  readonly fields?: Readonly<Record<string, FieldChange>>;
}

/** Fields that may tie an answer to its message: transmission time, trace number, retrieval reference number, terminal. */
const MATCHING: ReadonlySet<number> = new Set([7, 11, 37, 41]);
const STAN_FIELD = 11;
/** Fields without which no message is one, or nothing of what it moves is known, by the version of the standard. */
const ALWAYS: Readonly<Record<DialectTable['version'], ReadonlySet<number>>> = {
  0: new Set([3, 4, 11, 39, 49, 64, 70, 128]),
  1: new Set([3, 4, 11, 12, 24, 39, 64, 128]),
  2: new Set([3, 4, 11, 12, 24, 39, 41, 64, 128]),
};
/** Fields that state what a message moves, of whom and when: a constant there would be wrong in all but one. */
const OF_TRANSACTION: ReadonlySet<number> = new Set([
  2, 3, 4, 7, 11, 12, 14, 35, 36, 37, 38, 39, 45, 52, 55, 64, 128,
]);
const OF_1987: ReadonlySet<number> = new Set([13, 49, 70, 90, 95]);
const OF_2003: ReadonlySet<number> = new Set([30, 56]);
/** Bytes of an authentication code: fewer prove nothing (ISO 16609), and no method makes more. */
const CODE_BYTES = { least: 4, most: 16 } as const;
const CODE_FIELDS = [64, 128] as const;
const WITH_CLOCKS = '0';
const FUNCTION_CODE = 24;

/** Fields whose text in an answer may be shown: those that hold no card data, no secrets, and nothing that identifies a message. */
const SHOWN: ReadonlySet<number> = new Set([
  ...[44, 46, 47, 48, 54, 104],
  ...Array.from({ length: 8 }, (_, at) => 56 + at),
  ...Array.from({ length: 8 }, (_, at) => 112 + at),
  ...Array.from({ length: 6 }, (_, at) => 122 + at),
]);
/** Fields that no table of ours fills, where a host may have a token. */
const REPEATABLE: ReadonlySet<number> = new Set([
  ...[46, 47],
  ...Array.from({ length: 7 }, (_, at) => 57 + at),
  ...Array.from({ length: 8 }, (_, at) => 112 + at),
  ...Array.from({ length: 6 }, (_, at) => 122 + at),
]);
/** Key serial number of the authentication code of `cmf`. */
const CMF_KEY_NAME = 124;
const RESULT_NAME = /^[A-Za-z][A-Za-z0-9]{0,39}$/;

/** A change that no dialect can have: where it stands, and the rule. */
export class DialectError extends Error {
  override readonly name = 'DialectError';
  readonly path: readonly string[];

  constructor(path: readonly string[], rule: string) {
    super(rule);
    this.path = path;
  }
}

/** A dialect of a table and what an acquirer does otherwise. @throws DialectError */
export function dialectOf(table: DialectTable, changes: DialectChanges = {}): Dialect {
  const { name, title, version, representation, elements } = table;
  const { mti = table.mtiEncoding, bitmap, timeZone = 'UTC', matchedBy, fields: changed = {} } = changes;
  const fields: Record<number, FieldSpec> = {};
  for (const [number, row] of Object.entries(elements)) fields[Number(number)] = fieldOf(row, representation);
  for (const [number, change] of Object.entries(changed))
    fields[numberOf(number)] = changedField(number, elements[Number(number)], representation, change);
  requireAlikeCodes(fields);
  if (timeZone !== 'UTC' && version !== WITH_CLOCKS)
    throw new DialectError(['timeZone'], `must not be set with ${name}: its field 12 names the message`);
  if (timeZone !== LOCAL_TIME && !isTimeZone(timeZone))
    throw new DialectError(['timeZone'], 'must be a time zone of IANA, such as Europe/Berlin, or local');
  const presences = presencesOf(table, changed, fields);
  return {
    ...{ name, title, version, mtiEncoding: mti, fields, timeZone },
    bitmapEncoding: bitmap === undefined ? table.bitmapEncoding : BITMAPS[bitmap],
    line: lineOf(changes),
    matchedBy: matchedFields(table, matchedBy, changed),
    ...presences,
  };
}

/** Codes are written over the end of a message, in whichever of both fields it is. */
function requireAlikeCodes(fields: Readonly<Record<number, FieldSpec>>): void {
  const [first, second] = CODE_FIELDS.map((number) => fields[number]);
  for (const number of CODE_FIELDS) {
    const { encoding, maxLength = 0, lengthDigits } = fields[number] ?? {};
    const isCode = lengthDigits === 0 && (encoding === 'binary' || encoding === 'asciiHex');
    if (!isCode || maxLength < CODE_BYTES.least || maxLength > CODE_BYTES.most)
      throw new DialectError(
        ['fields', String(number), 'format'],
        `must be b${CODE_BYTES.least} to b${CODE_BYTES.most}: it holds the authentication code`,
      );
  }
  if (first?.encoding !== second?.encoding || first?.maxLength !== second?.maxLength)
    throw new DialectError(
      ['fields', '64'],
      'must be written as field 128: a message has its authentication code in the one or the other',
    );
}

const BITMAPS = { binary: 'binary', hex: 'asciiHex' } as const satisfies Record<
  NonNullable<DialectChanges['bitmap']>,
  MessageSpec['bitmapEncoding']
>;

function numberOf(text: string): number {
  const number = Number(text);
  if (!/^\d{1,3}$/.test(text) || number < 2 || number > LAST_FIELD)
    throw new DialectError(['fields', text], `must be the number of a field, 2 to ${LAST_FIELD}`);
  return number;
}

function lineOf({ header = {} }: DialectChanges): LineForm {
  const { length = LINE_FORM.length, countsItself = false, tpdu = '' } = header;
  if (!/^(?:6\d{9})?$/.test(tpdu))
    throw new DialectError(
      ['header', 'tpdu'],
      'must be ten digits that begin with 6: identifier, destination, source',
    );
  return { length, countsItself, tpdu };
}

function matchedFields(
  { version }: DialectTable,
  wanted: readonly number[] | undefined,
  changed: NonNullable<DialectChanges['fields']>,
): readonly number[] {
  const fields = wanted ?? [7, 11, 41];
  const missing = fields.find((field) => changed[field]?.presence === 'never');
  // The time of the common message format is in field 12.
  if (missing !== undefined && version === WITH_CLOCKS)
    throw new DialectError(['matchedBy'], `must be without ${missing}, which is never in a message`);
  if (wanted === undefined) return fields;
  if (version !== WITH_CLOCKS)
    throw new DialectError(['matchedBy'], 'must not be set with cmf: its field 12 names the message');
  const isRight = wanted.includes(STAN_FIELD) && wanted.every((field) => MATCHING.has(field));
  if (!isRight) throw new DialectError(['matchedBy'], 'must be 11, and any of 7, 37 and 41');
  return wanted;
}

function changedField(
  number: string,
  element: ElementRow | undefined,
  representation: Representation,
  change: FieldChange,
): FieldSpec {
  const { format, length, encoding, filler } = change;
  const fail = (key: string, rule: string): DialectError => new DialectError(['fields', number, key], rule);
  if (!element) throw new DialectError(['fields', number], 'is no field of the base dialect');
  const [name, usual, more = {}] = element;
  const written = format ?? usual;
  const [, attribute = '', dots] = ELEMENT_FORMAT.exec(written) ?? [];
  if (attribute === '')
    throw fail('format', 'must be as the standard writes it, such as n6, ans..25, b8, z..37 or x+n8');
  if (length !== undefined && dots === undefined)
    throw fail('length', `must not be set: ${written} is of fixed length`);
  const isDigits = attribute === 'n' || attribute === 'z' || attribute === 'x+n';
  const allowed: readonly ChangedEncoding[] = isDigits
    ? ['ascii', 'ebcdic', 'bcd']
    : attribute !== 'b'
      ? ['ascii', 'ebcdic']
      : dots === undefined
        ? ['binary', 'hex']
        : ['binary', 'hex', 'hexText'];
  if (encoding !== undefined && !allowed.includes(encoding))
    throw fail('encoding', `must be one of ${allowed.join(', ')} for ${written}`);
  const own = ownRepresentation(representation, change);
  if (filler !== undefined && (!isDigits || own.numeric !== 'bcd'))
    throw fail('filler', 'must not be set: digits alone that are written as BCD are filled');
  const spec = fieldOf([name, written, hasTheirs(change) ? withoutTags(more) : more], own);
  return encoding === 'hex' ? { ...spec, encoding: 'asciiHex' } : spec;
}

/** What an acquirer has in a field that links never write, or write as a constant, is the acquirer's own. */
function hasTheirs({ presence, value }: FieldChange): boolean {
  return presence === 'never' || value !== undefined;
}

/** Tags of a private field are ours: not those of the acquirer. */
function withoutTags(more: NonNullable<ElementRow[2]>): NonNullable<ElementRow[2]> {
  const { parts, ...rest } = more;
  return parts?.kind === 'tagged' ? rest : more;
}

function ownRepresentation(usual: Representation, { length, encoding, filler }: FieldChange): Representation {
  const side = filler?.startsWith('left') ? 'left' : 'right';
  const isText = encoding === 'ascii' || encoding === 'ebcdic';
  return {
    ...usual,
    ...(length && { length }),
    ...(isText && { text: encoding, numeric: encoding }),
    ...(encoding === 'bcd' && { numeric: encoding }),
    ...(encoding === 'hexText' && { variableBinary: 'text' }),
    ...((encoding === 'binary' || encoding === 'hex') && { variableBinary: 'binary' }),
    ...(filler && { filler: { fixed: side, variable: side } }),
    ...(filler?.endsWith('F') && { fillNibble: 0xf }),
  };
}

function presencesOf(
  { name, version }: DialectTable,
  changed: NonNullable<DialectChanges['fields']>,
  fields: Readonly<Record<number, FieldSpec>>,
): Pick<Dialect, 'never' | 'required' | 'values' | 'pinValues' | 'resultNames' | 'repeated'> {
  const never = new Set<number>();
  const required: number[] = [];
  const values: Record<number, string> = {};
  const pinValues: Record<number, string> = {};
  const repeated: number[] = [];
  const resultNames: Record<number, string> = {};
  for (const [number, { presence, value, when, isRepeated, resultName }] of Object.entries(changed)) {
    const field = Number(number);
    const fail = (key: string, rule: string): DialectError => new DialectError(['fields', number, key], rule);
    if (presence === 'never' && ALWAYS[version].has(field))
      throw fail('presence', 'must not be never for this field');
    if (presence === 'never') never.add(field);
    if (presence === 'required') required.push(field);
    if (resultName !== undefined) {
      if (!RESULT_NAME.test(resultName))
        throw fail('resultName', 'must be 1 to 40 letters and digits, a letter first');
      if (!SHOWN.has(field))
        throw fail('resultName', 'must not be set: this field is not for people, or may hold card data');
      resultNames[field] = resultName;
    }
    if (isRepeated) {
      const isKeyName = version !== WITH_CLOCKS && field === CMF_KEY_NAME;
      if (!REPEATABLE.has(field) || isKeyName)
        throw fail('isRepeated', 'must not be set: this field may hold card data, or is ours');
      if (presence === 'never' || value !== undefined)
        throw fail('isRepeated', 'must not be set with a value, or where the presence is never');
      repeated.push(field);
    }
    if (value === undefined && when !== undefined) throw fail('when', 'must not be set without a value');
    if (value === undefined) continue;
    if (presence === 'never') throw fail('value', 'must not be set where the presence is never');
    if (field === FUNCTION_CODE && version !== WITH_CLOCKS)
      throw fail('value', `must not be set: it is the function code of ${name}`);
    if (OF_TRANSACTION.has(field) || (version === WITH_CLOCKS ? OF_1987 : OF_2003).has(field))
      throw fail('value', 'must not be set: each message has its own there');
    checkValue(field, fields[field], value, fail);
    (when === 'pin' ? pinValues : values)[field] = value;
  }
  return { never, required, values, pinValues, resultNames, repeated };
}

function checkValue(
  field: number,
  spec: FieldSpec | undefined,
  value: string,
  fail: (key: string, rule: string) => DialectError,
): void {
  try {
    if (spec)
      new FieldCodec(field, spec).write({ bytes: Buffer.alloc(value.length * 2 + 2_048), at: 0 }, value);
  } catch (error) {
    if (!(error instanceof Iso8583Error)) throw error;
    throw fail('value', `must fit the field: ${error.message}`);
  }
}
