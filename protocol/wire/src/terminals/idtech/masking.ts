import { compressedNumeric } from '../../emv/compressed-numeric.js';
/** What a masked account leaves open. */
export interface MaskedAccount {
  /** Six digits; absent where the device shows fewer. */
  readonly bin?: string;
  readonly last4Digits?: string;
  /** `YYMM`. */
  readonly expiry?: string;
}

/** How many digits of a PAN are shown at its beginning and its end. */
export interface OpenDigits {
  readonly left: number;
  readonly right: number;
}

/** As many digits as a device may show, and the payment platform wants. */
const WANTED_OPEN: OpenDigits = { left: 6, right: 4 };
/** What a device shows before it was configured (published logs). */
export const DEFAULT_OPEN: OpenDigits = { left: 4, right: 4 };
/** Mask in digits, and in text. */
const MASK_DIGIT = 'C';
const MASK_CHARACTER = '*';
const EXPIRY_SHOWN = 0x31;
/** Behind the separator of a track the expiry alone stands open (captured answers, published logs). */
const EXPIRY_DIGITS = 4;

/** Value of tag DFEE1D: what of a PAN is shown. */
export const MASKING = Buffer.of(WANTED_OPEN.left, WANTED_OPEN.right, 0x2a, 0x0c, EXPIRY_SHOWN);

const MASKING_BYTES = 5;

/** Reads a value of tag DFEE1D; undefined for one that a device refuses. */
export function readMasking(value: Uint8Array): OpenDigits | undefined {
  const [left = 0, right = 0] = value;
  const allowed = left <= WANTED_OPEN.left && right <= WANTED_OPEN.right;
  return value.length === MASKING_BYTES && allowed ? { left, right } : undefined;
}

function masked(pan: string, mask: string, { left, right }: OpenDigits): string {
  const hidden = Math.max(0, pan.length - left - right);
  return pan.slice(0, left) + mask.repeat(hidden) + pan.slice(pan.length - right);
}

/** Tag 5A as it is shown. */
export function maskPan(pan: string, open = WANTED_OPEN): Buffer {
  return compressedNumeric(masked(pan, MASK_DIGIT, open));
}

/** Tag 57 as it is shown. @param track2 digits with `=` as separator */
export function maskTrack57(track2: string, open = WANTED_OPEN): Buffer {
  const [pan = '', rest = ''] = track2.split('=');
  const shown = rest.slice(0, EXPIRY_DIGITS);
  const hidden = MASK_DIGIT.repeat(rest.length - shown.length);
  return compressedNumeric(`${masked(pan, MASK_DIGIT, open)}D${shown}${hidden}`);
}

/** A magstripe's track 2 as it is shown: between sentinels, its check character hidden. */
export function maskMagstripeTrack2(track2: string, open = WANTED_OPEN): string {
  const [pan = '', rest = ''] = track2.split('=');
  const shown = rest.slice(0, EXPIRY_DIGITS);
  const hidden = MASK_CHARACTER.repeat(rest.length - shown.length);
  return `;${masked(pan, MASK_CHARACTER, open)}=${shown}${hidden}?${MASK_CHARACTER}`;
}

/** Of a card number below twelve digits the open ones would reveal almost all: nothing is taken of it. */
const TAG_57 = /^(?=[\dC]{12})(\d{6})?[\dC]{2,}(\d{4})D(\d{4})?/;
const TAG_5A = /^(?=[\dC]{12})(\d{6})?[\dC]{2,}(\d{4})F?$/;
const MAGSTRIPE = /^;(?=[\d*]{12})(\d{6})?[\d*]{2,}(\d{4})=(\d{4})?/;

function account([, bin, last4Digits, expiry]: RegExpExecArray | readonly []): MaskedAccount {
  return {
    ...(bin !== undefined && { bin }),
    ...(last4Digits !== undefined && { last4Digits }),
    ...(expiry !== undefined && { expiry }),
  };
}

function digits(value: Uint8Array): string {
  return Buffer.from(value).toString('hex').toUpperCase();
}

/** Reads a masked tag 57; nothing of one that is none. */
export function readMasked57(value: Uint8Array): MaskedAccount {
  return account(TAG_57.exec(digits(value)) ?? []);
}

/** Reads a masked tag 5A; nothing of one that is none. */
export function readMasked5A(value: Uint8Array): MaskedAccount {
  return account(TAG_5A.exec(digits(value)) ?? []);
}

/** Reads a magstripe's masked track 2; nothing of a text that is none. */
export function readMaskedMagstripe(track2: string): MaskedAccount {
  return account(MAGSTRIPE.exec(track2) ?? []);
}
