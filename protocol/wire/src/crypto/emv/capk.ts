import { createHash } from 'node:crypto';
import { equalConstantTime, fromHex } from '../../bytes.js';
import { CryptoError } from '../ciphers/errors.js';
import type { RsaPublicKey } from './rsa-recovery.js';

/** A certification authority public key (EMV Book 2 §5.1, Book 4 §10.2). */
export interface Capk extends RsaPublicKey {
  /** Registered application provider identifier, 5 bytes. */
  readonly rid: Uint8Array;
  /** One byte. */
  readonly index: number;
}

/** A key as text, with the hash that came with it: uppercase hex. */
export interface CapkRecord {
  readonly rid: string;
  readonly index: string;
  readonly modulus: string;
  readonly exponent: string;
  readonly sha1: string;
}

/** SHA-1 over RID, index, modulus, exponent (EMV Book 2 Annex B2.2 names the hash; SHA-1 is what schemes publish). */
export function capkHash(key: Capk): Buffer {
  return createHash('sha1')
    .update(key.rid)
    .update(Buffer.from([key.index]))
    .update(key.modulus)
    .update(key.exponent)
    .digest();
}

/** Bits of the modulus, leading zero bits not counted. */
export function modulusBits(modulus: Uint8Array): number {
  const first = modulus.findIndex((byte) => byte !== 0);
  if (first < 0) return 0;
  return (modulus.length - first - 1) * 8 + (32 - Math.clz32(modulus[first] ?? 0));
}

/**
 * A key out of its record; the hash is checked here, so nothing downstream sees a key that was mistyped.
 * @throws CryptoError badCheckValue, badArgument
 */
export function loadCapk(record: CapkRecord): Capk {
  const rid = hexField(record, 'rid');
  const index = hexField(record, 'index');
  if (rid.length !== 5 || index.length !== 1)
    throw new CryptoError('badArgument', 'RID has 5 bytes and the index one');
  const key: Capk = {
    rid,
    index: index[0] ?? 0,
    modulus: hexField(record, 'modulus'),
    exponent: hexField(record, 'exponent'),
  };
  if (!equalConstantTime(capkHash(key), hexField(record, 'sha1'))) {
    throw new CryptoError('badCheckValue', `key ${record.rid} ${record.index}`);
  }
  return key;
}

function hexField(record: CapkRecord, name: keyof CapkRecord): Buffer {
  const text = record[name];
  if (typeof text !== 'string' || !/^(?:[0-9A-Fa-f]{2})*$/.test(text))
    throw new CryptoError('badArgument', `${name} of a certification authority key is not hex`);
  return fromHex(text);
}

/** Certification authority keys by RID and index. */
export interface CapkTable {
  /** The key of the card's RID (first 5 bytes of its AID) and index (tag 8F); `undefined` when the table has none. */
  find(rid: Uint8Array, index: number): Capk | undefined;
}

/**
 * A table out of records, every hash checked.
 * @throws CryptoError badCheckValue, badArgument (also when a key stands twice)
 */
export function loadCapkTable(records: readonly CapkRecord[]): CapkTable {
  const keys = new Map<string, Capk>();
  for (const record of records) {
    const name = capkName(fromHex(record.rid), Number.parseInt(record.index, 16));
    if (keys.has(name))
      throw new CryptoError('badArgument', `key ${record.rid} ${record.index} stands twice`);
    keys.set(name, loadCapk(record));
  }
  return { find: (rid, index) => keys.get(capkName(rid, index)) };
}

function capkName(rid: Uint8Array, index: number): string {
  return `${Buffer.from(rid).toString('hex')}/${index}`;
}
