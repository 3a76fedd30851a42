import { maskText } from '@tillbridge/wire/mask/mask.js';
import type { JsonObject } from '../journal/journal.js';

type Value = JsonObject[string];

/** What stands in the place of a value that an incident file does not carry. */
export const MASKED = '***';

/** Digits of a card number that may be shown at its beginning (PCI DSS 3.4.1). */
const SHOWN_BIN = 6;
/** What a card gave that replays do not need. */
const HIDDEN: ReadonlySet<string> = new Set(['expiry', 'paymentAccountReference', 'ac']);
/** Ids of messages and payments: chance makes long hex of them, which is no secret. */
const IDS: ReadonlySet<string> = new Set(['messageId', 'originalMessageId', 'refersTo', 'paymentId']);

/** Names in the place of card fingerprints: the same card has the same name, in one file alone. */
export class CardNames {
  readonly #keys = new Map<string, string>();
  readonly #cards = new Map<string, string>();

  /** As a fingerprint is written: the name of its key, a dot, and the card. */
  nameOf(fingerprint: string): string {
    const key = fingerprint.slice(0, fingerprint.indexOf('.'));
    return `${named(this.#keys, key, 'key-')}.${named(this.#cards, fingerprint, 'card-')}`;
  }
}

function named(names: Map<string, string>, value: string, prefix: string): string {
  const name = names.get(value) ?? `${prefix}${names.size + 1}`;
  names.set(value, name);
  return name;
}

/** The data of a row without what identifies a card; texts are masked as those of logs. Masking twice is masking once, but for fingerprints. */
export function maskedData(data: JsonObject, cards?: CardNames): JsonObject {
  const fields = Object.entries(data).map(([name, value]) => [name, masked(name, value, cards)] as const);
  return Object.fromEntries(fields);
}

function masked(name: string, value: Value | undefined, cards: CardNames | undefined): Value {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return maskedText(name, value, cards);
  if (typeof value !== 'object') return value;
  if (isList(value)) return value.map((each) => masked(name, each, cards));
  return maskedData(value, cards);
}

function maskedText(name: string, text: string, cards: CardNames | undefined): string {
  if (HIDDEN.has(name)) return MASKED;
  if (IDS.has(name)) return text;
  if (name === 'bin') return text.slice(0, SHOWN_BIN);
  if (name === 'fingerprint') return cards?.nameOf(text) ?? text;
  return maskText(text);
}

function isList(value: Exclude<Value, string | number | boolean | null>): value is readonly Value[] {
  return Array.isArray(value);
}
