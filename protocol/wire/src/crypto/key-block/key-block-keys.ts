import { wipe } from '../../bytes.js';
import { aesDecryptCbc, aesEncryptCbc } from '../ciphers/aes.js';
import { CmacKey } from '../ciphers/cmac.js';
import { CryptoError } from '../ciphers/errors.js';
import { aesCmac, iso9797Algorithm1, tdesCmac } from '../ciphers/mac.js';
import { tdesDecryptCbc, tdesEncryptCbc } from '../ciphers/tdes.js';
import type { KeyBlockVersion } from './key-block-header.js';

/** How a version binds header and key. */
export interface KeyBlockMethod {
  /** Bytes of a cipher block. */
  readonly blockBytes: number;
  readonly macBytes: number;
  /** Key block protection keys that it takes, bytes. */
  readonly kbpkBytes: readonly number[];
  /** Whether the MAC is over the enciphered key (variants) or over the clear one (derived keys). */
  readonly macOver: 'enciphered' | 'clear';
  readonly encrypt: (key: Uint8Array, iv: Uint8Array, data: Uint8Array) => Buffer;
  readonly decrypt: (key: Uint8Array, iv: Uint8Array, data: Uint8Array) => Buffer;
  readonly mac: (key: Uint8Array, data: Uint8Array) => Buffer;
  readonly keys: (kbpk: Uint8Array) => KeyBlockKeys;
}

/** Encipherment and authentication keys of one protection key; wiped after use. */
export interface KeyBlockKeys {
  readonly encryption: Buffer;
  readonly mac: Buffer;
}

/** Bytes that make the variants of versions A and C: "E" and "M". */
const VARIANT_ENCRYPTION = 0x45;
const VARIANT_MAC = 0x4d;

function variantKeys(kbpk: Uint8Array): KeyBlockKeys {
  return {
    encryption: Buffer.from(kbpk.map((byte) => byte ^ VARIANT_ENCRYPTION)),
    mac: Buffer.from(kbpk.map((byte) => byte ^ VARIANT_MAC)),
  };
}

/** Usage field of the derivation input. */
const USAGE_ENCRYPTION = 0x0000;
const USAGE_MAC = 0x0001;

/** A protection key that is not at hand as bytes: CMAC is all that versions B and D ask of it. */
interface RemoteProtectionKey {
  readonly cipher: 'tdes' | 'aes';
  /** Length of the key. */
  readonly bytes: number;
  /** The whole CMAC. */
  readonly cmac: (data: Uint8Array) => Buffer;
}

/** A key block protection key, as bytes or where it is. */
export type ProtectionKey = Uint8Array | RemoteProtectionKey;

interface Derivation {
  readonly cmacKey: (key: Uint8Array) => CmacKey;
  /** Algorithm indicator by length of the protection key (X9.143 table 19 and 21). */
  readonly algorithms: Readonly<Record<number, number>>;
}

const TDES_DERIVATION: Derivation = { cmacKey: CmacKey.tdes, algorithms: { 16: 0x0000, 24: 0x0001 } };
const AES_DERIVATION: Derivation = {
  cmacKey: CmacKey.aes,
  algorithms: { 16: 0x0002, 24: 0x0003, 32: 0x0004 },
};

type Cmac = (data: Uint8Array) => Buffer;

function derived(cmac: Cmac, usage: number, bytes: number, algorithm: number): Buffer {
  const input = Buffer.alloc(8);
  input.writeUInt16BE(usage, 1);
  input.writeUInt16BE(algorithm, 4);
  input.writeUInt16BE(bytes * 8, 6);
  const key = Buffer.alloc(bytes);
  for (let counter = 1, at = 0; at < bytes; counter += 1) {
    input[0] = counter;
    const block = cmac(input);
    block.copy(key, at);
    at += block.length;
    wipe(block);
  }
  return key;
}

function derivedBy(cmac: Cmac, bytes: number, { algorithms }: Derivation): KeyBlockKeys {
  const algorithm = algorithms[bytes] ?? 0;
  return {
    encryption: derived(cmac, USAGE_ENCRYPTION, bytes, algorithm),
    mac: derived(cmac, USAGE_MAC, bytes, algorithm),
  };
}

function derivedKeys(derivation: Derivation): (kbpk: Uint8Array) => KeyBlockKeys {
  return (kbpk) => {
    const protection = derivation.cmacKey(kbpk);
    try {
      return derivedBy((data) => protection.mac(data), kbpk.length, derivation);
    } finally {
      protection.dispose();
    }
  };
}

const VARIANT_METHOD: KeyBlockMethod = {
  blockBytes: 8,
  macBytes: 4,
  kbpkBytes: [8, 16, 24],
  macOver: 'enciphered',
  encrypt: tdesEncryptCbc,
  decrypt: tdesDecryptCbc,
  mac: (key, data) => iso9797Algorithm1(key, data, 'iso9797Method1').subarray(0, 4),
  keys: variantKeys,
};

/** The four versions (TR-31:2018, X9.143:2021). */
export const KEY_BLOCK_METHODS: Readonly<Record<KeyBlockVersion, KeyBlockMethod>> = {
  A: VARIANT_METHOD,
  B: {
    blockBytes: 8,
    macBytes: 8,
    kbpkBytes: [16, 24],
    macOver: 'clear',
    encrypt: tdesEncryptCbc,
    decrypt: tdesDecryptCbc,
    mac: tdesCmac,
    keys: derivedKeys(TDES_DERIVATION),
  },
  C: VARIANT_METHOD,
  D: {
    blockBytes: 16,
    macBytes: 16,
    kbpkBytes: [16, 24, 32],
    macOver: 'clear',
    encrypt: aesEncryptCbc,
    decrypt: aesDecryptCbc,
    mac: aesCmac,
    keys: derivedKeys(AES_DERIVATION),
  },
};

/**
 * The keys of a version.
 * @throws CryptoError badKbpk
 */
export function keyBlockKeys(version: KeyBlockVersion, kbpk: ProtectionKey): KeyBlockKeys {
  const method = KEY_BLOCK_METHODS[version];
  const bytes = kbpk instanceof Uint8Array ? kbpk.length : kbpk.bytes;
  if (!method.kbpkBytes.includes(bytes)) {
    throw new CryptoError(
      'badKbpk',
      `${bytes} bytes, version ${version} takes ${method.kbpkBytes.join(', ')}`,
    );
  }
  if (kbpk instanceof Uint8Array) return method.keys(kbpk);
  const derivation = REMOTE_DERIVATIONS[version];
  if (derivation?.cipher !== kbpk.cipher)
    throw new CryptoError('badKbpk', `a ${kbpk.cipher} key opens no block of version ${version}`);
  return derivedBy(kbpk.cmac, kbpk.bytes, derivation);
}

/** Versions A and C mask the key's own bytes, which a key that stays elsewhere does not give. */
const REMOTE_DERIVATIONS: Partial<Record<KeyBlockVersion, Derivation & { readonly cipher: 'tdes' | 'aes' }>> =
  {
    B: { ...TDES_DERIVATION, cipher: 'tdes' },
    D: { ...AES_DERIVATION, cipher: 'aes' },
  };
