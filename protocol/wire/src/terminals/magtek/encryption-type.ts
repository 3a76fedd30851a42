import { AES_BLOCK_BYTES } from '../../crypto/ciphers/aes.js';
import { DES_BLOCK_BYTES } from '../../crypto/ciphers/tdes.js';
import type { AesKeyUsage } from '../../crypto/dukpt/dukpt-aes.js';
import { TerminalFormatError } from '../format-error.js';

/** Encryption type bits: DUKPT (80), algorithm (00, 10, 20), and what the key is for. */
export const ENCRYPTION_TYPES = {
  tdesData: 0x80,
  tdesPin: 0x81,
  tdesMac: 0x82,
  aes128Data: 0x9b,
  aes128Pin: 0x97,
  aes128Mac: 0x98,
} as const;

const ALGORITHM_BITS = 0x30;
const USAGE_BITS = 0x0f;

/** Uses of AES working keys by the low half of the type. */
const AES_USAGES: ReadonlyMap<number, AesKeyUsage> = new Map([
  [0x07, 'pin'],
  [0x08, 'macGeneration'],
  [0x09, 'macVerification'],
  [0x0a, 'macBothWays'],
  [0x0b, 'dataEncrypt'],
  [0x0c, 'dataDecrypt'],
  [0x0d, 'dataBothWays'],
]);

/** Bytes of a cipher block under a key of an encryption type. */
export function blockBytesOf(type: number): number {
  return (type & ALGORITHM_BITS) === 0 ? DES_BLOCK_BYTES : AES_BLOCK_BYTES;
}

/**
 * What an AES working key is for, by its encryption type; undefined for one of TDES.
 * @throws TerminalFormatError when the text lists no such use
 */
export function aesUsageOf(type: number): AesKeyUsage | undefined {
  if ((type & ALGORITHM_BITS) === 0) return undefined;
  const usage = AES_USAGES.get(type & USAGE_BITS);
  if (usage === undefined)
    throw new TerminalFormatError('encryption type', 'names a use of AES that is not listed');
  return usage;
}
