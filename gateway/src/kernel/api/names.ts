import { editDistance } from '@tillbridge/wire/text/edit-distance.js';
import type { Parameter } from './catalogue/rows/parameter.js';
import { SCHEME_KEYS } from './catalogue/three-d-secure.js';
import { formatError } from './format-error.js';

/** Highest index of a list (cart.items[n]; the same for the lists without a limit of their own). */
export const MAX_INDEX = 1_000;
/** Longest name that is looked at; the longest of the catalogue have half of it. */
export const MAX_NAME_LENGTH = 160;
/** Longest name for which a near one is looked for. */
const MAX_NEAR_LENGTH = 80;

const PLACEHOLDER = /\[(n|key)\]/;

/** Where a name leads. */
type NameLookup =
  /** A row, and what stands in the brackets: indices, or a key. */
  | {
      readonly found: true;
      readonly row: Parameter;
      /** {@link groupOf} the name. */
      readonly group: string;
      readonly indices: readonly number[];
      readonly key?: string;
    }
  /** No row; the message has the reason and a name that may have been meant. */
  | { readonly found: false; readonly message: string };

/** The first part of a name, `cart` of `cart.items[3].name`; a name without parts is its own. */
export function groupOf(name: string): string {
  const end = name.search(/[.[]/);
  return end < 0 ? name : name.slice(0, end);
}

/** Rows by what their names look like. */
export interface NameIndex {
  /** Rows whose name is one name, as they are found: most of a request is found here. */
  readonly literal: ReadonlyMap<string, NameLookup>;
  /** Rows by name pattern. */
  readonly rows: ReadonlyMap<string, Parameter>;
  /** Patterns by their lower-case form, for names in wrong case. */
  readonly byLowerCase: ReadonlyMap<string, string>;
}

/** Builds the index of some rows; `<scheme>` stands for each scheme key. */
export function indexNames(rows: readonly Parameter[]): NameIndex {
  const byPattern = new Map<string, Parameter>();
  for (const row of rows) for (const pattern of expandSchemes(row.name)) byPattern.set(pattern, row);
  const byLowerCase = new Map([...byPattern.keys()].map((pattern) => [pattern.toLowerCase(), pattern]));
  const literal = new Map(
    [...byPattern]
      .filter(([pattern]) => !PLACEHOLDER.test(pattern))
      .map(([pattern, row]): [string, NameLookup] => [
        pattern,
        { found: true, row, group: groupOf(pattern), indices: [] },
      ]),
  );
  return { literal, rows: byPattern, byLowerCase };
}

/** Finds the row of a name as it was sent, such as `cart.items[3].name` or `customParameters[x]`. */
export function lookUpName(name: string, index: NameIndex, suggest = true): NameLookup {
  const literal = index.literal.get(name);
  if (literal) return literal;
  if (name.length > MAX_NAME_LENGTH) return { found: false, message: notAllowed(undefined) };
  return (
    lookUpIndexed(name, index) ??
    lookUpKeyed(name, index) ?? {
      found: false,
      message: notAllowed(suggest ? nearestName(name, index) : undefined),
    }
  );
}

/** The innermost brackets of a name: what stands in them, and the name with a placeholder in place of each. */
function bracketsOf(
  name: string,
  placeholder: string,
): { readonly texts: string[]; readonly pattern: string } {
  const texts: string[] = [];
  let [pattern, done, open] = ['', 0, -1];
  for (let at = name.indexOf('['); at >= 0 && at < name.length; at += 1) {
    if (name[at] === '[') open = at;
    else if (name[at] === ']' && open >= 0) {
      texts.push(name.slice(open + 1, at));
      pattern += name.slice(done, open) + placeholder;
      [done, open] = [at + 1, -1];
    }
  }
  return { texts, pattern: pattern + name.slice(done) };
}

function lookUpIndexed(name: string, index: NameIndex): NameLookup | undefined {
  const { texts, pattern } = bracketsOf(name, '[n]');
  const row = texts.length === 0 ? undefined : index.rows.get(pattern);
  if (!row) return undefined;
  const indices = texts.map(indexOf);
  const valid = indices.filter((at) => at !== undefined);
  if (valid.length === indices.length) return { found: true, row, group: groupOf(name), indices: valid };
  return { found: false, message: `must have an index from 0 to ${MAX_INDEX} in each bracket` };
}

function indexOf(text: string): number | undefined {
  return /^(0|[1-9]\d{0,3})$/.test(text) && Number(text) <= MAX_INDEX ? Number(text) : undefined;
}

function lookUpKeyed(name: string, index: NameIndex): NameLookup | undefined {
  const {
    texts: [key, ...more],
    pattern,
  } = bracketsOf(name, '[key]');
  if (key === undefined || more.length > 0) return undefined;
  const row = index.rows.get(pattern);
  if (!row) return undefined;
  const error = row.key && formatError(key, row.key);
  if (error === undefined) return { found: true, row, group: groupOf(name), indices: [], key };
  return { found: false, message: `the name in brackets ${error}` };
}

function notAllowed(near: string | undefined): string {
  return near === undefined
    ? 'is not an allowed parameter'
    : `is not an allowed parameter; did you mean ${near}?`;
}

/** The known name that differs in case alone, or by at most two letters; brackets come back as they were sent. */
function nearestName(name: string, index: NameIndex): string | undefined {
  if (name.length > MAX_NEAR_LENGTH) return undefined;
  for (const placeholder of name.includes('[') ? ['[n]', '[key]'] : ['']) {
    const lower = name.toLowerCase().replace(/\[[^[\]]*\]/g, placeholder);
    const near = index.byLowerCase.get(lower) ?? nearest(lower, index);
    if (near !== undefined) return withBrackets(near, name);
  }
  return undefined;
}

function nearest(lower: string, index: NameIndex): string | undefined {
  const limit = lower.length < 6 ? 1 : 2;
  let best: { readonly pattern: string; readonly distance: number } | undefined;
  for (const [candidate, pattern] of index.byLowerCase) {
    const distance = editDistance(lower, candidate, limit);
    if (distance !== undefined && distance < (best?.distance ?? limit + 1)) best = { pattern, distance };
  }
  return best?.pattern;
}

function withBrackets(pattern: string, sent: string): string {
  const brackets = sent.match(/\[[^[\]]*\]/g) ?? [];
  let at = 0;
  return pattern.replace(/\[(n|key)\]/g, (placeholder) => brackets[at++] ?? placeholder);
}

function expandSchemes(name: string): string[] {
  return name.includes('<scheme>') ? SCHEME_KEYS.map((key) => name.replace('<scheme>', key)) : [name];
}
