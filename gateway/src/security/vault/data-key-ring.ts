import { createHmac, type KeyObject } from 'node:crypto';
import { fromHex, toHex } from '@tillbridge/wire/bytes.js';
import { CryptoError } from '@tillbridge/wire/crypto/ciphers/errors.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { contextOf, seal, unseal } from '../keys/sealing.js';
import { type DataKeys, type Sealed, VaultError } from './vault.js';

/** Bytes of a data key: AES-256. */
export const DATA_KEY_BYTES = 32;
/** Bytes of a data key's name. */
const NAME_BYTES = 8;

/** The data keys, opened. */
export interface RingContent {
  readonly keys: ReadonlyMap<string, KeyObject>;
  /** The one that seals what is new. */
  readonly activeId: string;
}

/** The name of a data key: it differs between keys and discloses nothing of them. */
export function dataKeyId(key: KeyObject): string {
  const print = createHmac('sha256', key).update('tillbridge data key name').digest();
  return `data-${print.subarray(0, NAME_BYTES).toString('hex')}`;
}

/** Seals under the active data key, and opens under the key that a row names. */
export class DataKeyRing implements DataKeys {
  readonly #random: Random;
  readonly #reload: (() => Promise<void>) | undefined;
  #content: RingContent;

  /** @param reload calls {@link use} with the keys as they are now; called when a row names a key that is not known */
  constructor(content: RingContent, random: Random, reload?: () => Promise<void>) {
    this.#content = content;
    this.#random = random;
    this.#reload = reload;
  }

  /** The keys from now on. */
  use(content: RingContent): void {
    this.#content = content;
  }

  /** An opened key of the ring; undefined where it has none of the name. */
  key(id: string): KeyObject | undefined {
    return this.#content.keys.get(id);
  }

  seal(context: readonly string[], clear: Uint8Array): Sealed {
    const { keys, activeId } = this.#content;
    const key = keys.get(activeId);
    if (key === undefined) throw new VaultError(`the active data key ${activeId} is not there`);
    return {
      keyId: activeId,
      sealed: toHex(seal(key, contextOf(...context, activeId), clear, this.#random)),
    };
  }

  load(keyId: string): Promise<void> | undefined {
    return this.key(keyId) === undefined ? this.#reload?.() : undefined;
  }

  open(context: readonly string[], { keyId, sealed }: Sealed): Buffer {
    const key = this.key(keyId);
    if (key === undefined) throw new VaultError(`data key ${keyId} is not there`);
    try {
      return unseal(key, contextOf(...context, keyId), fromHex(sealed));
    } catch (error) {
      if (error instanceof CryptoError || error instanceof RangeError)
        throw new VaultError('the entry was changed or belongs to another owner');
      throw error;
    }
  }
}
