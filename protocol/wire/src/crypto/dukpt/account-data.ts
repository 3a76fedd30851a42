import { wipe } from '../../bytes.js';
import { decodeTlv, findTlv, TlvError, type TlvNode } from '../../emv/tlv.js';
import { aesDecryptCbc } from '../ciphers/aes.js';
import { CryptoError } from '../ciphers/errors.js';
import { unpadBit } from '../ciphers/padding.js';
import { tdesDecryptCbc } from '../ciphers/tdes.js';
import { aesWorkingKey, deriveAesTransactionKey } from './dukpt-aes.js';
import { dataKeyVariant, deriveTransactionKey, workingKey } from './dukpt-tdes.js';

/** How one model of reader enciphers account data. Readers differ in every one of these, so none is a constant. */
export interface AccountDataProfile {
  readonly dukpt: 'tdes' | 'aes';
  /** TDES: the data key with its one-way step, the bare data variant, or the PIN variant that some readers use for data. */
  readonly tdesKey?: 'dataRequest' | 'dataResponse' | 'dataVariant' | 'pin';
  /** AES: algorithm of the working key; X9.24-3 derives TDES keys too. */
  readonly aesKey?: 'aes128' | 'aes192' | 'aes256' | 'tdes2' | 'tdes3';
  /** AES: which usage the reader derives. */
  readonly aesUsage?: 'dataEncrypt' | 'dataDecrypt' | 'dataBothWays';
  readonly padding: 'iso9797Method2' | 'zeros' | 'none';
}

/** Account data as read from the container; the caller wipes or stores it in the vault. */
interface AccountData {
  /** The container without padding. */
  readonly plaintext: Buffer;
  readonly pan: string;
  /** Track 2 with `D` as separator. */
  readonly track2: string;
  /** `YYMM`. */
  readonly expiry: string;
}

/**
 * Deciphers what a reader sent, and takes the padding off.
 * @param initialKey the device's initial key
 * @throws CryptoError badPadding, badCounter, badKsn, badDataLength, badIv, badKeyLength
 */
export function decipherAccountData(
  profile: AccountDataProfile,
  initialKey: Uint8Array,
  ksn: Uint8Array,
  iv: Uint8Array,
  data: Uint8Array,
): Buffer {
  const key = dataKey(profile, initialKey, ksn);
  const padded = enciphersWithAes(profile) ? aesDecryptCbc(key, iv, data) : tdesDecryptCbc(key, iv, data);
  wipe(key);
  if (profile.padding !== 'iso9797Method2') return padded;
  try {
    return unpadBit(padded);
  } finally {
    wipe(padded);
  }
}

function enciphersWithAes({ dukpt, aesKey = 'aes128' }: AccountDataProfile): boolean {
  return dukpt === 'aes' && aesKey !== 'tdes2' && aesKey !== 'tdes3';
}

function dataKey(profile: AccountDataProfile, initialKey: Uint8Array, ksn: Uint8Array): Buffer {
  if (profile.dukpt === 'aes') {
    const transaction = deriveAesTransactionKey(initialKey, ksn);
    const key = aesWorkingKey(
      transaction,
      ksn,
      profile.aesUsage ?? 'dataEncrypt',
      profile.aesKey ?? 'aes128',
    );
    wipe(transaction);
    return key;
  }
  const transaction = deriveTransactionKey(initialKey, ksn);
  const kind = profile.tdesKey ?? 'dataRequest';
  const key =
    kind === 'dataVariant' ? dataKeyVariant(transaction, 'dataRequest') : workingKey(transaction, kind);
  wipe(transaction);
  return key;
}

/**
 * Reads a BER-TLV container with PAN (5A), track 2 (57) and expiry (5F24).
 * @throws CryptoError malformed (not BER-TLV, or one of the three is missing or not of its form)
 */
export function readAccountData(plaintext: Buffer): AccountData {
  const nodes = decodeContainer(plaintext);
  return {
    plaintext,
    pan: required(nodes, '5A', /^(\d{8,19})F*$/),
    track2: required(nodes, '57', /^(\d{8,19}D\d{4,})F*$/),
    expiry: required(nodes, '5F24', /^(\d{4})/),
  };
}

function decodeContainer(plaintext: Buffer): TlvNode[] {
  try {
    return decodeTlv(plaintext);
  } catch (error) {
    if (error instanceof TlvError) throw new CryptoError('malformed', `account data: ${error.code}`);
    throw error;
  }
}

function required(nodes: readonly TlvNode[], tag: string, form: RegExp): string {
  const value = findTlv(nodes, tag);
  if (value === undefined) throw new CryptoError('malformed', `account data has no tag ${tag}`);
  const digits = form.exec(Buffer.from(value).toString('hex').toUpperCase())?.[1];
  if (digits === undefined) throw new CryptoError('malformed', `account data: tag ${tag} is not of its form`);
  return digits;
}
