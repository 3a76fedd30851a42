import { placeText } from '../schema/fault.js';

/** The configuration is wrong; the message has a line for each problem. Exit code 2. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Gathers everything that is wrong with a configuration for one report. */
export class Problems {
  readonly #lines: string[] = [];
  readonly #file: string | undefined;
  /** Paths that the environment set, by variable. */
  readonly #variables: ReadonlyMap<string, readonly string[]>;

  constructor(file: string | undefined, variables: ReadonlyMap<string, readonly string[]>) {
    this.#file = file;
    this.#variables = variables;
  }

  /** Notes a problem of the value at a path: `port must be …`, by the variable's name where that set it. */
  at(path: readonly string[], problem: string): void {
    this.#lines.push(`${this.#place(path)} ${problem}`);
  }

  /** Notes a problem that no single key has. */
  add(line: string): void {
    this.#lines.push(line);
  }

  /** @throws ConfigError when there is any */
  throwIfAny(): void {
    if (this.#lines.length > 0) throw new ConfigError(this.#lines.join('\n'));
  }

  #place(path: readonly string[]): string {
    for (const [variable, at] of this.#variables) {
      if (!at.every((step, index) => step === path[index])) continue;
      const inside = placeText(path.slice(at.length));
      return inside === '' || inside.startsWith('[') ? variable + inside : `${variable}.${inside}`;
    }
    const from = this.#file === undefined ? '' : `${this.#file}: `;
    return from + (placeText(path) || 'the file');
  }
}
