import { createSecretKey, type KeyObject } from 'node:crypto';
import { fromHex, toHex, withSecret } from '@tillbridge/wire/bytes.js';
import { CryptoError } from '@tillbridge/wire/crypto/ciphers/errors.js';
import { unwrapKey, wrapKey } from '@tillbridge/wire/crypto/key-block/aes-key-wrap.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import type { DataKeyRow } from '../../kernel/store/rows.js';
import { newKeyBytes } from '../keys/key-generation.js';
import { type KeyInfo, type KeyStore, KeyStoreError } from '../keys/key-store.js';
import { dataKeyId } from './data-key-ring.js';
import { VaultError } from './vault.js';

const USAGE = 'vault-kek';

/** The number of a key-encryption key, by which rows name it and the next one is counted. */
export function kekNumber({ kek }: Pick<DataKeyRow, 'kek'>): number {
  return Number(kek);
}

/** A key-encryption key by its number. */
export interface Kek {
  readonly number: number;
  readonly info: KeyInfo;
}

/** The key-encryption keys of the vault, wherever the key store has them: a file, or a token that they never leave. */
export class KeyEncryptionKeys {
  readonly #keys: KeyStore;
  readonly #random: Random;

  constructor(keys: KeyStore, random: Random) {
    this.#keys = keys;
    this.#random = random;
  }

  /** All of them, the oldest first. */
  list(): readonly Kek[] {
    return this.#keys
      .list()
      .filter(({ usage }) => usage === USAGE)
      .map((info) => ({ number: Number(info.scope), info }))
      .sort((a, b) => a.number - b.number);
  }

  /** The one that wraps what is new; undefined while there is none. */
  current(): Kek | undefined {
    return this.list().at(-1);
  }

  /** The current one, made now where there is none; of processes that make it at once one succeeds. @throws as {@link add} */
  first(): Kek {
    try {
      return this.current() ?? this.#make(1);
    } catch (error) {
      const made = error instanceof KeyStoreError && error.code === 'keyExists' ? this.current() : undefined;
      if (!made) throw error;
      return made;
    }
  }

  /** Makes the next one. @throws KeyStoreError, SecretFileError; SecurityModuleError unavailable */
  add(): Kek {
    this.#keys.readAgain?.();
    return this.#make((this.current()?.number ?? 0) + 1);
  }

  #make(number: number): Kek {
    const about = {
      id: `vault-kek-${number}`,
      scope: String(number),
      label: 'key-encryption key of the vault',
    };
    const info = withSecret(newKeyBytes('aes256', this.#random), (key) =>
      this.#keys.add({ ...about, usage: USAGE, algorithm: 'aes256', key }),
    );
    return { number, info };
  }

  /** Deletes one that wraps nothing any more. */
  remove({ info }: Kek): void {
    this.#keys.remove(info.id);
  }

  /** The columns of a data key under a key-encryption key. */
  wrap({ number, info }: Kek, key: KeyObject): Pick<DataKeyRow, 'kek' | 'wrapped'> {
    const wrapped = withSecret(key.export(), (bytes) =>
      this.#keys.operate(info, (operations) => wrapKey(operations, bytes)),
    );
    return { kek: String(number), wrapped: toHex(wrapped) };
  }

  /** The data key of a row. @throws VaultError when its key-encryption key is not there, or another one; SecurityModuleError unavailable */
  unwrap(row: Pick<DataKeyRow, 'id' | 'kek' | 'wrapped'>): KeyObject {
    const key = this.#openWith(this.#numbered(row), row) ?? this.#openWith(this.#numberedNow(row), row);
    if (key === undefined) throw this.#unopened(row);
    if (dataKeyId(key) !== row.id) throw new VaultError(`data key ${row.id} was changed`);
    return key;
  }

  /** A token takes two keys of one name: two nodes that looked at the same moment may each have made one. */
  #numbered(row: Pick<DataKeyRow, 'kek'>): readonly Kek[] {
    return this.list().filter(({ number }) => number === kekNumber(row));
  }

  /** A node that started at the same time may have made it a moment ago. */
  #numberedNow(row: Pick<DataKeyRow, 'kek'>): readonly Kek[] {
    this.#keys.readAgain?.();
    return this.#numbered(row);
  }

  /** A key is wrapped with a check value: no other key-encryption key opens it. */
  #openWith(keks: readonly Kek[], row: Pick<DataKeyRow, 'wrapped'>): KeyObject | undefined {
    for (const kek of keks) {
      const key = this.#open(kek, row);
      if (key) return key;
    }
    return undefined;
  }

  #unopened(row: Pick<DataKeyRow, 'id' | 'kek'>): VaultError {
    return new VaultError(
      this.#numbered(row).length > 0
        ? `data key ${row.id} does not open under key-encryption key ${row.kek}`
        : `key-encryption key ${row.kek} of data key ${row.id} is not there: restore the key store, or configure the token that has it`,
    );
  }

  #open({ info }: Kek, { wrapped }: Pick<DataKeyRow, 'wrapped'>): KeyObject | undefined {
    try {
      const bytes = this.#keys.operate(info, (operations) => unwrapKey(operations, fromHex(wrapped)));
      return withSecret(bytes, createSecretKey);
    } catch (error) {
      if (error instanceof CryptoError || error instanceof RangeError) return undefined;
      throw error;
    }
  }
}
