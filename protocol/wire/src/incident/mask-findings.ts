import { findCardData } from '../mask/card-data-scan.js';

/** A value that looks like card data, and what stands in its place. */
export interface MaskedFinding {
  /** Where the value stands first: names and numbers from the content on, joined by dots. */
  readonly place: string;
  readonly what: string;
  /** The same for the same value, in one file alone. */
  readonly name: string;
}

/** Most findings that are named in sentences. */
const MAX_NAMED = 20;
/** Digits that no card number has: names are no finding themselves. */
const NAME = 'masked value';

/**
 * The content with a name in the place of each text in which card data are found, such as a till reference with the digits of a card number.
 * Equal texts get equal names, so that rows still belong together. Names of fields, and numbers, stay as they are.
 */
export function maskFindings<T extends object>(
  content: T,
): { readonly content: T; readonly findings: readonly MaskedFinding[] } {
  const findings = new Map<string, MaskedFinding>();
  const masked = (value: unknown, place: readonly string[]): unknown => {
    if (typeof value === 'string') return maskedText(value, place, findings, masked);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((each, at) => masked(each, [...place, String(at)]));
    const fields = Object.entries(value).map(
      ([name, each]) => [name, masked(each, [...place, name])] as const,
    );
    return Object.fromEntries(fields);
  };
  return { content: masked(content, []) as T, findings: [...findings.values()] };
}

function maskedText(
  text: string,
  place: readonly string[],
  findings: Map<string, MaskedFinding>,
  masked: (value: unknown, place: readonly string[]) => unknown,
): string {
  const [found] = findCardData(text);
  if (!found) return text;
  const json = parsedObject(text);
  // A column that holds JSON keeps its form.
  if (json) return JSON.stringify(masked(json, place));
  const known = findings.get(text);
  if (known) return known.name;
  const name = `${NAME} ${findings.size + 1}`;
  findings.set(text, { place: place.join('.'), what: found.what, name });
  return name;
}

function parsedObject(text: string): object | undefined {
  if (!/^[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

/** Sentences on what was masked; of the values nothing is shown. */
export function findingTexts(findings: readonly MaskedFinding[]): readonly string[] {
  const texts = findings
    .slice(0, MAX_NAMED)
    .map(
      ({ place, what, name }) => `${place}: it looks like a ${what}, and stands as "${name}" wherever it was`,
    );
  const more = findings.length - texts.length;
  return more > 0 ? [...texts, `and ${more} more such values`] : texts;
}
