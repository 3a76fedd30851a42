import type { Parameter } from './catalogue/parameter.js';
import { formatError } from './format-error.js';
import { indexNames, lookUpName, type NameIndex } from './names.js';

export { formatError } from './format-error.js';

/** One entry of result.parameterErrors (reference §4). */
export interface ParameterError {
  readonly name: string;
  /** The value as sent; null when absent or sensitive. */
  readonly value: string | null;
  readonly message: string;
}

/** Parameters by name, and everything that is wrong with them. */
export interface Validated {
  /** Values that were sent and keep their format; an empty value counts as absent. */
  readonly values: ReadonlyMap<string, string>;
  readonly errors: readonly ParameterError[];
}

/** Parameters that one request may carry: a full cart of 1001 items with 20 fields each. */
export const MAX_PARAMETERS = 20_100;
/** Errors that one answer lists. */
export const MAX_REPORTED_ERRORS = 500;
/** Unknown names of one request for which a near one is looked for. */
const MAX_SUGGESTIONS = 20;
/** Longest name or value shown in an error. */
const MAX_SHOWN = 255;

/** Indices by rows: the rows are constants, so each is indexed once. */
const indices = new WeakMap<readonly Parameter[], NameIndex>();

/**
 * Checks names, formats and repetitions against rows of the catalogue; all errors at once. Whether what is required is there is
 * asked separately, with {@link missingParameters}, because it depends on the endpoint.
 */
export function validateParameters(
  sent: readonly (readonly [name: string, value: string])[],
  rows: readonly Parameter[],
): Validated {
  if (sent.length > MAX_PARAMETERS) {
    const message = `more than ${MAX_PARAMETERS} parameters`;
    return { values: new Map(), errors: [{ name: '', value: null, message }] };
  }
  const index = indexOf(rows);
  const values = new Map<string, string>();
  const errors: ParameterError[] = [];
  const seen = new Set<string>();
  for (const [name, value] of sent) {
    const suggest = errors.length < MAX_SUGGESTIONS;
    const error = seen.has(name) ? repeated(name) : parameterError(name, value, index, suggest);
    seen.add(name);
    if (error) errors.push(error);
    else if (value !== '') values.set(name, value);
  }
  return { values, errors: errors.slice(0, MAX_REPORTED_ERRORS) };
}

function parameterError(
  name: string,
  value: string,
  index: NameIndex,
  suggest: boolean,
): ParameterError | undefined {
  const lookup = lookUpName(name, index, suggest);
  if (!lookup.found) return { name: shorten(name), value: null, message: lookup.message };
  if (value === '') return undefined;
  const message = formatError(value, lookup.row.format);
  return message === undefined
    ? undefined
    : { name, value: lookup.row.sensitive ? null : shorten(value), message };
}

function repeated(name: string): ParameterError {
  return { name: shorten(name), value: null, message: 'must not be given more than once' };
}

/** An error for every named parameter that was not sent (one sent in a wrong format has its error already). */
export function missingParameters(
  required: readonly string[],
  { values, errors }: Validated,
): ParameterError[] {
  return required
    .filter((name) => !values.has(name) && !errors.some((error) => error.name === name))
    .map((name) => ({ name, value: null, message: 'may not be empty' }));
}

/** Names of the required rows; the entity counts among them, because every call with a token names one. */
export function requiredNames(rows: readonly Parameter[]): string[] {
  return rows
    .filter((row) => row.required === 'R' || row.condition === 'known-entity')
    .map((row) => row.name);
}

/** A text short enough for an answer; never half of a surrogate pair. */
export function shorten(value: string): string {
  const shown =
    value.length <= MAX_SHOWN ? value : `${value.slice(0, MAX_SHOWN).replace(/[\uD800-\uDBFF]$/, '')}…`;
  return shown;
}

function indexOf(rows: readonly Parameter[]): NameIndex {
  let index = indices.get(rows);
  if (!index) {
    index = indexNames(rows);
    indices.set(rows, index);
  }
  return index;
}
