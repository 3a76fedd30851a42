import { TerminalFormatError } from '../format-error.js';
import {
  FIELDS,
  type FieldFormat,
  type FieldName,
  type FieldNameOf,
  type FieldSpec,
  type FieldValue,
} from './fields.js';
import type { Parameter } from './parameters.js';

/** Values by field name; text of fixed width is padded by its format (ABECS 2.12 §1.3). */
export type FieldValues = { readonly [N in FieldName]?: FieldValue<N> };

const TEXT_RULES: Readonly<Record<'A' | 'S' | 'N', { readonly pattern: RegExp; readonly rule: string }>> = {
  A: { pattern: /^[\x20-\x7e]*$/, rule: 'must be ASCII text' },
  // Carriage return breaks lines on the display (§3.1.3.1, SPE_DSPMSG).
  S: { pattern: /^[\x20-\xff\r]*$/, rule: 'must be ISO 8859-1 text' },
  N: { pattern: /^\d*$/, rule: 'must be decimal digits' },
};

function checkLength(name: string, spec: FieldSpec, length: number): void {
  const fits = spec.variable ? length <= spec.length : length === spec.length;
  if (!fits) {
    throw new TerminalFormatError(
      name,
      `${length} bytes, ${spec.variable ? 'at most' : 'exactly'} ${spec.length}`,
    );
  }
}

function checkText(name: string, format: 'A' | 'S' | 'N', text: string): void {
  const { pattern, rule } = TEXT_RULES[format];
  if (!pattern.test(text)) throw new TerminalFormatError(name, rule);
}

function encodeText(name: string, spec: FieldSpec, format: 'A' | 'S' | 'N', text: string): Buffer {
  checkText(name, format, text);
  const padded = spec.variable
    ? text
    : format === 'N'
      ? text.padStart(spec.length, '0')
      : text.padEnd(spec.length, ' ');
  return Buffer.from(padded, 'latin1');
}

function encodeNumber(name: string, spec: FieldSpec, value: number): Buffer {
  if (!Number.isInteger(value) || value < 0 || value >= 2 ** (8 * spec.length)) {
    throw new TerminalFormatError(name, `must be an integer that fits ${spec.length} bytes`);
  }
  const out = Buffer.alloc(spec.length);
  out.writeUIntBE(value, 0, spec.length);
  return out;
}

function encodeValue(name: string, spec: FieldSpec, value: string | number | Uint8Array): Buffer {
  if (typeof value === 'number') return encodeNumber(name, spec, value);
  if (typeof value === 'string') return encodeText(name, spec, spec.format as 'A' | 'S' | 'N', value);
  return Buffer.from(value);
}

/** One parameter of a named field. @throws TerminalFormatError naming the field */
export function field<N extends FieldName>(name: N, value: FieldValue<N>): Parameter {
  const spec: FieldSpec = FIELDS[name];
  const encoded = encodeValue(name, spec, value);
  checkLength(name, spec, encoded.length);
  return { id: spec.id, value: encoded };
}

/** Parameters of named values, in the order given. @throws TerminalFormatError naming the field */
export function fields(values: FieldValues): Parameter[] {
  const parameters: Parameter[] = [];
  for (const name of Object.keys(values) as FieldName[]) {
    const value = values[name];
    if (value !== undefined) parameters.push(field(name, value as FieldValue<typeof name>));
  }
  return parameters;
}

/** Typed access to received parameters. A repeated id counts once, the first (ABECS 2.12 §6.2.2). */
export class FieldReader {
  private readonly values = new Map<number, Uint8Array>();
  private readonly parameters: readonly Parameter[];

  constructor(parameters: readonly Parameter[]) {
    this.parameters = parameters;
    for (const { id, value } of parameters) if (!this.values.has(id)) this.values.set(id, value);
  }

  /** True when the field was sent, also empty. */
  has(name: FieldName): boolean {
    return this.values.has(FIELDS[name].id);
  }

  /** Text of a field of format A, S or N. @throws TerminalFormatError when it breaks its format */
  text(name: FieldNameOf<string>): string | undefined {
    const value = this.checked(name);
    if (!value) return undefined;
    const text = Buffer.from(value).toString('latin1');
    checkText(name, FIELDS[name].format as Exclude<FieldFormat, 'X' | 'B'>, text);
    return text;
  }

  /** The texts of a field that may be sent several times. @throws TerminalFormatError when one breaks its format */
  texts(name: FieldNameOf<string>): readonly string[] {
    const own = this.parameters.filter(({ id }) => id === FIELDS[name].id);
    return own.map((parameter) => new FieldReader([parameter]).text(name) ?? '');
  }

  /** Number of a field of format X. @throws TerminalFormatError when it breaks its format */
  number(name: FieldNameOf<number>): number | undefined {
    const value = this.checked(name);
    return value && Buffer.from(value).readUIntBE(0, value.length);
  }

  /** Bytes of a field of format B. @throws TerminalFormatError when it breaks its length */
  bytes(name: FieldNameOf<Uint8Array>): Buffer | undefined {
    const value = this.checked(name);
    return value && Buffer.from(value);
  }

  /** Bytes of any id, such as a member of a family; unchecked. */
  raw(id: number): Buffer | undefined {
    const value = this.values.get(id);
    return value && Buffer.from(value);
  }

  private checked(name: FieldName): Uint8Array | undefined {
    const value = this.values.get(FIELDS[name].id);
    if (value) checkLength(name, FIELDS[name], value.length);
    return value;
  }
}
