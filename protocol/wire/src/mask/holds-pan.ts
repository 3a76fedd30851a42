import { passesLuhn } from './luhn.js';

/** Digits of the shortest card number. */
const SHORTEST_PAN = 13;
/** Digits in a row that may be a card number with a tag or a length in front: more than most card numbers have. */
const LONGER_THAN_PAN = 17;
/** First digits of the numbers of the schemes (ISO/IEC 7812-1). */
const FIRST_OF_PAN = /[2-6]/;

/** Whether digits in a text could be a card number, or hold one: a filled nibble, a tag or a length may stand next to it. */
export function holdsPan(text: string): boolean {
  return (text.match(/\d{13,}/g) ?? []).some(
    (run) => run.length >= LONGER_THAN_PAN || passesLuhn(run) || hasPanInside(run),
  );
}

function hasPanInside(run: string): boolean {
  for (let from = 0; from + SHORTEST_PAN <= run.length; from += 1) {
    if (!FIRST_OF_PAN.test(run[from] ?? '')) continue;
    for (let to = from + SHORTEST_PAN; to <= run.length; to += 1)
      if (passesLuhn(run.slice(from, to))) return true;
  }
  return false;
}

/** As {@link holdsPan}, of digits in BCD or in ASCII. */
export function bytesHoldPan(bytes: Uint8Array): boolean {
  const { buffer, byteOffset, byteLength } = bytes;
  const own = Buffer.from(buffer, byteOffset, byteLength);
  return holdsPan(own.toString('hex')) || holdsPan(own.toString('latin1'));
}
