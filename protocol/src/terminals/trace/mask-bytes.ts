import { passesLuhn } from '../../mask/luhn.js';

const OPEN_LEFT = 6;
const OPEN_RIGHT = 4;

/** A whole run of digits in characters that may be a PAN: 13 to 19 digits of a card scheme (ISO/IEC 7812-1). */
const PAN = /(?<!\d)[2-6]\d{12,18}(?!\d)/g;
/** Track 2 in characters, its PAN, expiry and service code, and what follows: its PAN needs no check digit to be known. */
const TRACK = /(\d{8,19})(=\d{4,7})(\d*)/g;
/** Tags whose value begins with a PAN in packed digits, and the longest value of each (EMV Book 3 Annex A). */
const PACKED_TAGS: ReadonlyMap<number, number> = new Map([
  [0x5a, 10],
  [0x57, 19],
]);
/** A PAN in packed digits, up to its filling; or a track, as in {@link TRACK}. */
const PACKED_PAN = /^(\d{8,19})(?:f*$|(d[\da-f]{0,7})([\da-f]*?)f?$)/;

function hidden(digits: string): string {
  const middle = digits.length - OPEN_LEFT - OPEN_RIGHT;
  if (middle <= 0) return '0'.repeat(digits.length);
  return digits.slice(0, OPEN_LEFT) + '0'.repeat(middle) + digits.slice(-OPEN_RIGHT);
}

function hiddenTrack(pan: string, open = '', behind = ''): string {
  return hidden(pan) + open + '0'.repeat(behind.length);
}

/**
 * Bytes as they may be kept: PANs in characters, in tracks and in tags 5A and 57 lose their middle, tracks what stands behind
 * the service code; lengths stay. What a terminal enciphered stays as it is. A frame that loses digits has a wrong check value.
 */
export function maskBytes(bytes: Uint8Array): Buffer {
  const text = Buffer.from(bytes)
    .toString('latin1')
    .replace(TRACK, (_, pan, open, behind) => hiddenTrack(pan, open, behind))
    .replace(PAN, (digits) => (passesLuhn(digits) ? hidden(digits) : digits));
  return hidePacked(Buffer.from(text, 'latin1'));
}

/** Looks at every place that could be tag 5A or 57 and its length. */
function hidePacked(bytes: Buffer): Buffer {
  for (let at = 0; at + 2 < bytes.length; at += 1) {
    const longest = PACKED_TAGS.get(bytes[at] ?? 0);
    const length = bytes[at + 1] ?? 0;
    if (longest === undefined || length > longest) continue;
    const value = bytes.subarray(at + 2, at + 2 + length).toString('hex');
    const [, pan, open, behind] = PACKED_PAN.exec(value) ?? [];
    if (pan === undefined) continue;
    const masked = hiddenTrack(pan, open, behind);
    bytes.write(masked + value.slice(masked.length), at + 2, 'hex');
  }
  return bytes;
}
