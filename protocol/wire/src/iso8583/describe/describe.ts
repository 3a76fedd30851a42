import { fromHex } from '../../bytes.js';
import { type DescribedNode, describeTlvPartly } from '../../emv/describe.js';
import { bytesHoldPan, holdsPan } from '../../mask/holds-pan.js';
import { maskPan, maskText } from '../../mask/mask.js';
import { DIALECT_NAMES } from '../dialects/dialect-names.js';
import { DIALECTS, type Dialect } from '../dialects/dialects.js';
import type { FieldMask, FieldSpec, PartsSpec } from '../field-spec.js';
import { Iso8583Error } from '../iso8583-error.js';
import { unpackPartly } from '../message.js';
import { describeMti } from '../mti.js';
import { unpackParts } from '../parts/parts.js';
import { fieldRule } from './describe-dialect.js';
import { meaningOf } from './meanings.js';

/** One field or part as a person reads it; sensitive values are masked already. */
interface DescribedField {
  /** Number of the field, `MTI`, or the key of a part. */
  readonly field: string;
  readonly name: string;
  /** Absent where the parts have everything. */
  readonly value?: string;
  readonly meaning?: string;
  /** What the dialect demands of the field; of {@link describeWithRules} alone. */
  readonly rule?: string;
  /** Why its parts cannot be read. */
  readonly fault?: string;
  readonly parts?: readonly DescribedField[];
  /** Data objects of the card. */
  readonly tlv?: readonly DescribedNode[];
}

/** A message as far as it can be read. */
export interface DescribedMessage {
  readonly dialect: string;
  readonly fields: readonly DescribedField[];
  /** Why no more could be read. */
  readonly problem?: string;
}

/**
 * A message with names and meanings, for people. Card numbers show their first six and last four digits, tracks their expiry too, secrets nothing;
 * of a message that is cut short or broken, everything before the mistake.
 */
export function describeMessage(dialect: Dialect, bytes: Uint8Array): DescribedMessage {
  const { message, problem } = unpackPartly(dialect, bytes);
  const meaning = describeMti(message.mti);
  const mti = { field: 'MTI', name: 'message type', value: message.mti, ...(meaning && { meaning }) };
  const fields = Object.entries(message.fields).map(([number, value]) =>
    describeField(dialect, Number(number), value),
  );
  return {
    dialect: dialect.name,
    fields: message.mti === '' ? [] : [mti, ...fields],
    ...(problem && { problem: problem.message }),
  };
}

/** As {@link describeMessage}, with what the dialect demands of each field. */
export function describeWithRules(dialect: Dialect, bytes: Uint8Array): DescribedMessage {
  const { fields, ...described } = describeMessage(dialect, bytes);
  const ruled = fields.map((each) => {
    const rule = fieldRule(dialect, Number(each.field));
    return rule === undefined ? each : { ...each, rule };
  });
  return { ...described, fields: ruled };
}

/** The dialects that can read all of these bytes; the best first. */
export function dialectsOf(bytes: Uint8Array): readonly Dialect[] {
  return DIALECT_NAMES.map((name): Dialect => DIALECTS[name]).filter((dialect) => {
    const { message, problem } = unpackPartly(dialect, bytes);
    return (
      problem === undefined &&
      message.mti.startsWith(dialect.version) &&
      describeMti(message.mti) !== undefined
    );
  });
}

/** The dialect that can read most of bytes that are a message which is cut short or broken; undefined where they begin as none. */
export function brokenDialectOf(bytes: Uint8Array): Dialect | undefined {
  let best: { readonly dialect: Dialect; readonly fields: number } | undefined;
  for (const name of DIALECT_NAMES) {
    const dialect: Dialect = DIALECTS[name];
    const { mti, fields } = unpackPartly(dialect, bytes).message;
    const count = Object.keys(fields).length;
    const isMessage = mti.startsWith(dialect.version) && describeMti(mti) !== undefined;
    if (isMessage && count > (best?.fields ?? 0)) best = { dialect, fields: count };
  }
  return best?.dialect;
}

/** The description as indented lines. */
export function formatMessage({ dialect, fields }: DescribedMessage): string[] {
  return [`dialect ${dialect}`, ...fields.flatMap((field) => formatField(field, ''))];
}

function formatField(described: DescribedField, indent: string): string[] {
  const { field, name, value, meaning, rule, fault, parts = [], tlv = [] } = described;
  const note = meaning === undefined ? '' : ` (${meaning})`;
  return [
    `${indent}${field.padStart(3, ' ')} ${name}${value === undefined ? '' : `: ${value}`}${note}`,
    ...(rule === undefined ? [] : [`${indent}      [${rule}]`]),
    ...(fault === undefined ? [] : [`${indent}      ! ${fault}`]),
    ...parts.flatMap((part) => formatField(part, `${indent}    `)),
    ...tlv.flatMap((node) => formatNode(node, `${indent}    `)),
  ];
}

function formatNode({ tag, name, value, meaning, children }: DescribedNode, indent: string): string[] {
  return [
    `${indent}${tag} ${name}${value === undefined ? '' : `: ${value}`}`,
    ...meaning.map((line) => `${indent}    ${line}`),
    ...children.flatMap((child) => formatNode(child, `${indent}  `)),
  ];
}

function describeField(dialect: Dialect, number: number, value: string): DescribedField {
  const spec = dialect.fields[number];
  const named = { field: String(number), name: spec?.name ?? 'unknown' };
  if (spec === undefined) return named;
  if (spec.parts?.kind === 'ber-tlv') return { ...named, ...describeCardData(value) };
  const meaning = meaningOf(dialect.version, number, value);
  const shown = { ...named, ...(meaning && { meaning }) };
  if (spec.parts === undefined) return { ...shown, value: masked(spec, spec.mask, value) };
  try {
    const parts = Object.entries(unpackParts({ field: number, spec }, value)).map(([key, part]) =>
      describePart(spec.parts as PartsSpec, key, part),
    );
    return { ...shown, ...(isShownWhole(spec) && { value: masked(spec, undefined, value) }), parts };
  } catch (error) {
    if (!(error instanceof Iso8583Error)) throw error;
    // What is no field of these parts may hold anything.
    return { ...shown, value: hidden(value), fault: error.message };
  }
}

function describeCardData(value: string): Pick<DescribedField, 'tlv' | 'fault'> {
  if (!/^(?:[0-9A-Fa-f]{2})*$/.test(value)) return { fault: 'no hex digits' };
  const { nodes, error } = describeTlvPartly(Buffer.from(value, 'hex'));
  return { tlv: nodes, ...(error && { fault: error.message }) };
}

/** Whether a value is shown in addition to its parts: not where parts may be secret, and not as bytes. */
function isShownWhole({ parts, encoding }: FieldSpec): boolean {
  return encoding !== 'binary' && parts?.kind !== 'tagged';
}

function describePart(parts: PartsSpec, key: string, value: string): DescribedField {
  // A part that no table knows may hold anything.
  const spec: Partial<FieldSpec> = partSpec(parts, key) ?? { mask: 'secret' };
  return { field: key, name: spec.name ?? 'unknown', value: masked(spec, spec.mask, value) };
}

function partSpec(parts: PartsSpec, key: string): Partial<FieldSpec> | undefined {
  switch (parts.kind) {
    case 'positions':
      return parts.parts.find((part) => part.key === key);
    case 'groups':
      return parts.parts.find((part) => part.key === key.slice(key.indexOf('.') + 1));
    case 'tagged':
      return parts.tags[key];
    case 'bitmap':
      return parts.fields[Number(key)];
    case 'datasets': {
      const [set = '', bit = ''] = key.split('.');
      return parts.sets[set]?.fields[Number(bit)];
    }
    case 'ber-tlv':
      return undefined;
  }
}

/** Characters of a retrieval reference number. */
const LONGEST_REFERENCE = 12;
/** Stars that stand for a value of which nothing may be shown. */
const MAX_STARS = 16;

function hidden(value: string): string {
  return '*'.repeat(Math.min(value.length, MAX_STARS));
}

function masked(spec: Partial<FieldSpec>, mask: FieldMask | undefined, value: string): string {
  if (mask === 'secret') return hidden(value);
  if (mask === 'pan') return maskPan(value);
  if (mask === 'track') return maskedTrack(value);
  if (spec.encoding === 'binary') return bytesHoldPan(fromHex(value)) ? hidden(value) : value;
  // Amounts, times and references of fixed length are no card numbers, though one in ten looks like one.
  const isFigure =
    spec.lengthDigits === 0 && (spec.content !== undefined || value.length <= LONGEST_REFERENCE);
  const text = isFigure ? value : maskText(value);
  return isFigure || !holdsPan(text) ? text : hidden(value);
}

function maskedTrack(value: string): string {
  const [, pan, expiry = ''] = /^(\d{8,19})[=D](\d{4})/.exec(value) ?? [];
  return pan === undefined
    ? hidden(value)
    : `${maskPan(pan)}=${expiry}${hidden(value.slice(pan.length + 5))}`;
}
