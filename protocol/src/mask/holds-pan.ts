import { passesLuhn } from './luhn.js';

/** Digits in a row that may be a card number with a tag or a length in front: more than most card numbers have. */
const LONGER_THAN_PAN = 17;

/** Whether digits in a text could be a card number, or hold one. */
export function holdsPan(text: string): boolean {
  return (text.match(/\d{13,}/g) ?? []).some((run) => run.length >= LONGER_THAN_PAN || passesLuhn(run));
}

/** As {@link holdsPan}, of digits in BCD or in ASCII. */
export function bytesHoldPan(bytes: Uint8Array): boolean {
  const { buffer, byteOffset, byteLength } = bytes;
  const own = Buffer.from(buffer, byteOffset, byteLength);
  return holdsPan(own.toString('hex')) || holdsPan(own.toString('latin1'));
}
