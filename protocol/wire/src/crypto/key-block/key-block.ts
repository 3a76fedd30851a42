import { equalConstantTime, fromHex, toHex, wipe } from '../../bytes.js';
import { CryptoError } from '../ciphers/errors.js';
import {
  type KeyBlockHeader,
  type KeyBlockVersion,
  readKeyBlockHeader,
  writeKeyBlockHeader,
} from './key-block-header.js';
import {
  KEY_BLOCK_METHODS,
  type KeyBlockKeys,
  type KeyBlockMethod,
  keyBlockKeys,
  type ProtectionKey,
} from './key-block-keys.js';

/** An unwrapped key with the header of its block. The caller wipes the key. */
export interface UnwrappedKey {
  readonly header: KeyBlockHeader;
  readonly key: Buffer;
}

/** How to open a block. */
interface UnwrapOptions {
  /** Versions A and C are opened only where this stands: nothing should be stored under them any more. */
  readonly legacyVersions?: 'accept';
}

const LEGACY: readonly KeyBlockVersion[] = ['A', 'C'];

/**
 * Opens a key block of TR-31:2018 or X9.143:2021. Checked in this order: policy, header, length, encoding, protection key, MAC, key; the
 * first broken rule is the error. Padding of either edition is accepted.
 * @param kbpk key block protection key, as bytes or where it is
 * @throws CryptoError notAllowed, badHeader, badLength, badEncoding, badKbpk, badMac, badKey
 */
export function unwrapKeyBlock(
  kbpk: ProtectionKey,
  block: string,
  options: UnwrapOptions = {},
): UnwrappedKey {
  requireVersionAllowed(block, options);
  const { header, declaredLength, headerLength } = readKeyBlockHeader(block);
  const method = KEY_BLOCK_METHODS[header.version];
  requireLengths(block, declaredLength, headerLength, method);
  const rest = block.slice(headerLength);
  if (!/^[0-9A-F]*$/i.test(rest)) throw new CryptoError('badEncoding', 'behind the header');
  const keys = keyBlockKeys(header.version, kbpk);
  const cut = rest.length - method.macBytes * 2;
  if (cut % (method.blockBytes * 2) !== 0) {
    wipe(keys.encryption, keys.mac);
    throw new CryptoError('badLength', 'the key data are no whole blocks');
  }
  const clear = openVerified(
    method,
    keys,
    Buffer.from(block.slice(0, headerLength), 'latin1'),
    fromHex(rest.slice(0, cut)),
    fromHex(rest.slice(cut)),
  );
  try {
    return { header, key: readKeyData(clear) };
  } finally {
    wipe(clear);
  }
}

function requireVersionAllowed(block: string, options: UnwrapOptions): void {
  const isLegacy = LEGACY.some((version) => block.startsWith(version));
  if (isLegacy && options.legacyVersions !== 'accept') {
    throw new CryptoError(
      'notAllowed',
      'key block versions A and C are opened only where legacy versions are accepted',
    );
  }
}

function requireLengths(block: string, declared: number, headerLength: number, method: KeyBlockMethod): void {
  if (declared !== block.length) {
    throw new CryptoError('badLength', `the block has ${block.length} characters and declares ${declared}`);
  }
  if (block.length % method.blockBytes !== 0) {
    throw new CryptoError('badLength', `${block.length} characters are no multiple of ${method.blockBytes}`);
  }
  const keyDigits = block.length - headerLength - method.macBytes * 2;
  if (keyDigits < method.blockBytes * 2) {
    throw new CryptoError('badLength', 'no room for a block of key data and the MAC');
  }
}

/** Deciphers and checks the MAC; wipes the keys, and the data when the MAC differs. */
function openVerified(
  method: KeyBlockMethod,
  keys: KeyBlockKeys,
  header: Buffer,
  enciphered: Buffer,
  mac: Buffer,
): Buffer {
  const iv = method.macOver === 'enciphered' ? header.subarray(0, method.blockBytes) : mac;
  const clear = method.decrypt(keys.encryption, iv, enciphered);
  const covered = Buffer.concat([header, method.macOver === 'enciphered' ? enciphered : clear]);
  const expected = method.mac(keys.mac, covered);
  const isRight = equalConstantTime(expected, mac);
  wipe(keys.encryption, keys.mac, covered);
  if (isRight) return clear;
  wipe(clear);
  throw new CryptoError('badMac');
}

/** The key out of its length in bits, the key, and padding. */
function readKeyData(clear: Buffer): Buffer {
  const bits = clear.readUInt16BE(0);
  const bytes = bits / 8;
  if (bits === 0 || bits % 8 !== 0 || bytes > clear.length - 2) {
    throw new CryptoError('badKey', `${bits} bits in ${clear.length - 2} bytes`);
  }
  return Buffer.from(clear.subarray(2, 2 + bytes));
}

/** How to close a block. */
interface WrapOptions {
  /** Random bytes for the padding behind the key. */
  readonly random: (length: number) => Uint8Array;
  /** Bytes that the key field is filled up to, so that the length of the key does not show; the key's own length by default. */
  readonly maskedKeyBytes?: number;
}

/**
 * Closes a key into a key block, versions B and D alone.
 * @throws CryptoError notAllowed (A, C), badHeader, badLength, badKbpk, badKeyLength
 */
export function wrapKeyBlock(
  kbpk: Uint8Array,
  header: KeyBlockHeader,
  key: Uint8Array,
  options: WrapOptions,
): string {
  if (LEGACY.includes(header.version))
    throw new CryptoError('notAllowed', 'key blocks of versions A and C are not written');
  const method = KEY_BLOCK_METHODS[header.version];
  const clear = keyData(key, method.blockBytes, options);
  const text = writeKeyBlockHeader(header, (clear.length + method.macBytes) * 2, method.blockBytes);
  const keys = keyBlockKeys(header.version, kbpk);
  const covered = Buffer.concat([Buffer.from(text, 'latin1'), clear]);
  const mac = method.mac(keys.mac, covered);
  const enciphered = method.encrypt(keys.encryption, mac, clear);
  wipe(keys.encryption, keys.mac, covered, clear);
  return `${text}${toHex(enciphered)}${toHex(mac)}`;
}

function keyData(key: Uint8Array, blockBytes: number, { random, maskedKeyBytes }: WrapOptions): Buffer {
  if (key.length === 0 || key.length > 0x1fff) throw new CryptoError('badKeyLength', `${key.length} bytes`);
  const field = 2 + Math.max(key.length, maskedKeyBytes ?? 0);
  const clear = Buffer.alloc(Math.ceil(field / blockBytes) * blockBytes);
  clear.writeUInt16BE(key.length * 8, 0);
  clear.set(key, 2);
  clear.set(random(clear.length - 2 - key.length), 2 + key.length);
  return clear;
}
