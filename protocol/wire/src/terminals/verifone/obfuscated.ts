import { hideMiddle, type MaskedAccount } from '../masked-account.js';

const OPEN_RIGHT = 4;
const HIDDEN = 'F';
/** First digits, hidden ones in whatever sign, last digits: six and four of them, or eight and two (mask 8-2fix). */
const PAN = /^((\d{6})\d*?(?:[FX*]+(\d*?))?)F?$/i;
/** The same, a separator, the expiry where it is open, the service code. */
const TRACK_2 = /^((\d{6})\d*?[FX*]*(\d*))[D=](?:(\d{4})|[FX*]{4})(\d{3})?/i;
/** A shorter PAN is hidden whole. */
const FEWEST_DIGITS = 12;
const TEXT_DIGITS = /^[\x30-\x39Xx*=D]+$/;

/** A PAN with its middle hidden: six and four digits stay (mask 6-4fix of the guide). */
export function obfuscatePan(pan: string): string {
  return hideMiddle(pan, HIDDEN);
}

/** Track 2 (`=` or `D` as separator) with all but the masked PAN and the service code hidden, in hex digits. */
export function obfuscateTrack2(track2: string): string {
  const [pan = '', rest = ''] = track2.split(/[=D]/);
  const open = rest.slice(4, 7);
  const behind = HIDDEN.repeat(Math.max(0, rest.length - 4 - open.length));
  return `${obfuscatePan(pan)}D${HIDDEN.repeat(Math.min(4, rest.length))}${open}${behind}`;
}

/** An obfuscated PAN as text, as CARD DETECTION gives it. */
export function obfuscatedText(digits: string): string {
  return digits.replaceAll(HIDDEN, 'X');
}

/** Digits of DF1A or DF1B: text where every byte is a digit, a mask or a separator, else two digits a byte. */
function digitsOf(value: Uint8Array): string {
  const bytes = Buffer.from(value);
  const text = bytes.toString('latin1');
  return TEXT_DIGITS.test(text) ? text : bytes.toString('hex').toUpperCase();
}

/**
 * @param pan with its hidden digits: of a short one the open digits would reveal almost all, and nothing is taken
 * @param end the open digits at the end: fewer than four do not name the card to its holder
 */
function account(pan: string | undefined, bin: string | undefined, end = ''): MaskedAccount {
  if (pan === undefined || pan.length < FEWEST_DIGITS) return {};
  return {
    ...(bin !== undefined && { bin }),
    ...(end.length >= OPEN_RIGHT && { last4Digits: end.slice(-OPEN_RIGHT) }),
  };
}

/** Reads DF1A; nothing of what is no obfuscated PAN. */
export function readObfuscatedPan(value: Uint8Array): MaskedAccount {
  const [, pan, bin, end] = PAN.exec(digitsOf(value)) ?? [];
  return account(pan, bin, end);
}

/** Reads DF1B; nothing of what is no obfuscated track 2. */
export function readObfuscatedTrack2(value: Uint8Array): MaskedAccount {
  const [, pan, bin, end, expiry, serviceCode] = TRACK_2.exec(digitsOf(value)) ?? [];
  return {
    ...account(pan, bin, end),
    ...(expiry !== undefined && { expiry }),
    ...(serviceCode !== undefined && { serviceCode }),
  };
}
