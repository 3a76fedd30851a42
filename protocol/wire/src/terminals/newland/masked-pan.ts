import { PAN_CIPHER_BYTES } from './account-data.js';
import { BodyReader } from './body-reader.js';

/** Digits of a card number that may be shown. */
interface MaskedPan {
  /** Six digits. */
  readonly bin?: string;
  readonly last4Digits?: string;
}

const OPEN_LEFT = 6;
const OPEN_RIGHT = 4;
const MASK = '*';
/**
 * The mask's character is not published: whatever is no digit hides one. Of a card number below twelve digits the open ones
 * would reveal almost all: nothing is taken of it.
 */
const MASKED = /^(\d{6})[^\d]{2,}(\d{4})$/;

/** Hides the middle of a card number. */
export function maskPan(pan: string): string {
  const hidden = Math.max(0, pan.length - OPEN_LEFT - OPEN_RIGHT);
  return pan.slice(0, OPEN_LEFT) + MASK.repeat(hidden) + pan.slice(pan.length - OPEN_RIGHT);
}

/** Reads a masked card number; nothing of a text that is none. */
export function readMaskedPan(text: string): MaskedPan {
  const [, bin, last4Digits] = MASKED.exec(text) ?? [];
  return bin === undefined || last4Digits === undefined ? {} : { bin, last4Digits };
}

/** A card number that the pad gave enciphered, with what may be shown of it. */
export interface EncipheredPan {
  readonly cipher: Buffer;
  readonly masked: MaskedPan;
}

/**
 * An enciphered card number out of GET DATA. The published host requests data in clear only; that the pad answers as to J0
 * (32 enciphered bytes, then the masked number) is taken from there (from public sources incomplete).
 */
export function encodeEncipheredPan(cipher: Uint8Array, pan: string): Buffer {
  return Buffer.concat([cipher, Buffer.from(maskPan(pan), 'latin1')]);
}

/** @throws TerminalFormatError */
export function decodeEncipheredPan(data: Uint8Array): EncipheredPan {
  const reader = new BodyReader(data);
  const cipher = Buffer.from(reader.bytes('enciphered card number', PAN_CIPHER_BYTES));
  return { cipher, masked: readMaskedPan(reader.rest().toString('latin1')) };
}
