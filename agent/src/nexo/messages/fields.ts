import { NexoError } from './nexo-error.js';

/** Most characters of a text without a specific limit. */
const MAX_TEXT = 255;
/** Most entries of a list. */
const MAX_ENTRIES = 64;

/** The members of one object of a message, read by name. What breaks a rule is refused with the path of the field. */
export class Fields {
  readonly path: string;
  readonly #members: Readonly<Record<string, unknown>>;

  /** @throws NexoError `bad-field` where the value is no object */
  constructor(value: unknown, path: string) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new NexoError('bad-field', `${path} must be an object`);
    this.path = path;
    this.#members = value as Readonly<Record<string, unknown>>;
  }

  /** A member as it is; `undefined` where it is absent or null. */
  get(name: string): unknown {
    const value = Object.hasOwn(this.#members, name) ? this.#members[name] : undefined;
    return value === null ? undefined : value;
  }

  /** @throws NexoError `bad-field` */
  object(name: string): Fields {
    return new Fields(this.#needed(name), this.#at(name));
  }

  /** @throws NexoError `bad-field` */
  objectIfThere(name: string): Fields | undefined {
    const value = this.get(name);
    return value === undefined ? undefined : new Fields(value, this.#at(name));
  }

  /** @throws NexoError `bad-field` */
  text(name: string, form: RegExp = PRINTABLE, rule: string = PRINTABLE_RULE): string {
    const value = this.#needed(name);
    if (typeof value === 'string' && value.length <= MAX_TEXT && form.test(value)) return value;
    throw new NexoError('bad-field', `${this.#at(name)} must be ${rule}`);
  }

  /** @throws NexoError `bad-field` */
  textIfThere(name: string, form?: RegExp, rule?: string): string | undefined {
    return this.get(name) === undefined ? undefined : this.text(name, form, rule);
  }

  /** @throws NexoError `bad-field` */
  oneOf<T extends string>(name: string, words: readonly T[]): T {
    const value = this.#needed(name);
    const word = words.find((each) => each === value);
    if (word !== undefined) return word;
    throw new NexoError('bad-field', `${this.#at(name)} must be one of ${words.join(', ')}`);
  }

  /** @throws NexoError `bad-field` */
  oneOfIfThere<T extends string>(name: string, words: readonly T[]): T | undefined {
    return this.get(name) === undefined ? undefined : this.oneOf(name, words);
  }

  /** @throws NexoError `bad-field` */
  flag(name: string, otherwise = false): boolean {
    const value = this.get(name) ?? otherwise;
    if (typeof value === 'boolean') return value;
    throw new NexoError('bad-field', `${this.#at(name)} must be true or false`);
  }

  /** The entries of a list; none where it is absent. @throws NexoError `bad-field` */
  list(name: string): readonly unknown[] {
    const value = this.get(name) ?? [];
    if (Array.isArray(value) && value.length <= MAX_ENTRIES) return value;
    throw new NexoError('bad-field', `${this.#at(name)} must be a list of at most ${MAX_ENTRIES} entries`);
  }

  /** The objects of a list. @throws NexoError `bad-field` */
  objects(name: string): readonly Fields[] {
    return this.list(name).map((value, index) => new Fields(value, `${this.#at(name)}[${index}]`));
  }

  #needed(name: string): unknown {
    const value = this.get(name);
    if (value === undefined) throw new NexoError('bad-field', `${this.#at(name)} is missing`);
    return value;
  }

  #at(name: string): string {
    return `${this.path}.${name}`;
  }
}

const PRINTABLE = /^[^\p{C}]+$/u;
const PRINTABLE_RULE = `a text of 1 to ${MAX_TEXT} printable characters`;
