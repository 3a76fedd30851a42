import { fromHex } from '@tillbridge/wire/bytes.js';

/** Reads the inputs of a vector. What is missing or of another type is a fault of the vector or of the runner, not of the product. */
export class Inputs {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values;
  }

  has(name: string): boolean {
    return this.#values[name] !== undefined;
  }

  text<T extends string = string>(name: string): T {
    const value = this.#values[name];
    if (typeof value !== 'string') throw new TypeError(`input ${name} is not a text`);
    return value as T;
  }

  optionalText<T extends string = string>(name: string): T | undefined {
    return this.has(name) ? this.text<T>(name) : undefined;
  }

  hex(name: string): Buffer {
    return fromHex(this.text(name));
  }

  optionalHex(name: string): Buffer | undefined {
    return this.has(name) ? this.hex(name) : undefined;
  }

  int<T extends number = number>(name: string): T {
    const value = this.#values[name];
    if (typeof value !== 'number') throw new TypeError(`input ${name} is not a number`);
    return value as T;
  }

  optionalInt(name: string): number | undefined {
    return this.has(name) ? this.int(name) : undefined;
  }

  object(name: string): Readonly<Record<string, unknown>> {
    const value = this.#values[name];
    if (typeof value !== 'object' || value === null) throw new TypeError(`input ${name} is not an object`);
    return value as Readonly<Record<string, unknown>>;
  }

  list<T>(name: string): readonly T[] {
    const value = this.#values[name];
    if (!Array.isArray(value)) throw new TypeError(`input ${name} is not a list`);
    return value as readonly T[];
  }

  /** A list of base64 texts; empty where there is none. */
  base64List(name: string): Buffer[] {
    return this.has(name) ? this.list<string>(name).map((item) => Buffer.from(item, 'base64')) : [];
  }
}

/** One operation: what it returns holds every field that a vector may expect of it. */
type Op = (inputs: Inputs) => Readonly<Record<string, unknown>>;

/** The operations of a topic by name. */
export type TopicOps = Readonly<Record<string, Op>>;
