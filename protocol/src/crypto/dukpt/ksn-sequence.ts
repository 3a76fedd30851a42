import { CryptoError } from '../ciphers/errors.js';

/** Counters that are used of a device number: of ten bits, all are legal (X9.24-1 A.2 allows ten one-bits). */
const COUNTERS = 1_023;
const COUNTER_BITS = 21n;
/** Device numbers have 19 bits; the highest says whose key serial number it is. */
const DEVICES = 2 ** 18;
const HOST_BIT = 1n << 18n;
/** Hex digits behind those of the key set. */
const NUMBER_DIGITS = 10;

/** Who makes a key serial number: two parties under one base key never make the same. */
export type KsnParty = 'acceptor' | 'host';

/** Key serial numbers of one party under one key set. */
export const KSN_SEQUENCE_END = DEVICES * COUNTERS;

/** The leading ten hex digits of a key serial number of TDES DUKPT: its key set. */
export const KEY_SET_FORM = /^[0-9A-F]{10}$/;
const KSN_FORM = /^[0-9A-F]{20}$/;

/**
 * The key serial number (TDES DUKPT, 20 hex digits) at a place among those of a party: another one at each place.
 * @param keySet ten hex digits
 * @throws CryptoError counterExhausted
 */
export function ksnAt(keySet: string, party: KsnParty, sequence: number): string {
  if (sequence >= KSN_SEQUENCE_END)
    throw new CryptoError('counterExhausted', `all numbers of key set ${keySet} are used`);
  const device = BigInt(Math.floor(sequence / COUNTERS)) | (party === 'host' ? HOST_BIT : 0n);
  const number = (device << COUNTER_BITS) | BigInt((sequence % COUNTERS) + 1);
  return `${keySet}${number.toString(16).toUpperCase().padStart(NUMBER_DIGITS, '0')}`;
}

/** Whether a text is a key serial number of a key set and a party. */
export function isKsnOf(ksn: string | undefined, keySet: string, party: KsnParty): ksn is string {
  if (ksn === undefined || !KSN_FORM.test(ksn) || !ksn.startsWith(keySet)) return false;
  const device = BigInt(`0x${ksn.slice(keySet.length)}`) >> COUNTER_BITS;
  return device >= HOST_BIT === (party === 'host');
}
