import { TerminalFormatError } from '../format-error.js';

/** Size of the cipher's block: enciphered account data is a multiple of it (ABECS 2.12 §5.4.2). */
export const ACCOUNT_DATA_BLOCK = 8;

/**
 * What a Gertec PPC930 hands to the gateway as `encryptedSred` in this system: ONE field of GTK, track 2 or else
 * the PAN, whole (no digits in clear), method 51 with a zero IV. {@link decodeAccountData} reads it when deciphered.
 */
export const GERTEC_PPC930_PROFILE = {
  deviceType: 'GERTEC_PPC930',
  method: '51',
  ivHex: '0000000000000000',
} as const;

/** A field of GTK split for the cipher: digits left open (SPE_OPNDIG), then whole blocks. */
export interface AccountField {
  readonly open: Buffer;
  readonly toEncipher: Buffer;
}

/** Account data in clear. Sensitive: never logged, never stored. */
interface AccountData {
  readonly pan: string;
  /** Track 2 without sentinels, `D` for the separator; absent when the field was the PAN. */
  readonly track2?: string;
  /** `YYMM`. */
  readonly expiry?: string;
  readonly serviceCode?: string;
}

const OPEN_DIGITS = new Set([0, 2, 4, 6, 8]);
const MAX_TRACK2_SYMBOLS = 37;

function nibbles(where: string, symbols: string, openDigits: number): AccountField {
  if (!OPEN_DIGITS.has(openDigits)) throw new TerminalFormatError('SPE_OPNDIG', 'must be 0, 2, 4, 6 or 8');
  if (symbols.length < openDigits)
    throw new TerminalFormatError(where, 'is shorter than the digits to leave open');
  const tail = symbols.slice(openDigits);
  const perBlock = ACCOUNT_DATA_BLOCK * 2;
  const padded = tail.padEnd(Math.ceil(tail.length / perBlock) * perBlock, 'F');
  return { open: Buffer.from(symbols.slice(0, openDigits), 'hex'), toEncipher: Buffer.from(padded, 'hex') };
}

/** PP_ENCPAN before the cipher: one digit per nibble, filled with F to whole blocks (ABECS 2.12 §5.4.2.2). */
export function encodePanField(pan: string, openDigits = 0): AccountField {
  if (!/^\d{2,19}$/.test(pan)) throw new TerminalFormatError('PAN', 'must be 2 to 19 digits');
  return nibbles('PAN', pan, openDigits);
}

/**
 * PP_TRACK2 before the cipher: one symbol per nibble, `=` or `D` as D, filled with F to whole blocks (§5.4.2.2).
 * @throws TerminalFormatError when it is not digits with one separator, at most 37 symbols (the track is not shown)
 */
export function encodeTrack2Field(track2: string, openDigits = 0): AccountField {
  const symbols = track2.replace('=', 'D').toUpperCase();
  if (symbols.length > MAX_TRACK2_SYMBOLS || !/^\d{1,19}D\d*$/.test(symbols)) {
    throw new TerminalFormatError(
      'track 2',
      `must be digits around one separator, at most ${MAX_TRACK2_SYMBOLS} symbols`,
    );
  }
  return nibbles('track 2', symbols, openDigits);
}

/** PP_TRACK1 before the cipher: ASCII, the format character open when digits are, filled with 00 (§5.4.2.1). */
export function encodeTrack1Field(track1: string, openDigits = 0): AccountField {
  if (!OPEN_DIGITS.has(openDigits)) throw new TerminalFormatError('SPE_OPNDIG', 'must be 0, 2, 4, 6 or 8');
  const open = openDigits === 0 ? 0 : openDigits + 1;
  const bytes = Buffer.from(track1, 'latin1');
  const tail = bytes.subarray(open);
  const padded = Buffer.alloc(Math.ceil(tail.length / ACCOUNT_DATA_BLOCK) * ACCOUNT_DATA_BLOCK);
  padded.set(tail);
  return { open: bytes.subarray(0, open), toEncipher: padded };
}

/**
 * Reads deciphered account data of {@link GERTEC_PPC930_PROFILE}: track 2 (it holds a separator) or the PAN.
 * @throws TerminalFormatError when it is neither: a wrong key gives that too. The data is not shown.
 */
export function decodeAccountData(clear: Uint8Array): AccountData {
  if (clear.length === 0 || clear.length % ACCOUNT_DATA_BLOCK !== 0) {
    throw new TerminalFormatError('account data', `must be whole blocks of ${ACCOUNT_DATA_BLOCK} bytes`);
  }
  const symbols = Buffer.from(clear).toString('hex').toUpperCase();
  const match = /^(\d{8,19})(?:D(\d{0,28}))?F*$/.exec(symbols);
  const pan = match?.[1];
  if (!pan)
    throw new TerminalFormatError(
      'account data',
      'must be a PAN or track 2, filled with F: is the key right?',
    );
  const rest = match[2];
  if (rest === undefined) return { pan };
  return {
    pan,
    track2: `${pan}D${rest}`,
    ...(rest.length >= 4 && { expiry: rest.slice(0, 4) }),
    ...(rest.length >= 7 && { serviceCode: rest.slice(4, 7) }),
  };
}
