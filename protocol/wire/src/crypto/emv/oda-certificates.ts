import { createHash } from 'node:crypto';
import { equalConstantTime } from '../../bytes.js';
import { CryptoError, type CryptoRule } from '../ciphers/errors.js';
import { type RsaPublicKey, rsaRecover } from './rsa-recovery.js';

/** Bytes that every recovered message begins and ends with (EMV Book 2 tables 6 to 24). */
const FRAME = { header: 0x6a, trailer: 0xbc } as const;
/** Hash algorithm and public key algorithm: SHA-1 and RSA, the only ones of this edition. */
const ALGORITHMS = { sha1: 0x01, rsa: 0x01 } as const;
const HASH_BYTES = 20;

/** A recovered message: what stands between header and hash, and the hash. */
interface Recovered {
  /** Behind header and format byte. */
  readonly body: Buffer;
  readonly format: number;
  readonly hash: Buffer;
  /** All that the hash covers of the message itself: from the format byte up to the hash. */
  readonly covered: Buffer;
}

/**
 * Recovers a message and checks header, format and trailer.
 * @throws CryptoError with the given rule
 */
export function recover(
  key: RsaPublicKey,
  signature: Uint8Array,
  format: number,
  rule: CryptoRule,
): Recovered {
  const message = rsaRecover(key, signature);
  if (message === undefined) throw new CryptoError(rule, 'its length is not that of the key');
  const isWhole =
    message[0] === FRAME.header && message[1] === format && message[message.length - 1] === FRAME.trailer;
  if (!isWhole) throw new CryptoError(rule, 'header, format or trailer');
  const hashAt = message.length - 1 - HASH_BYTES;
  return {
    body: message.subarray(2, hashAt),
    format,
    hash: message.subarray(hashAt, hashAt + HASH_BYTES),
    covered: message.subarray(1, hashAt),
  };
}

/**
 * Compares the hash of a recovered message, continued by what the card sent in clear.
 * @throws CryptoError with the given rule
 */
export function requireHash(recovered: Recovered, rest: readonly Uint8Array[], rule: CryptoRule): void {
  const hash = createHash('sha1').update(recovered.covered);
  for (const part of rest) hash.update(part);
  if (!equalConstantTime(hash.digest(), recovered.hash)) throw new CryptoError(rule, 'hash');
}

/** What a card sends to let its key be recovered. */
interface CertificateInput {
  readonly certificate: Uint8Array;
  readonly remainder: Uint8Array;
  readonly exponent: Uint8Array;
}

/** An issuer public key with the data of its certificate. */
export interface IssuerCertificate extends RsaPublicKey {
  /** Leftmost 3 to 8 PAN digits. */
  readonly issuerIdentifier: string;
  /** `MMYY`. */
  readonly expiry: string;
  readonly serial: Buffer;
}

/** A card public key with the data of its certificate. */
export interface IccCertificate extends RsaPublicKey {
  readonly pan: string;
  /** `MMYY`. */
  readonly expiry: string;
  readonly serial: Buffer;
  /** Whether the hash was compared: it covers the static data, which the caller may not have. */
  readonly hashChecked: boolean;
}

/** Offsets in the body of a certificate, where the layouts of issuer and card differ by the length of the first field. */
interface Layout {
  readonly identifierBytes: number;
  readonly format: number;
  readonly rule: CryptoRule;
}

const ISSUER: Layout = { identifierBytes: 4, format: 0x02, rule: 'badIssuerCertificate' };
const ICC: Layout = { identifierBytes: 10, format: 0x04, rule: 'badIccCertificate' };

interface CertificateFields {
  readonly identifier: string;
  readonly expiry: string;
  readonly serial: Buffer;
  readonly modulus: Buffer;
}

/** Splits a body into its fields and completes the modulus with the remainder. */
function readFields(body: Buffer, input: CertificateInput, layout: Layout): CertificateFields {
  const at = layout.identifierBytes;
  const [hashAlgorithm, keyAlgorithm, modulusBytes = 0, exponentBytes] = body.subarray(at + 5, at + 9);
  if (hashAlgorithm !== ALGORITHMS.sha1 || keyAlgorithm !== ALGORITHMS.rsa)
    throw new CryptoError(layout.rule, 'algorithm');
  const leftmost = body.subarray(at + 9);
  const inside = Math.min(modulusBytes, leftmost.length);
  const modulus = Buffer.concat([leftmost.subarray(0, inside), input.remainder]);
  if (modulus.length !== modulusBytes || exponentBytes !== input.exponent.length) {
    throw new CryptoError(layout.rule, 'key length');
  }
  return {
    identifier: body.subarray(0, at).toString('hex').toUpperCase().replace(/F+$/, ''),
    expiry: body.subarray(at, at + 2).toString('hex'),
    serial: body.subarray(at + 2, at + 5),
    modulus,
  };
}

/**
 * The issuer's key (EMV Book 2 §5.3, §6.3). Expiry is returned, not judged: the caller has the clock.
 * @throws CryptoError badIssuerCertificate
 */
export function recoverIssuerKey(capk: RsaPublicKey, input: CertificateInput): IssuerCertificate {
  const recovered = recover(capk, input.certificate, ISSUER.format, ISSUER.rule);
  requireHash(recovered, [input.remainder, input.exponent], ISSUER.rule);
  const { identifier, expiry, serial, modulus } = readFields(recovered.body, input, ISSUER);
  return { modulus, exponent: input.exponent, issuerIdentifier: identifier, expiry, serial };
}

/**
 * The card's key (EMV Book 2 §6.4).
 * @param pan must be the one of the certificate
 * @param staticData data that the hash covers, with the AIP where tag 9F4A requires it; without it the hash is not compared
 * @throws CryptoError badIccCertificate
 */
export function recoverIccKey(
  issuer: RsaPublicKey,
  input: CertificateInput,
  pan: string,
  staticData: Uint8Array | undefined,
): IccCertificate {
  const recovered = recover(issuer, input.certificate, ICC.format, ICC.rule);
  if (staticData !== undefined) {
    requireHash(recovered, [input.remainder, input.exponent, staticData], ICC.rule);
  }
  const { identifier, expiry, serial, modulus } = readFields(recovered.body, input, ICC);
  if (identifier !== pan) throw new CryptoError(ICC.rule, 'PAN');
  return {
    modulus,
    exponent: input.exponent,
    pan: identifier,
    expiry,
    serial,
    hashChecked: staticData !== undefined,
  };
}
