import { ACCOUNT_TAGS } from '../../emv/account-tags.js';
import { passesLuhn } from '../../mask/luhn.js';
import { type Payload, payloadsOf, type WireForm } from './wire-payloads.js';

const OPEN_LEFT = 6;
const OPEN_RIGHT = 4;

/** A whole run of digits in characters that may be a PAN: 13 to 19 digits of a card scheme (ISO/IEC 7812-1). */
const PAN = /(?<!\d)[2-6]\d{12,18}(?!\d)/g;
/** Track 1 in characters: PAN, name, expiry and service code, and what follows. A device may have masked digits by asterisks. */
const TRACK_1 = /(B)([\d*]{8,19})(\^[\x20-\x3e\x40-\x5d\x5f]{0,26}\^[\d*]{0,7})([\x20-\x3e\x40-\x5f]{0,60})/g;
/** Track 2 in characters, its PAN, expiry and service code, and what follows: its PAN needs no check digit to be known. */
const TRACK = /(\d{8,19})(=\d{4,7})(\d*)/g;
/** A PAN in packed digits, up to its filling; or a track, as in {@link TRACK}. */
const PACKED_PAN = /^(\d{8,19})(?:f*$|(d[\da-f]{0,7})([\da-f]*?)f?$)/;
/** Objects that are written as hex digits: long enough for a tag, its length and a PAN. */
const HEX_TEXT = /[\dA-Fa-f]{12,}/g;
/** What the value of tag 56 begins with: one byte of a tag is too little to be known by. */
const TRACK_1_TEXT = /^%?B[\d*]{8,19}\^/;

/** Track data in characters, and in packed digits with separator, filling and the mask of a device: enciphered bytes are neither. */
const PRINTABLE = /^[\x20-\x7e]+$/;
const PACKED_TRACK = /^[\dcdf]+$/;

/** The tags that are looked for, as bytes. */
const TAGS = [...ACCOUNT_TAGS].map(([tag, about]) => ({ bytes: Buffer.from(tag, 'hex'), ...about }));
type AccountTag = (typeof TAGS)[number];
/** By first byte; undefined for the bytes with which none begins. */
const TAGS_BY_BYTE = Array.from({ length: 256 }, (_, byte) => {
  const tags = TAGS.filter(({ bytes }) => bytes[0] === byte);
  return tags.length > 0 ? tags : undefined;
});

/** What a device masked stays: zeros in place of asterisks would look like a card number. */
function hidden(digits: string): string {
  if (digits.includes('*')) return digits;
  const middle = digits.length - OPEN_LEFT - OPEN_RIGHT;
  if (middle <= 0) return '0'.repeat(digits.length);
  return digits.slice(0, OPEN_LEFT) + '0'.repeat(middle) + digits.slice(-OPEN_RIGHT);
}

function hiddenTrack(pan: string, open = '', behind = ''): string {
  return hidden(pan) + open + '0'.repeat(behind.length);
}

/**
 * Bytes as they may be kept: PANs in characters, in tracks and in the tags of account data lose their middle, tracks what stands behind
 * the service code, and of the other tags of account data nothing stays; lengths stay. What a terminal enciphered stays as it is. A frame
 * that loses digits has a wrong check value.
 * @param form how the line cuts and escapes messages: what is hidden must not hang on that
 */
export function maskBytes(bytes: Uint8Array, form: WireForm = 'plain'): Buffer {
  const masked = Buffer.from(bytes);
  for (const payload of payloadsOf(masked, form)) maskPayload(masked, payload);
  return masked;
}

/** Masks the content of the messages and writes what changed to its places on the line. */
function maskPayload(line: Buffer, { content, places, escape: escapeByte }: Payload): void {
  const masked = maskContent(Buffer.from(content));
  if (masked.equals(content)) return;
  if (places === undefined) {
    masked.copy(line);
    return;
  }
  for (const [at, byte] of masked.entries()) {
    const place = places[at] ?? 0;
    if (byte === content[at]) continue;
    if (line[place] === escapeByte) line[place + 1] = byte;
    line[place] = byte;
  }
}

/** Numbers first: zeros in place of what stands before one would hide where it begins. */
function maskContent(bytes: Buffer): Buffer {
  const numbers = bytes
    .toString('latin1')
    .replace(TRACK, (_, pan, open, behind) => hiddenTrack(pan, open, behind))
    .replace(PAN, (digits) => (passesLuhn(digits) ? hidden(digits) : digits));
  const tracks = hideTags(Buffer.from(numbers, 'latin1'))
    .toString('latin1')
    .replace(HEX_TEXT, hiddenHex)
    .replace(
      TRACK_1,
      (_, sign, pan, open, behind) => sign + hidden(pan) + open + behind.replace(/[^*]/g, '0'),
    );
  return Buffer.from(tracks, 'latin1');
}

/** Objects in hex digits: their first digit may belong to what stands before. */
function hiddenHex(digits: string): string {
  let text = digits;
  for (const skip of [0, 1]) {
    const end = text.length - ((text.length - skip) % 2);
    const before = Buffer.from(text.slice(skip, end), 'hex');
    const after = hideTags(Buffer.from(before));
    if (!after.equals(before))
      text = text.slice(0, skip) + after.toString('hex').toUpperCase() + text.slice(end);
  }
  return text;
}

/** Looks at every place that could be a tag of account data and its length. */
function hideTags(bytes: Buffer): Buffer {
  for (let at = 0; at < bytes.length; at += 1) {
    const tags = TAGS_BY_BYTE[bytes[at] ?? 0];
    if (tags === undefined) continue;
    for (const tag of tags) {
      const begin = at + tag.bytes.length + 1;
      if (!bytes.subarray(at, begin - 1).equals(tag.bytes)) continue;
      const length = bytes[begin - 1] ?? 0;
      if (length > 0 && length <= tag.maxBytes) hideValue(tag, bytes.subarray(begin, begin + length));
    }
  }
  return bytes;
}

function hideValue({ value, bytes: tag }: AccountTag, content: Buffer): void {
  const digits = content.toString('hex');
  if (value === 'code' || value === 'track-part') {
    const text = content.toString('latin1');
    const isTrack =
      tag.length > 1 ? PRINTABLE.test(text) || PACKED_TRACK.test(digits) : TRACK_1_TEXT.test(text);
    if (value === 'code' || isTrack) content.fill('0');
    return;
  }
  const [, pan, open, behind] = PACKED_PAN.exec(digits) ?? [];
  if (pan === undefined) return;
  const masked = hiddenTrack(pan, open, behind);
  content.write(masked + digits.slice(masked.length), 'hex');
}
