import { TerminalFormatError } from '../format-error.js';

/** Bytes that an enciphered card number fills, whatever its length (answer to J0). */
export const PAN_CIPHER_BYTES = 32;
/** Tracks are filled up to a multiple of this before they are enciphered (answer to J0). */
const TRACK_BLOCK_BYTES = 16;

/** The content of the clear account data of the pad. */
interface NewlandAccountData {
  readonly pan: string;
  /** Digits with `D` as separator. */
  readonly track2?: string;
  /** `YYMM`. */
  readonly expiry?: string;
}

/** The card number as it is enciphered: characters, filled up with zero bytes (what fills is from public sources incomplete). */
export function encodePanBlock(pan: string): Buffer {
  return filled(pan, PAN_CIPHER_BYTES);
}

/** Track 2 as it is enciphered: characters, filled up with zero bytes. */
export function encodeTrackBlock(track: string): Buffer {
  return filled(track, Math.ceil(track.length / TRACK_BLOCK_BYTES) * TRACK_BLOCK_BYTES);
}

function filled(text: string, bytes: number): Buffer {
  if (text.length > bytes)
    throw new TerminalFormatError('account data', `have more than ${bytes} characters`);
  const block = Buffer.alloc(bytes);
  block.write(text, 'latin1');
  return block;
}

const FILLING = /[\0\xff]+$/;
const PAN = /^\d{8,19}$/;
const TRACK_2 = /^;?(\d{8,19})[=D](\d{4})(\d*)F?\??$/;

/** Reads deciphered account data: track 2, or the card number alone. @throws TerminalFormatError as after a wrong key */
export function decodeAccountData(clear: Uint8Array): NewlandAccountData {
  const text = Buffer.from(clear).toString('latin1').replace(FILLING, '');
  if (PAN.test(text)) return { pan: text };
  const [, pan, expiry, rest = ''] = TRACK_2.exec(text) ?? [];
  if (pan === undefined || expiry === undefined) {
    throw new TerminalFormatError('account data', 'are neither track 2 nor a card number');
  }
  return { pan, track2: `${pan}D${expiry}${rest}`, expiry };
}
