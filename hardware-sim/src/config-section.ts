/** Checks one value and gives it in its own type; the text says what was expected. */
export interface Rule<T> {
  readonly expected: string;
  readonly parse: (value: unknown) => T | undefined;
}

/** One mapping of the file; remembers which keys were asked for, to name the others. */
export class Section {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #where: string;
  readonly #problems: string[];
  readonly #known = new Set<string>();

  constructor(value: unknown, where: string, problems: string[]) {
    const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (value !== undefined && value !== null && !isMapping)
      problems.push(`${where || 'the file'} must be a mapping`);
    this.#values = isMapping ? (value as Record<string, unknown>) : {};
    this.#where = where;
    this.#problems = problems;
  }

  raw(key: string): unknown {
    this.#known.add(key);
    return this.#values[key];
  }

  section(key: string): Section {
    return new Section(this.raw(key), this.#path(key), this.#problems);
  }

  has(key: string): boolean {
    return this.raw(key) !== undefined && this.raw(key) !== null;
  }

  /** The value of a key, or the preset when it is not there. */
  read<T>(key: string, rule: Rule<T>, preset: T): T {
    return this.has(key) ? (this.#check(this.#path(key), this.raw(key), rule) ?? preset) : preset;
  }

  /** The value of a key that must be there. */
  demand<T>(key: string, rule: Rule<T>, standIn: T): T {
    if (!this.has(key)) this.#problems.push(`${this.#path(key)} is missing: expected ${rule.expected}`);
    return this.read(key, rule, standIn);
  }

  /** The same, an environment variable first. */
  over<T>(variable: string, env: NodeJS.ProcessEnv, key: string, rule: Rule<T>, preset: T): T {
    const written = this.read(key, rule, preset);
    const value = env[variable];
    return value === undefined || value === '' ? written : (this.#check(variable, value, rule) ?? written);
  }

  /** Reports the keys that nobody asked for. */
  end(): void {
    for (const key of Object.keys(this.#values)) {
      if (!this.#known.has(key)) {
        this.#problems.push(`${this.#path(key)} is no key: expected ${[...this.#known].join(', ')}`);
      }
    }
  }

  #path(key: string): string {
    return this.#where ? `${this.#where}.${key}` : key;
  }

  #check<T>(where: string, value: unknown, rule: Rule<T>): T | undefined {
    const parsed = rule.parse(value);
    if (parsed === undefined)
      this.#problems.push(`${where} is ${JSON.stringify(value)}: expected ${rule.expected}`);
    return parsed;
  }
}
