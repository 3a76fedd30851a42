import { toHex, wipe } from '@tillbridge/wire/bytes.js';
import { AES_BLOCK_BYTES } from '@tillbridge/wire/crypto/ciphers/aes.js';
import { CryptoError } from '@tillbridge/wire/crypto/ciphers/errors.js';
import {
  type AesKeyType,
  type AesKeyUsage,
  derivationData,
  INITIAL_KEY_ID_BYTES,
  requireLegalAesCounter,
} from '@tillbridge/wire/crypto/dukpt/dukpt-aes.js';
import { withTdesCounter } from '@tillbridge/wire/crypto/dukpt/dukpt-tdes.js';
import { type DeviceKeySets, deviceKeySetsOf } from '../keys/device-key-sets.js';
import { bestOf, requireId } from '../keys/key-rules.js';
import { KeyStoreError } from '../keys/key-store.js';
import type { AesWorkingCipher, BaseKey, BaseKeys, BaseKeyUsage } from '../module/dukpt-keys.js';
import type { Pkcs11Keys, TokenKeyEntry } from './pkcs11-keys.js';
import type { SessionKeyPurpose, TokenKey } from './pkcs11-token.js';

/** Uses of working keys that make or check MACs. */
const MAC_USAGES: ReadonlySet<AesKeyUsage> = new Set(['macGeneration', 'macVerification', 'macBothWays']);

/**
 * DUKPT on base derivation keys inside a PKCS#11 token. AES-128 DUKPT runs wholly in it; of TDES and of the longer AES keys the initial key of one
 * device comes out, and the base key never does.
 */
export class Pkcs11BaseKeys implements BaseKeys {
  readonly #keys: Pkcs11Keys;

  constructor(keys: Pkcs11Keys) {
    this.#keys = keys;
  }

  deviceKeySets(): DeviceKeySets {
    return deviceKeySetsOf(this.#keys.entries());
  }

  require(usage: BaseKeyUsage, ksn: Uint8Array): BaseKey {
    const subject = toHex(ksn);
    const best = bestOf(this.#keys.entries(), usage, subject);
    if (best === undefined) throw new KeyStoreError('noKey', `${usage} for ${subject.slice(0, 6)}…`);
    return best;
  }

  tdesInitialKey(base: BaseKey, ksn: Uint8Array): Buffer {
    const { key, companion } = this.#named(base);
    if (companion === undefined) throw new KeyStoreError('noKey', `${base.id} is no TDES key`);
    const register = withTdesCounter(ksn, 0).subarray(0, 8);
    const halves = [key, companion].map((handle) => this.#keys.token.encrypt(handle, 'des2', register));
    const initial = Buffer.concat(halves);
    wipe(...halves);
    return initial;
  }

  aesInitialKey(base: BaseKey, ksn: Uint8Array): Buffer {
    const type = base.algorithm as AesKeyType;
    if (type === 'aes128')
      throw new CryptoError('notAllowed', 'the initial key of AES-128 stays in the token');
    const id = ksn.subarray(0, INITIAL_KEY_ID_BYTES);
    const blocks = [1, 2].map((block) => derivationData('initialKey', type, id, 0, block));
    const both = this.#keys.token.encrypt(this.#named(base).key, 'aes', Buffer.concat(blocks));
    const initial = Buffer.from(both.subarray(0, type === 'aes192' ? 24 : 32));
    wipe(both);
    return initial;
  }

  withInnerAes128<T>(
    base: BaseKey,
    ksn: Uint8Array,
    usage: AesKeyUsage,
    operation: (cipher: AesWorkingCipher) => T,
  ): T {
    const counter = requireLegalAesCounter(ksn);
    const id = ksn.subarray(0, INITIAL_KEY_ID_BYTES);
    const { token } = this.#keys;
    const made: TokenKey[] = [];
    const step = (from: TokenKey, data: Buffer, purpose: SessionKeyPurpose = 'derive'): TokenKey => {
      const next = token.deriveAes128(from, data, purpose);
      made.push(next);
      return next;
    };
    try {
      let key = step(this.#named(base).key, derivationData('initialKey', 'aes128', id, 0));
      for (const reached of pathTo(counter))
        key = step(key, derivationData('keyDerivation', 'aes128', id, reached));
      const purpose = MAC_USAGES.has(usage) ? 'sign' : 'decrypt';
      const working = step(key, derivationData(usage, 'aes128', id, counter), purpose);
      return operation({
        decryptCbc: (iv, data) => {
          if (iv.length !== AES_BLOCK_BYTES) throw new CryptoError('badIv');
          return token.decrypt(working, 'aes', data, iv);
        },
        decryptBlock: (block) => token.decrypt(working, 'aes', block),
        cmac: (message) => token.cmac(working, 'aes', message),
      });
    } finally {
      for (const key of made) token.destroy(key);
    }
  }

  #named({ id }: BaseKey): TokenKeyEntry {
    return requireId(this.#keys.entries(), id);
  }
}

/** Counters on the way to a transaction: its one-bits, the highest first, one after the other. */
function pathTo(counter: number): number[] {
  const path: number[] = [];
  let reached = 0;
  for (let shift = 31; shift >= 0; shift -= 1) {
    const bit = (1 << shift) >>> 0;
    if ((counter & bit) === 0) continue;
    reached = (reached | bit) >>> 0;
    path.push(reached);
  }
  return path;
}
