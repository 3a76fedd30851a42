import { CryptoError } from '../ciphers/errors.js';
import { AES_COUNTER_MAX_ONES } from './dukpt-aes.js';
import { TDES_COUNTER_MAX_ONES } from './dukpt-tdes.js';

/** How the key serial numbers of a standard are made up: key set, device number, counter. */
interface Scheme {
  /** Hex digits of the key set. */
  readonly setDigits: number;
  readonly deviceBits: number;
  readonly counterBits: number;
  /** One-bits that a legal counter has at most. */
  readonly maxOnes: number;
}

/** ANSI X9.24-1 A.2. */
const TDES: Scheme = {
  setDigits: 10,
  deviceBits: 19,
  counterBits: 21,
  maxOnes: TDES_COUNTER_MAX_ONES,
};
/** ANSI X9.24-3 §6.3: base derivation key id, derivation id, counter. */
const AES: Scheme = {
  setDigits: 8,
  deviceBits: 32,
  counterBits: 32,
  maxOnes: AES_COUNTER_MAX_ONES,
};

/** How many numbers of so many bits have at most so many one-bits, zero among them. */
const WITH_FEW_ONES: readonly (readonly number[])[] = numbersWithFewOnes();

/** Who makes a key serial number: two parties under one base key never make the same. The highest device bit states whose it is. */
type KsnParty = 'acceptor' | 'host';

/** The leading hex digits of key serial numbers, their key set: ten of TDES DUKPT, eight of AES DUKPT. */
export const KEY_SET_FORM = /^(?:[0-9A-F]{8}|[0-9A-F]{10})$/;

function schemeOf(keySet: string): Scheme {
  return keySet.length === AES.setDigits ? AES : TDES;
}

/** How many key serial numbers one party has under a key set; never more than a number counts exactly. */
export function ksnCount(keySet: string): number {
  const scheme = schemeOf(keySet);
  return Math.min(2 ** (scheme.deviceBits - 1) * countersOf(scheme), Number.MAX_SAFE_INTEGER);
}

/**
 * The key serial number at a place among those of a party, in uppercase hex: another one at each place.
 * @param keySet as {@link KEY_SET_FORM}
 * @throws CryptoError counterExhausted
 */
export function ksnAt(keySet: string, party: KsnParty, sequence: number): string {
  if (sequence >= ksnCount(keySet))
    throw new CryptoError('counterExhausted', `all numbers of key set ${keySet} are used`);
  const scheme = schemeOf(keySet);
  const counters = countersOf(scheme);
  const own = BigInt(Math.floor(sequence / counters));
  const device = party === 'host' ? own | hostBit(scheme) : own;
  const number = (device << BigInt(scheme.counterBits)) | BigInt(counterAt(scheme, sequence % counters));
  return `${keySet}${number.toString(16).toUpperCase().padStart(numberDigits(scheme), '0')}`;
}

/** Whether a text is a key serial number of a key set and a party. */
export function isKsnOf(ksn: string | undefined, keySet: string, party: KsnParty): ksn is string {
  const scheme = schemeOf(keySet);
  if (!ksn?.startsWith(keySet) || ksn.length !== scheme.setDigits + numberDigits(scheme)) return false;
  if (!/^[0-9A-F]+$/.test(ksn)) return false;
  const device = BigInt(`0x${ksn.slice(scheme.setDigits)}`) >> BigInt(scheme.counterBits);
  return device >= hostBit(scheme) === (party === 'host');
}

function hostBit({ deviceBits }: Scheme): bigint {
  return 1n << BigInt(deviceBits - 1);
}

/** Hex digits behind those of the key set. */
function numberDigits({ deviceBits, counterBits }: Scheme): number {
  return (deviceBits + counterBits) / 4;
}

/** Legal counters of a device number: zero is none. */
function countersOf({ counterBits, maxOnes }: Scheme): number {
  return legal(counterBits, maxOnes) - 1;
}

/** The legal counter at a place among all, by size. */
function counterAt({ counterBits, maxOnes }: Scheme, place: number): number {
  // The first of all is zero, which is none.
  let left = place + 1;
  let ones = maxOnes;
  let counter = 0;
  for (let bit = counterBits - 1; bit >= 0; bit -= 1) {
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
  const [bitsEnd, onesEnd] = [
    Math.max(TDES.counterBits, AES.counterBits),
    Math.max(TDES.maxOnes, AES.maxOnes),
  ];
  const table: number[][] = [Array.from({ length: onesEnd + 1 }, () => 1)];
  for (let bits = 1; bits <= bitsEnd; bits += 1) {
    const before = table[bits - 1] ?? [];
    table.push(before.map((count, ones) => count + (before[ones - 1] ?? 0)));
  }
  return table;
}
