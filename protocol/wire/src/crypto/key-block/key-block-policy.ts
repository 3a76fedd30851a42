import { wipe } from '../../bytes.js';
import { CryptoError } from '../ciphers/errors.js';
import { hasOddParity } from '../ciphers/tdes.js';
import { type UnwrappedKey, unwrapKeyBlock } from './key-block.js';
import type { KeyBlockHeader } from './key-block-header.js';
import type { ProtectionKey } from './key-block-keys.js';

/** What a key may be used for; checked at import and at every use. */
interface KeyUse {
  /** Usages of the header that allow it, such as `B0` for a base derivation key. */
  readonly usages: readonly string[];
  /** Modes of the header that allow it, such as `X` (derive) or `N` (no restriction). */
  readonly modes: readonly string[];
  readonly algorithms: readonly string[];
}

/** The uses that this system has for keys (X9.143 tables 5 to 8). */
const KEY_USES = {
  baseDerivation: { usages: ['B0'], modes: ['X', 'N'], algorithms: ['T', 'A'] },
  pinDecipher: { usages: ['P0'], modes: ['D', 'B', 'N'], algorithms: ['T', 'A'] },
  pinEncipher: { usages: ['P0'], modes: ['E', 'B', 'N'], algorithms: ['T', 'A'] },
  pinVerificationVisa: { usages: ['V2', 'V0'], modes: ['C', 'V', 'N'], algorithms: ['T'] },
  pinVerificationIbm: { usages: ['V1', 'V0'], modes: ['C', 'V', 'N'], algorithms: ['T'] },
  cardVerification: { usages: ['C0'], modes: ['C', 'V', 'G', 'N'], algorithms: ['T'] },
  issuerMasterAc: { usages: ['E0'], modes: ['X', 'N'], algorithms: ['T'] },
  issuerMasterSmc: { usages: ['E1'], modes: ['X', 'N'], algorithms: ['T'] },
  issuerMasterSmi: { usages: ['E2'], modes: ['X', 'N'], algorithms: ['T'] },
  // One key makes and checks codes, by ISO 9797-1 algorithm 1 with TDES (M0, ISO 16609), algorithm 3 (M3) or CMAC (M5, M6).
  messageCode: { usages: ['M0', 'M3', 'M5', 'M6'], modes: ['C', 'N'], algorithms: ['T', 'A'] },
  dataDecipher: { usages: ['D0'], modes: ['D', 'B', 'N'], algorithms: ['T', 'A'] },
  keyEncipherment: { usages: ['K0'], modes: ['B', 'D', 'N'], algorithms: ['T'] },
  keyBlockProtection: { usages: ['K0', 'K1'], modes: ['B', 'D', 'E', 'N'], algorithms: ['T', 'A'] },
} as const satisfies Readonly<Record<string, KeyUse>>;

/** A use by name. */
export type KeyUseName = keyof typeof KEY_USES;

/**
 * Refuses a key whose header does not allow a use.
 * @throws CryptoError notAllowed naming the field
 */
export function requireKeyUse(header: KeyBlockHeader, name: KeyUseName): void {
  const use: KeyUse = KEY_USES[name];
  const checks = [
    ['usage', header.usage, use.usages],
    ['mode', header.mode, use.modes],
    ['algorithm', header.algorithm, use.algorithms],
  ] as const;
  for (const [field, value, allowed] of checks) {
    if (!allowed.includes(value)) {
      throw new CryptoError(
        'notAllowed',
        `key ${field} ${value} does not allow ${name}; ${allowed.join(', ')} would`,
      );
    }
  }
}

/** Key lengths by algorithm of the header, bytes. */
const KEY_BYTES: Readonly<Record<string, readonly number[]>> = { T: [16, 24], A: [16, 24, 32] };

/** Bits of security by algorithm of the header and bytes of the key (NIST SP 800-57 Part 1 Rev. 5, table 2; TDES with two keys: 80 at most). */
const STRENGTH_BITS: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  T: { 16: 80, 24: 112 },
  A: { 16: 128, 24: 192, 32: 256 },
};

/** Algorithm of a key as headers name it, and its length. */
interface KeyKind {
  /** `T` for TDES, `A` for AES. */
  readonly algorithm: string;
  readonly bytes: number;
}

/**
 * Refuses a key that is stronger than what protected it on its way: it is worth no more than that.
 * @throws CryptoError weakProtection naming both strengths
 */
export function requireProtection(by: KeyKind, inside: KeyKind): void {
  const protection = STRENGTH_BITS[by.algorithm]?.[by.bytes] ?? 0;
  const needed = STRENGTH_BITS[inside.algorithm]?.[inside.bytes] ?? Number.POSITIVE_INFINITY;
  if (protection < needed)
    throw new CryptoError('weakProtection', `${protection} bits of security protect ${needed}`);
}

function protectionKind(kbpk: ProtectionKey, { version }: KeyBlockHeader): KeyKind {
  const bytes = kbpk instanceof Uint8Array ? kbpk.length : kbpk.bytes;
  return { algorithm: version === 'B' ? 'T' : 'A', bytes };
}

/**
 * Opens a key block for the key store: versions B and D alone, a use that the header allows, a length of the algorithm, odd parity
 * for TDES, and a protection key that is not weaker than the key.
 * @throws CryptoError notAllowed, badKeyLength, badParity, weakProtection, and what `unwrapKeyBlock` throws
 */
export function importKeyBlock(kbpk: ProtectionKey, block: string, use: KeyUseName): UnwrappedKey {
  const unwrapped = unwrapKeyBlock(kbpk, block);
  try {
    requireKeyUse(unwrapped.header, use);
    const { algorithm } = unwrapped.header;
    if (!(KEY_BYTES[algorithm] ?? []).includes(unwrapped.key.length)) {
      throw new CryptoError('badKeyLength', `${unwrapped.key.length} bytes for algorithm ${algorithm}`);
    }
    if (algorithm === 'T' && !hasOddParity(unwrapped.key)) throw new CryptoError('badParity');
    const inside = { algorithm, bytes: unwrapped.key.length };
    requireProtection(protectionKind(kbpk, unwrapped.header), inside);
    return unwrapped;
  } catch (error) {
    wipe(unwrapped.key);
    throw error;
  }
}
