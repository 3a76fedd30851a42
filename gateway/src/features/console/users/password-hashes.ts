import {
  hashPassword,
  isOutdated,
  isPassword,
  PRESENT_PARAMETERS,
  type ScryptParameters,
} from './password-hash.js';

/** How passwords wait for their hashes. Each takes a thread of the pool that the database uses, too, and a core. */
export const HASH_LIMITS = {
  /** At once. */
  running: 1,
  /** That wait; further ones are refused. */
  waiting: 20,
} as const;

/** Too many sign-ins wait: try again later. */
export class HashQueueFullError extends Error {
  override readonly name = 'HashQueueFullError';
}

/** Hashes passwords, so many at once, in the order of their requests: sign-ins hold up no payment. */
export class PasswordHashes {
  readonly #parameters: ScryptParameters;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** @param parameters of new hashes */
  constructor(parameters: ScryptParameters = PRESENT_PARAMETERS) {
    this.#parameters = parameters;
  }

  /** A password as it is stored. @throws HashQueueFullError */
  hash(password: string): Promise<string> {
    return this.run(() => hashPassword(password, this.#parameters));
  }

  /** Whether the password is that of the stored text; null: there is none, which takes as long. @throws HashQueueFullError */
  isPassword(password: string, stored: string | null): Promise<boolean> {
    return this.run(() => isPassword(password, stored, this.#parameters));
  }

  /** The stored text, made anew where it was made with other parameters. @throws HashQueueFullError */
  async renewed(password: string, stored: string): Promise<string> {
    return isOutdated(stored, this.#parameters) ? this.hash(password) : stored;
  }

  /** Does the work in its turn. @throws HashQueueFullError at once; and what the work throws */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= HASH_LIMITS.running) {
      if (this.#waiting.length >= HASH_LIMITS.waiting) throw new HashQueueFullError('too many sign-ins wait');
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
