/** What stands for an object instead of its content; undefined: nothing does. */
type Abbreviation = (value: object) => string | undefined;

const NO_ABBREVIATION: Abbreviation = () => undefined;

/** The text of a value: the same for equal values, whatever order their fields have; absent and undefined fields are the same. */
export function canonicalText(value: unknown, short: Abbreviation = NO_ABBREVIATION): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === null || typeof value !== 'object') return plainText(value);
  const abbreviated = short(value);
  if (abbreviated !== undefined) return abbreviated;
  if (Array.isArray(value)) {
    let text = '[';
    for (const each of value) text += `${canonicalText(each, short)},`;
    return `${text}]`;
  }
  if (value instanceof Uint8Array) return `x${Buffer.from(value).toString('hex')}`;
  if (value instanceof Map) {
    const pairs = [...value].map((pair) => canonicalText(pair, short));
    return `map[${pairs.sort().join()}]`;
  }
  if (value instanceof Set) throw new TypeError('a state holds no Set');
  let text = '{';
  for (const name of Object.keys(value).sort()) {
    const field = (value as Record<string, unknown>)[name];
    if (field !== undefined) text += `${name}:${canonicalText(field, short)},`;
  }
  return `${text}}`;
}

function plainText(value: unknown): string {
  if (typeof value === 'function' || typeof value === 'symbol')
    throw new TypeError(`a state holds no ${typeof value}`);
  return String(value);
}

/**
 * Parts of states by their content, each once: a state is a handful of parts that most other states have too. A part has a number, so that the
 * key of a state is a handful of numbers. In the text of a part its own parts stand by their numbers: what is one somewhere has to be one everywhere.
 */
export class Parts {
  readonly #numbers = new WeakMap<object, number>();
  readonly #byText = new Map<string, object>();
  readonly #short: Abbreviation = (value) => {
    const number = this.#numbers.get(value);
    return number === undefined ? undefined : `#${number}`;
  };

  /** The one object that stands for all parts of this content. */
  one<T extends object>(part: T): T {
    if (this.#numbers.has(part)) return part;
    const text = canonicalText(part, this.#short);
    const known = this.#byText.get(text);
    if (known) return known as T;
    this.#byText.set(text, part);
    this.#numbers.set(part, this.#byText.size);
    return part;
  }

  /** The same for a list, each of whose elements is a part. */
  list<T extends object>(parts: readonly T[]): readonly T[] {
    return this.#numbers.has(parts) ? parts : this.one(parts.map((part) => this.one(part)));
  }

  /** The number of a part. */
  number(part: object): number {
    return this.#numbers.get(this.one(part)) ?? 0;
  }

  /** How many parts of different content there are. */
  get size(): number {
    return this.#byText.size;
  }
}
