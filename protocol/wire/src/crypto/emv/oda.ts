import { createHash } from 'node:crypto';
import { equalConstantTime } from '../../bytes.js';
import { CryptoError } from '../ciphers/errors.js';
import { recover, requireHash } from './oda-certificates.js';
import type { RsaPublicKey } from './rsa-recovery.js';

/** Byte for the hash algorithm of the signed data: SHA-1. */
const SHA1 = 0x01;
/** Format bytes of signed static and dynamic data (EMV Book 2 tables 7 and 17). */
const FORMATS = { static: 0x03, dynamic: 0x05 } as const;

/** Result of static data authentication. */
interface StaticAuthentication {
  /** Data authentication code, tag 9F45, 2 bytes. */
  readonly dac: Buffer;
  /** Whether the hash was compared: it covers the static data, which the caller may not have. */
  readonly hashChecked: boolean;
}

/**
 * Static data authentication (EMV Book 2 §5.4).
 * @param ssad signed static application data, tag 93
 * @throws CryptoError badSsad
 */
export function verifyStaticData(
  issuer: RsaPublicKey,
  ssad: Uint8Array,
  staticData: Uint8Array | undefined,
): StaticAuthentication {
  const recovered = recover(issuer, ssad, FORMATS.static, 'badSsad');
  if (recovered.body[0] !== SHA1) throw new CryptoError('badSsad', 'hash algorithm');
  if (staticData !== undefined) requireHash(recovered, [staticData], 'badSsad');
  return { dac: recovered.body.subarray(1, 3), hashChecked: staticData !== undefined };
}

/** What signed dynamic data contain. */
interface DynamicAuthentication {
  /** The card's dynamic data as signed. */
  readonly iccDynamicData: Buffer;
  /** Tag 9F4C, 2 to 8 bytes. */
  readonly iccDynamicNumber: Buffer;
}

/**
 * Dynamic data authentication (EMV Book 2 §6.5).
 * @param sdad signed dynamic application data, tag 9F4B
 * @param terminalData the DDOL's values
 * @throws CryptoError badSdad
 */
export function verifyDynamicData(
  icc: RsaPublicKey,
  sdad: Uint8Array,
  terminalData: Uint8Array,
): DynamicAuthentication {
  const recovered = recover(icc, sdad, FORMATS.dynamic, 'badSdad');
  requireHash(recovered, [terminalData], 'badSdad');
  const [hashAlgorithm, length = 0] = recovered.body;
  const iccDynamicData = recovered.body.subarray(2, 2 + length);
  if (hashAlgorithm !== SHA1 || iccDynamicData.length !== length) {
    throw new CryptoError('badSdad', 'hash algorithm or length of the dynamic data');
  }
  const numberLength = iccDynamicData[0] ?? 0;
  const iccDynamicNumber = iccDynamicData.subarray(1, 1 + numberLength);
  if (iccDynamicNumber.length !== numberLength)
    throw new CryptoError('badSdad', 'length of the dynamic number');
  return { iccDynamicData, iccDynamicNumber };
}

/** What combined authentication proves besides. */
export interface CombinedAuthentication extends DynamicAuthentication {
  /** Cryptogram information data, tag 9F27. */
  readonly cid: number;
  /** Tag 9F26, 8 bytes. */
  readonly applicationCryptogram: Buffer;
  /** SHA-1 over the transaction's data, 20 bytes. */
  readonly transactionDataHashCode: Buffer;
  /** Whether the transaction data hash was compared. */
  readonly transactionHashChecked: boolean;
}

/** The transaction's data, whose hash the card signed. */
export interface TransactionData {
  /** Values of the PDOL, and of CDOL1 (and of CDOL2 at the second GENERATE AC). */
  readonly pdolData: Uint8Array;
  readonly cdolData: Uint8Array;
  /** The response to GENERATE AC: its data objects without tag 9F4B. */
  readonly genAcResponse: Uint8Array;
}

/** Where the parts behind the dynamic number begin (EMV Book 2 table 19): CID, cryptogram, hash; and where they end. */
const PARTS = { cryptogram: 1, hash: 9, end: 29 } as const;

/**
 * Combined dynamic data authentication and application cryptogram (EMV Book 2 §6.6).
 * @param unpredictableNumber tag 9F37, 4 bytes
 * @param transaction compared where it is given
 * @throws CryptoError badSdad
 */
export function verifyCombinedData(
  icc: RsaPublicKey,
  sdad: Uint8Array,
  unpredictableNumber: Uint8Array,
  transaction: TransactionData | undefined,
): CombinedAuthentication {
  const dynamic = verifyDynamicData(icc, sdad, unpredictableNumber);
  const rest = dynamic.iccDynamicData.subarray(1 + dynamic.iccDynamicNumber.length);
  if (rest.length < PARTS.end) {
    throw new CryptoError('badSdad', 'the dynamic data have no cryptogram and hash');
  }
  const signedHash = rest.subarray(PARTS.hash, PARTS.end);
  if (transaction !== undefined) requireTransactionHash(signedHash, transaction);
  return {
    ...dynamic,
    cid: rest[0] ?? 0,
    applicationCryptogram: rest.subarray(PARTS.cryptogram, PARTS.hash),
    transactionDataHashCode: signedHash,
    transactionHashChecked: transaction !== undefined,
  };
}

function requireTransactionHash(signed: Uint8Array, data: TransactionData): void {
  const hash = createHash('sha1')
    .update(data.pdolData)
    .update(data.cdolData)
    .update(data.genAcResponse)
    .digest();
  if (!equalConstantTime(hash, signed)) throw new CryptoError('badSdad', 'transaction data hash');
}
