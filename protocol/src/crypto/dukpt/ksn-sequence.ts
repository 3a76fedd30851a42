import { CryptoError } from '../ciphers/errors.js';
import { TDES_COUNTER_MAX_ONES } from './dukpt-tdes.js';

const COUNTER_BITS = 21;
/** How many numbers of so many bits have at most so many one-bits, zero among them. */
const WITH_FEW_ONES: readonly (readonly number[])[] = numbersWithFewOnes();
/** Legal counters of a device number (X9.24-1 A.2). */
const COUNTERS = legal(COUNTER_BITS, TDES_COUNTER_MAX_ONES) - 1;
/** Device numbers have 19 bits; the highest says whose key serial number it is. */
const DEVICES = 2 ** 18;
const HOST_BIT = BigInt(DEVICES);
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
  const number = (device << BigInt(COUNTER_BITS)) | BigInt(counterAt(sequence % COUNTERS));
  return `${keySet}${number.toString(16).toUpperCase().padStart(NUMBER_DIGITS, '0')}`;
}

/** Whether a text is a key serial number of a key set and a party. */
export function isKsnOf(ksn: string | undefined, keySet: string, party: KsnParty): ksn is string {
  if (ksn === undefined || !KSN_FORM.test(ksn) || !ksn.startsWith(keySet)) return false;
  const device = BigInt(`0x${ksn.slice(keySet.length)}`) >> BigInt(COUNTER_BITS);
  return device >= HOST_BIT === (party === 'host');
}

/** The legal counter at a place among all, by size. */
function counterAt(place: number): number {
  // The first of all is zero, which is none.
  let left = place + 1;
  let ones = TDES_COUNTER_MAX_ONES;
  let counter = 0;
  for (let bit = COUNTER_BITS - 1; bit >= 0; bit -= 1) {
    const without = legal(bit, ones);
    if (left < without) continue;
    left -= without;
    ones -= 1;
    counter += 2 ** bit;
  }
  return counter;
}

function legal(bits: number, ones: number): number {
  return WITH_FEW_ONES[bits]?.[ones] ?? 0;
}

function numbersWithFewOnes(): number[][] {
  const table: number[][] = [Array.from({ length: TDES_COUNTER_MAX_ONES + 1 }, () => 1)];
  for (let bits = 1; bits <= COUNTER_BITS; bits += 1) {
    const before = table[bits - 1] ?? [];
    table.push(before.map((count, ones) => count + (before[ones - 1] ?? 0)));
  }
  return table;
}
