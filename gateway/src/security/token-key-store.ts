import type { BaseKeyUsage } from './dukpt-keys.js';
import type { KeyInfo, KeyMode, KeyStore, KeyUsage, NewKey } from './key-store.js';
import type { Pkcs11BaseKeys } from './pkcs11-base-keys.js';

/** A key store whose base derivation keys are in a token: they go there, and are listed from there. */
export class TokenKeyStore implements KeyStore {
  readonly #keys: KeyStore;
  readonly #baseKeys: Pkcs11BaseKeys;

  constructor(keys: KeyStore, baseKeys: Pkcs11BaseKeys) {
    this.#keys = keys;
    this.#baseKeys = baseKeys;
  }

  get mode(): KeyMode {
    return this.#keys.mode;
  }

  list(): readonly KeyInfo[] {
    return [...this.#keys.list(), ...this.#baseKeys.list()];
  }

  find(usage: KeyUsage, subject: string): KeyInfo | undefined {
    return this.#keys.find(usage, subject);
  }

  use<T>(info: KeyInfo, operation: (key: Uint8Array) => T): T {
    return this.#keys.use(info, operation);
  }

  add(input: NewKey): KeyInfo {
    const { usage } = input;
    return isBaseKeyUsage(usage) ? this.#baseKeys.add({ ...input, usage }) : this.#keys.add(input);
  }
}

function isBaseKeyUsage(usage: KeyUsage): usage is BaseKeyUsage {
  return usage === 'bdk-data' || usage === 'bdk-pin';
}
