import { isPublicId, maskText } from '@tillbridge/wire/mask/mask.js';
import type { Format } from './catalogue/rows/format.js';
import type { Parameter } from './catalogue/rows/parameter.js';
import type { ParameterValues } from './catalogue/sections.js';
import { formatError } from './format-error.js';
import { likelyValue } from './likely-value.js';
import { indexNames, lookUpName, type NameIndex } from './names.js';

/** One entry of result.parameterErrors (docs/rest-api.md). */
export interface ParameterError {
  readonly name: string;
  /** The value as sent; null when absent or sensitive. */
  readonly value: string | null;
  readonly message: string;
}

/** Parameters by name, and everything that is wrong with them. */
export interface Validated {
  /** Values that were sent and keep their format; an empty value counts as absent. */
  readonly values: ParameterValues;
  readonly errors: readonly ParameterError[];
  /** The row of every name in {@link values}. */
  readonly rows: ReadonlyMap<string, Parameter>;
  /** Known names that were sent with something in them, whether their format holds or not. */
  readonly sent: ReadonlySet<string>;
  /** The first part of each of these, `card` of `card.number`: a rule on a group that was not sent has nothing to look at. */
  readonly groups: ReadonlySet<string>;
}

/** Parameters that one request may carry: a full cart of 1001 items with 20 fields each. */
export const MAX_PARAMETERS = 20_100;
/** Errors that one answer lists. */
export const MAX_REPORTED_ERRORS = 500;
/** Unknown names and wrong values of one request for which a near one is looked for. */
const MAX_SUGGESTIONS = 20;
/** Longest name or value shown in an error. */
const MAX_SHOWN = 255;
/** Digits as long as a card number, grouped or not. */
const CARD_LIKE = /(?:\d[ -]?){12,}/;

/** Indices by rows: the rows are constants, so each is indexed once. */
const indices = new WeakMap<readonly Parameter[], NameIndex>();

/**
 * Checks names, formats and repetitions against rows of the catalogue; all errors at once. What is required
 * depends on the endpoint: the rules check it.
 * @param empty what an empty value is where the format does not allow one: an error, or as good as not sent
 */
export function validateParameters(
  sent: readonly (readonly [name: string, value: string])[],
  rows: readonly Parameter[],
  empty: EmptyValues = 'absent',
): Validated {
  if (sent.length > MAX_PARAMETERS) {
    const message = `more than ${MAX_PARAMETERS} parameters`;
    return {
      values: new Map(),
      errors: [{ name: '', value: null, message }],
      rows: new Map(),
      sent: new Set(),
      groups: new Set(),
    };
  }
  const state: State = {
    values: new Map(),
    rows: new Map(),
    sent: new Set(),
    groups: new Set(),
    errors: [],
    empty,
  };
  const names = new Set<string>();
  const index = indexOf(rows);
  for (const [name, value] of sent) {
    if (names.has(name)) state.errors.push(repeated(name));
    else take(name, value, index, state);
    names.add(name);
  }
  const { values, rows: found, sent: known, groups, errors } = state;
  return { values, errors: errors.slice(0, MAX_REPORTED_ERRORS), rows: found, sent: known, groups };
}

interface State {
  readonly values: Map<string, string>;
  readonly rows: Map<string, Parameter>;
  readonly sent: Set<string>;
  readonly groups: Set<string>;
  readonly errors: ParameterError[];
  readonly empty: EmptyValues;
}

/** What becomes of a value without characters whose format demands some. One whose format demands none counts as absent always. */
export type EmptyValues = 'absent' | 'refused';

function take(name: string, value: string, index: NameIndex, state: State): void {
  const { values, rows, sent, errors, empty } = state;
  const lookup = lookUpName(name, index, errors.length < MAX_SUGGESTIONS);
  if (!lookup.found) {
    errors.push({ name: shorten(name), value: null, message: lookup.message });
    return;
  }
  const message = formatError(value, lookup.row.format);
  if (value === '') {
    if (message !== undefined && empty === 'refused')
      errors.push({
        name: shorten(name),
        value: '',
        message: `may not be empty: ${message}, or leave it out`,
      });
    return;
  }
  sent.add(name);
  state.groups.add(lookup.group);
  if (message !== undefined) {
    const { sensitive, format } = lookup.row;
    if (sensitive) errors.push({ name: shorten(name), value: null, message });
    else {
      const likely = errors.length < MAX_SUGGESTIONS ? hint(value, format) : '';
      errors.push({ name: shorten(name), value: shorten(value), message: message + likely });
    }
    return;
  }
  values.set(name, value);
  rows.set(name, lookup.row);
}

/** What a value was likely meant to be. */
function hint(value: string, format: Format): string {
  const likely = likelyValue(value, format);
  return likely === undefined ? '' : `; did you mean ${shorten(likely)}?`;
}

function repeated(name: string): ParameterError {
  return { name: shorten(name), value: null, message: 'must not be given more than once' };
}

/** Names of the required rows; the entity counts among them, because every call with a token names one. */
export function requiredNames(rows: readonly Parameter[]): string[] {
  return rows
    .filter((row) => row.required === 'R' || row.condition === 'known-entity')
    .map((row) => row.name);
}

/** A text as an answer may show it: short, never with half of a surrogate pair, and without a card number in the wrong place. */
export function shorten(value: string): string {
  const text = CARD_LIKE.test(value) && !isPublicId(value) ? maskText(value) : value;
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function indexOf(rows: readonly Parameter[]): NameIndex {
  let index = indices.get(rows);
  if (!index) {
    index = indexNames(rows);
    indices.set(rows, index);
  }
  return index;
}
