/** Format of a parameter's value, as the specification's notation has it. */
export type Format =
  /** Any printable characters; bounds count characters (code points). */
  | { readonly kind: 'text'; readonly min: number; readonly max: number }
  /** A pattern the whole value must match. */
  | { readonly kind: 'pattern'; readonly pattern: string }
  /** One of these, case-sensitive. */
  | { readonly kind: 'one-of'; readonly values: readonly string[] }
  /** A whole number between the bounds. */
  | { readonly kind: 'integer'; readonly min: number; readonly max: number };

/** R, O or C of the specification; what makes a C parameter required is a rule of the endpoint. */
export type Required = 'R' | 'O' | 'C';

/** One row of a table of the specification. */
export interface Parameter {
  /** Full name; `[key]` stands for a map key. */
  readonly name: string;
  readonly format: Format;
  /** For a group of parameters (card.*, pos.*), required means: when the group is used at all. */
  readonly required: Required;
  /** Never in a log, an error or an answer. */
  readonly sensitive?: true;
  /** Accepted at the creation of a checkout alone. */
  readonly checkoutOnly?: true;
}

/** A length range of any printable characters. */
export function text(min: number, max: number): Format {
  return { kind: 'text', min, max };
}

/** A value that matches the pattern from its first to its last character. */
export function pattern(source: string): Format {
  return { kind: 'pattern', pattern: `^${source}$` };
}

/** One of the listed values. */
export function oneOf(...values: readonly string[]): Format {
  return { kind: 'one-of', values };
}

/** A number between the bounds. */
export function integer(min: number, max: number): Format {
  return { kind: 'integer', min, max };
}

/** `true` or `false`. */
export const BOOLEAN: Format = oneOf('true', 'false');
/** Amount format of the specification's notation. */
export const AMOUNT: Format = pattern('\\d{1,10}(\\.\\d{2})?');
/** ISO 4217 alpha-3. */
export const CURRENCY: Format = pattern('[A-Z]{3}');
/** Digits, by length. */
export function digits(min: number, max: number): Format {
  return pattern(min === max ? `\\d{${min}}` : `\\d{${min},${max}}`);
}
/** Letters and digits, by length. */
export function alphanumeric(min: number, max: number): Format {
  return pattern(`[A-Za-z0-9]{${min},${max}}`);
}
