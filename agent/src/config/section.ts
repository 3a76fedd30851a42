import { nearMatch } from '@tillbridge/protocol/text/near-match.js';

/** Where a value came from, for messages: `config.yaml: gateway.bridgeUrl` or `AGENT_PORT`. */
export type Place = string;

/** Gathers everything that is wrong with a configuration, so that it is told at once. */
export class Problems {
  private readonly found: string[] = [];

  /** Notes that the value at `place` breaks `rule`. */
  add(place: Place, rule: string): void {
    this.found.push(`${place} ${rule}`);
  }

  get list(): readonly string[] {
    return this.found;
  }
}

/** One mapping of the configuration: reads its keys and names those it does not know. */
export class Section {
  private readonly values: Readonly<Record<string, unknown>>;
  private readonly place: Place;
  private readonly problems: Problems;

  /** `known`: every key that may stand here. */
  constructor(value: unknown, place: Place, known: readonly string[], problems: Problems) {
    this.place = place;
    this.problems = problems;
    const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isMapping && value !== undefined && value !== null) {
      problems.add(place, `must be a mapping with ${known.join(', ')}`);
    }
    this.values = isMapping ? (value as Readonly<Record<string, unknown>>) : {};
    for (const key of Object.keys(this.values)) {
      if (known.includes(key)) continue;
      const meant = nearMatch(key, known);
      const expected = known.length > 0 ? `expected ${known.join(', ')}` : 'none belongs here';
      problems.add(this.at(key), `is no known key; ${meant ? `did you mean ${meant}?` : expected}`);
    }
  }

  /** The place of a key. */
  at(key: string): Place {
    return this.place === '' ? key : `${this.place}${this.place.endsWith(' ') ? '' : '.'}${key}`;
  }

  /** The value as it stands; undefined when the key is missing or empty. */
  raw(key: string): unknown {
    return Object.hasOwn(this.values, key) ? (this.values[key] ?? undefined) : undefined;
  }

  /** Keys that stand here. */
  keys(): readonly string[] {
    return Object.keys(this.values);
  }

  /** Reads a value; `fallback` when it is missing or wrong (a wrong one is noted). */
  read<T>(key: string, rule: Rule<T>, fallback: T): T {
    const value = this.raw(key);
    return value === undefined ? fallback : (this.check(key, value, rule) ?? fallback);
  }

  /** Reads a value that must be there; undefined when it is missing or wrong (noted). */
  need<T>(key: string, rule: Rule<T>): T | undefined {
    const value = this.raw(key);
    if (value !== undefined) return this.check(key, value, rule);
    this.problems.add(this.at(key), `is missing: expected ${rule.expected}`);
    return undefined;
  }

  private check<T>(key: string, value: unknown, rule: Rule<T>): T | undefined {
    const read = rule.read(value);
    if (read === undefined) {
      this.problems.add(this.at(key), `must be ${rule.expected}${rule.hint?.(value) ?? ''}`);
    }
    return read;
  }
}

/** What a value must be. */
export interface Rule<T> {
  /** Completes "must be …". */
  readonly expected: string;
  /** The value, or undefined when it breaks the rule. */
  read(value: unknown): T | undefined;
  /** Added to the message: the likely intent. Never the value of a secret. */
  hint?(value: unknown): string;
}

/** One of some words. */
export function oneOf<T extends string>(words: readonly T[]): Rule<T> {
  return {
    expected: words.length === 1 ? String(words[0]) : `one of ${words.join(', ')}`,
    read: (value) => words.find((word) => word === value),
    hint: (value) => {
      const meant = typeof value === 'string' ? nearMatch(value, words) : undefined;
      return meant ? `; did you mean ${meant}?` : '';
    },
  };
}

/** A whole number within bounds; digits in a text count too, as environment variables are texts. */
export function wholeNumber(min: number, max: number, what = 'a whole number'): Rule<number> {
  return {
    expected: `${what} from ${min} to ${max}`,
    read: (value) => {
      const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
      return typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max
        ? number
        : undefined;
    },
  };
}

/** A text of a form. */
export function text(expected: string, form: RegExp, hint?: (value: unknown) => string): Rule<string> {
  return {
    expected,
    read: (value) => (typeof value === 'string' && form.test(value) ? value : undefined),
    ...(hint && { hint }),
  };
}
