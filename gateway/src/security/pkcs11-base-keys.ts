import { toHex, wipe, xorBytes } from '@tillbridge/protocol/bytes.js';
import { AES_BLOCK_BYTES } from '@tillbridge/protocol/crypto/aes.js';
import {
  type AesKeyType,
  type AesKeyUsage,
  derivationData,
  INITIAL_KEY_ID_BYTES,
  requireLegalAesCounter,
} from '@tillbridge/protocol/crypto/dukpt-aes.js';
import { withTdesCounter } from '@tillbridge/protocol/crypto/dukpt-tdes.js';
import { CryptoError } from '@tillbridge/protocol/crypto/errors.js';
import { KCV_BYTES } from '@tillbridge/protocol/crypto/kcv.js';
import { ZERO_BLOCK } from '@tillbridge/protocol/crypto/tdes.js';
import { isTestKey } from '@tillbridge/protocol/crypto/test-keys.js';
import type { AesWorkingCipher, BaseKey, BaseKeys, BaseKeyUsage } from './dukpt-keys.js';
import { type DeviceKeySets, deviceKeySetsOf, requireDeviceType } from './key-device-type.js';
import { checkValue, requireFit } from './key-rules.js';
import { type KeyAlgorithm, type KeyInfo, type KeyMode, KeyStoreError, type NewKey } from './key-store.js';
import type { Pkcs11Token, TokenKey, TokenKeyInfo } from './pkcs11-token.js';

/** The mask of the second half of a TDES initial key (X9.24-1 A.6). */
const HALF_MASK = Buffer.from('C0C0C0C000000000C0C0C0C000000000', 'hex');
/** Labels of base keys: prefix, use, scope, of TDES which of the two keys, and the device type of the key set where it has one. */
const LABEL = /^tillbridge\/(bdk-data|bdk-pin)\/([0-9A-F]{0,24})\/(key|masked)(?:\/([A-Za-z0-9_]{1,32}))?$/;

interface TokenBaseKey extends BaseKey {
  readonly usage: BaseKeyUsage;
  readonly scope: string;
  readonly deviceType?: string;
  readonly key: TokenKey;
  /** TDES: the key mixed with the half mask, its own object in the token. */
  readonly masked?: TokenKey;
}

function label(usage: string, scope: string, part: 'key' | 'masked', deviceType?: string): string {
  const ofDevices = deviceType === undefined ? '' : `/${deviceType}`;
  return `tillbridge/${usage}/${scope}/${part}${ofDevices}`;
}

/**
 * Base derivation keys inside a PKCS#11 token. AES-128 DUKPT runs wholly in it; of TDES and of the longer AES keys the initial key of one device
 * comes out, and the base key never does.
 */
export class Pkcs11BaseKeys implements BaseKeys {
  readonly #token: Pkcs11Token;
  readonly #mode: KeyMode;
  #keys: readonly TokenBaseKey[];

  /**
   * Reads which base keys the token holds.
   * @throws KeyStoreError testKeyInLive, badKey (a TDES key without its masked half); SecurityModuleError unavailable
   */
  constructor(token: Pkcs11Token, mode: KeyMode) {
    this.#token = token;
    this.#mode = mode;
    this.#keys = readBaseKeys(token, mode);
  }

  /** All base keys of the token; their ids are their labels in it. */
  list(): readonly KeyInfo[] {
    return this.#keys.map(({ id, usage, algorithm, scope, deviceType, kcv }) => ({
      id,
      usage,
      algorithm,
      scope,
      ...(deviceType !== undefined && { deviceType }),
      label: 'in the token',
      kcv,
      mode: this.#mode,
    }));
  }

  /**
   * Takes a key into the token, where it stays; its id is its label there.
   * @throws KeyStoreError badKey, badUse, kcvMismatch, testKeyInLive, keyExists; SecurityModuleError unavailable
   */
  add(input: NewKey & { readonly usage: BaseKeyUsage }): KeyInfo {
    const name = importBaseKey(this.#token, this.#mode, input);
    this.#keys = readBaseKeys(this.#token, this.#mode);
    const info = this.list().find(({ id }) => id === name);
    if (info === undefined) throw new KeyStoreError('noKey', name);
    return info;
  }

  deviceKeySets(): DeviceKeySets {
    return deviceKeySetsOf(this.#keys);
  }

  require(usage: BaseKeyUsage, ksn: Uint8Array): TokenBaseKey {
    const subject = toHex(ksn);
    const [best] = this.#keys
      .filter((key) => key.usage === usage && subject.startsWith(key.scope))
      .sort((a, b) => b.scope.length - a.scope.length);
    if (best === undefined) throw new KeyStoreError('noKey', `${usage} for ${subject.slice(0, 6)}…`);
    return best;
  }

  tdesInitialKey(base: BaseKey, ksn: Uint8Array): Buffer {
    const { key, masked } = this.#named(base);
    if (masked === undefined) throw new KeyStoreError('noKey', `${base.id} is no TDES key`);
    const register = withTdesCounter(ksn, 0).subarray(0, 8);
    const halves = [key, masked].map((handle) => this.#token.encryptEcb(handle, 'des2', register));
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
    const both = this.#token.encryptEcb(this.#named(base).key, 'aes', Buffer.concat(blocks));
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
    const token = this.#token;
    const made: TokenKey[] = [];
    const step = (from: TokenKey, data: Buffer, purpose: 'derive' | 'decrypt' = 'derive'): TokenKey => {
      const next = token.deriveAes128(from, data, purpose);
      made.push(next);
      return next;
    };
    try {
      let key = step(this.#named(base).key, derivationData('initialKey', 'aes128', id, 0));
      for (const reached of pathTo(counter))
        key = step(key, derivationData('keyDerivation', 'aes128', id, reached));
      const working = step(key, derivationData(usage, 'aes128', id, counter), 'decrypt');
      return operation({
        decryptCbc: (iv, data) => {
          if (iv.length !== AES_BLOCK_BYTES) throw new CryptoError('badIv');
          return token.decryptAes(working, iv, data);
        },
        decryptBlock: (block) => token.decryptAes(working, undefined, block),
      });
    } finally {
      for (const key of made) token.destroy(key);
    }
  }

  #named({ id }: BaseKey): TokenBaseKey {
    const found = this.#keys.find((key) => key.id === id);
    if (found === undefined) throw new KeyStoreError('noKey', `id ${id}`);
    return found;
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

function readBaseKeys(token: Pkcs11Token, mode: KeyMode): TokenBaseKey[] {
  const listed = token.list();
  return listed.flatMap((info) => {
    const [, usage, scope = '', part, deviceType] = LABEL.exec(info.label) ?? [];
    if (usage === undefined || part !== 'key') return [];
    const masked = listed.find((other) => other.label === label(usage, scope, 'masked'))?.key;
    if (info.type === 'des2' && masked === undefined)
      throw new KeyStoreError('badKey', `${info.label} has no masked key beside it: import it again`);
    const kcv = checkOf(token, info);
    if (mode === 'live' && isTestKey(kcv)) throw new KeyStoreError('testKeyInLive', info.label);
    const algorithm: KeyAlgorithm =
      info.type === 'des2' ? 'tdes2' : (`aes${(info.bytes * 8) as 128 | 192 | 256}` as const);
    return [
      {
        id: info.label,
        usage: usage as BaseKeyUsage,
        scope,
        ...(deviceType !== undefined && { deviceType }),
        algorithm,
        kcv: kcv.slice(0, KCV_BYTES * 2),
        key: info.key,
        ...(masked !== undefined && { masked }),
      },
    ];
  });
}

/** The whole check block as hex. */
function checkOf(token: Pkcs11Token, { key, type }: TokenKeyInfo): string {
  return toHex(type === 'des2' ? token.encryptEcb(key, 'des2', ZERO_BLOCK) : token.zeroCmac(key));
}

/**
 * Takes a base key into a token, where it stays; gives its label.
 * @throws KeyStoreError badKey, badUse, kcvMismatch, testKeyInLive, keyExists; SecurityModuleError unavailable
 */
export function importBaseKey(
  token: Pkcs11Token,
  mode: KeyMode,
  input: Pick<NewKey, 'algorithm' | 'scope' | 'deviceType' | 'key' | 'expectedKcv'> & {
    readonly usage: BaseKeyUsage;
  },
): string {
  const { usage, algorithm, scope, deviceType, key, expectedKcv } = input;
  const bare = label(usage, scope, 'key');
  const name = label(usage, scope, 'key', deviceType);
  if (!LABEL.test(name))
    throw new KeyStoreError('badKey', `the scope of ${usage} must be up to 24 uppercase hex digits`);
  requireFit({ ...input, id: name, label: '' });
  requireDeviceType({ ...input, id: name, label: '' });
  const kcv = checkValue(algorithm, key);
  if (expectedKcv !== undefined && expectedKcv.toUpperCase() !== kcv)
    throw new KeyStoreError('kcvMismatch', `${name}: the key gives ${kcv}`);
  if (mode === 'live' && isTestKey(key)) throw new KeyStoreError('testKeyInLive', name);
  const listed = token.list();
  // One key of a use and scope, whatever its device type.
  const taken = listed.some((info) => info.label === bare || info.label.startsWith(`${bare}/`));
  if (taken) throw new KeyStoreError('keyExists', name);
  if (algorithm !== 'tdes2') {
    token.create(name, 'aes', key, algorithm === 'aes128' ? 'derive' : 'encrypt');
    return name;
  }
  const maskedName = label(usage, scope, 'masked');
  const masked = xorBytes(key, HALF_MASK);
  try {
    // One that is left of an import that broke off belongs to no key.
    for (const info of listed) if (info.label === maskedName) token.destroy(info.key);
    // The masked key first: a key that is there is whole.
    token.create(maskedName, 'des2', masked, 'encrypt');
    token.create(name, 'des2', key, 'encrypt');
  } finally {
    wipe(masked);
  }
  return name;
}
