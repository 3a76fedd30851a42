import { systemClock } from '@tillbridge/platform/system-clock.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { bestOf, predecessorsOf } from '../keys/key-rules.js';
import type {
  KeyInfo,
  KeyMode,
  KeyOperations,
  KeyStore,
  KeyUsage,
  NewKey,
  Replacement,
} from '../keys/key-store.js';
import { tokenOperations } from './pkcs11-key-operations.js';
import { infoOf, type Pkcs11Keys } from './pkcs11-keys.js';

/**
 * A key store whose keys are in a token: they go there, work there and are listed from there. Keys that were brought in before the token was
 * configured stay in the store as well; where both have a key for a subject, the token's is taken.
 */
export class TokenKeyStore implements KeyStore {
  readonly #keys: KeyStore;
  readonly #token: Pkcs11Keys;
  readonly #clock: Pick<Clock, 'nowMs'>;

  constructor(keys: KeyStore, token: Pkcs11Keys, clock: Pick<Clock, 'nowMs'> = systemClock) {
    this.#keys = keys;
    this.#token = token;
    this.#clock = clock;
  }

  get mode(): KeyMode {
    return this.#keys.mode;
  }

  list(): readonly KeyInfo[] {
    return [...this.#keys.list(), ...this.#token.entries().map(infoOf)];
  }

  readAgain(): void {
    this.#token.readAgain();
  }

  find(usage: KeyUsage, subject: string): KeyInfo | undefined {
    const inside = bestOf(this.#token.entries(), usage, subject);
    return inside === undefined ? this.#keys.find(usage, subject) : infoOf(inside);
  }

  predecessors(info: KeyInfo): readonly KeyInfo[] {
    const inside = predecessorsOf(this.#token.entries(), info, this.#clock.nowMs()).map(infoOf);
    return [...inside, ...this.#keys.predecessors(info)];
  }

  operate<T>(info: KeyInfo, operation: (key: KeyOperations) => T): T {
    const named = this.#token.entries().filter(({ id }) => id === info.id);
    // Two nodes may have made keys of one name at the same moment.
    const entry = named.find(({ kcv }) => kcv === info.kcv) ?? named[0];
    return entry === undefined
      ? this.#keys.operate(info, operation)
      : operation(tokenOperations(this.#token.token, entry));
  }

  add(input: NewKey): KeyInfo {
    return this.#token.add(input);
  }

  rotate(id: string, replacement: Replacement): KeyInfo {
    const isInside = this.#token.entries().some((entry) => entry.id === id);
    return isInside ? this.#token.rotate(id, replacement) : this.#keys.rotate(id, replacement);
  }

  remove(id: string): void {
    const isInside = this.#token.entries().some((entry) => entry.id === id);
    if (isInside) this.#token.remove(id);
    else this.#keys.remove(id);
  }
}
