/** The text of a value: the same for equal values, whatever order their fields have; absent and undefined fields are the same. */
export function canonicalText(value: unknown): string {
  return value !== null && typeof value === 'object' ? contentText(value, canonicalText) : plainText(value);
}

/** The text of an object. `textOf`: of the objects in it, except bytes. */
function contentText(value: object, textOf: (part: object) => string): string {
  const nested = (part: unknown): string => {
    if (part === null || typeof part !== 'object') return plainText(part);
    return part instanceof Uint8Array ? bytesText(part) : textOf(part);
  };
  if (Array.isArray(value)) {
    let text = '[';
    for (const each of value) text += `${nested(each)},`;
    return `${text}]`;
  }
  if (value instanceof Uint8Array) return bytesText(value);
  if (value instanceof Map) {
    const pairs = [...value].map(([name, part]) => `${nested(name)}:${nested(part)}`);
    return `map[${pairs.sort().join()}]`;
  }
  if (value instanceof Set) throw new TypeError('a state holds no Set');
  let text = '{';
  for (const name of inOrder(Object.keys(value))) {
    const field = (value as Record<string, unknown>)[name];
    if (field !== undefined) text += `${name}:${nested(field)},`;
  }
  return `${text}}`;
}

/** Most objects have their fields in order already: to look is cheaper than to sort. */
function inOrder(names: string[]): string[] {
  for (let at = 1; at < names.length; at += 1)
    if ((names[at - 1] ?? '') > (names[at] ?? '')) return names.sort();
  return names;
}

function bytesText(bytes: Uint8Array): string {
  return `x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;
}

function plainText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'function' || typeof value === 'symbol')
    throw new TypeError(`a state holds no ${typeof value}`);
  return String(value);
}

/**
 * Parts of states by their content, each once: a state is a handful of parts that most other states have too. A part has a number, so that the
 * key of a state is a handful of numbers. The parts of a part are parts as well: its text has their numbers, and what differs from a known state
 * in one place costs the text of the objects around that place alone.
 */
export class Parts {
  readonly #numbers = new Map<object, number>();
  readonly #byText = new Map<string, object>();
  readonly #numberText = (part: object): string => `#${this.number(part)}`;

  /** The one object that stands for all parts of this content. */
  one<T extends object>(part: T): T {
    if (this.#numbers.has(part)) return part;
    const text = contentText(part, this.#numberText);
    const known = this.#byText.get(text);
    if (known) return known as T;
    const fresh = this.#ofParts(part);
    this.#byText.set(text, fresh);
    this.#numbers.set(fresh, this.#byText.size);
    return fresh;
  }

  /** The number of a part. */
  number(part: object): number {
    return this.#numbers.get(part) ?? this.#numbers.get(this.one(part)) ?? 0;
  }

  /** How many parts of different content there are. */
  get size(): number {
    return this.#byText.size;
  }

  /** The same value, whose lists and plain objects are parts themselves. */
  #ofParts<T extends object>(value: T): T {
    if (Array.isArray(value)) return value.map((each) => this.#partOf(each)) as unknown as T;
    if (Object.getPrototypeOf(value) !== Object.prototype) return value;
    const copy: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(value)) copy[name] = this.#partOf(field);
    return copy as T;
  }

  #partOf(value: unknown): unknown {
    // Bytes may be wiped by those who use them: they are never shared.
    const isPart = value !== null && typeof value === 'object' && !(value instanceof Uint8Array);
    return isPart ? this.one(value) : value;
  }
}
