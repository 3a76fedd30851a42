import { constants, createHash, privateEncrypt } from 'node:crypto';
import type { OdaKey } from './development-authority.js';

/** Bytes around and within every signature with message recovery (EMV Book 2 §5.1, §6.1). */
const AROUND = { header: 0x6a, trailer: 0xbc, pad: 0xbb } as const;
/** Algorithms that a certificate names. */
const ALGORITHMS = { sha1: 0x01, rsa: 0x01 } as const;
const HASH_BYTES = 20;

/** Format bytes of what is signed (EMV Book 2 tables 3, 5, 14 and 17). */
const FORMAT = {
  issuerCertificate: 0x02,
  staticData: 0x03,
  iccCertificate: 0x04,
  dynamicData: 0x05,
} as const;

/** Dates and serial number of every certificate of the development hierarchy: good for as long as the cards are. */
const CERTIFICATE_EXPIRY = Buffer.from('1235', 'hex');
const SERIAL = Buffer.from('000001', 'hex');

/**
 * Signs with message recovery (EMV Book 2 A2.1): the message fills the modulus, its hash goes on over what is sent in clear.
 * @param body behind the format byte; filled up with BB
 */
function sign(key: OdaKey, format: number, body: Uint8Array, sentInClear: readonly Uint8Array[]): Buffer {
  const covered = Buffer.alloc(key.modulus.length - 2 - HASH_BYTES, AROUND.pad);
  covered[0] = format;
  covered.set(body, 1);
  const hash = createHash('sha1').update(covered);
  for (const part of sentInClear) hash.update(part);
  const message = Buffer.concat([
    Buffer.of(AROUND.header),
    covered,
    hash.digest(),
    Buffer.of(AROUND.trailer),
  ]);
  return privateEncrypt({ key: key.privateKey, padding: constants.RSA_NO_PADDING }, message);
}

/** A certificate and what of its key did not fit into it. */
interface Certificate {
  readonly certificate: Buffer;
  /** Empty when the whole modulus fitted. */
  readonly remainder: Buffer;
}

function certify(
  signer: OdaKey,
  subject: OdaKey,
  format: number,
  identifier: Uint8Array,
  staticData: Uint8Array,
): Certificate {
  const { modulus, exponent } = subject;
  const lengths = Buffer.of(ALGORITHMS.sha1, ALGORITHMS.rsa, modulus.length, exponent.length);
  const head = Buffer.concat([identifier, CERTIFICATE_EXPIRY, SERIAL, lengths]);
  const room = signer.modulus.length - 3 - HASH_BYTES - head.length;
  const remainder = modulus.subarray(room);
  const body = Buffer.concat([head, modulus.subarray(0, room)]);
  return { certificate: sign(signer, format, body, [remainder, exponent, staticData]), remainder };
}

/** The issuer's certificate under a certification authority (EMV Book 2 §5.3). @param pan whose first digits name the issuer */
export function issuerCertificate(authority: OdaKey, issuer: OdaKey, pan: string): Certificate {
  const identifier = Buffer.from(pan.slice(0, 6).padEnd(8, 'F'), 'hex');
  return certify(authority, issuer, FORMAT.issuerCertificate, identifier, Buffer.alloc(0));
}

/** A card's certificate under its issuer, which covers its static data (EMV Book 2 §6.4). */
export function iccCertificate(
  issuer: OdaKey,
  icc: OdaKey,
  pan: string,
  staticData: Uint8Array,
): Certificate {
  return certify(issuer, icc, FORMAT.iccCertificate, Buffer.from(pan.padEnd(20, 'F'), 'hex'), staticData);
}

/** Signed static application data, tag 93 (EMV Book 2 §5.4). @param dac data authentication code, 2 bytes */
export function signedStaticData(issuer: OdaKey, dac: Uint8Array, staticData: Uint8Array): Buffer {
  return sign(issuer, FORMAT.staticData, Buffer.concat([Buffer.of(ALGORITHMS.sha1), dac]), [staticData]);
}

/** Signed dynamic application data, tag 9F4B (EMV Book 2 §6.5.2, §6.6.1). */
export function signedDynamicData(icc: OdaKey, dynamicData: Uint8Array, terminalData: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.of(ALGORITHMS.sha1, dynamicData.length), dynamicData]);
  return sign(icc, FORMAT.dynamicData, body, [terminalData]);
}
