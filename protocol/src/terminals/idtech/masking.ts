/** What a masked account leaves open. */
export interface MaskedAccount {
  /** Six digits. */
  readonly bin?: string;
  readonly last4Digits?: string;
  /** `YYMM`. */
  readonly expiry?: string;
  readonly serviceCode?: string;
}

/** Digits that are shown at each end of a PAN: as many as a device may show, and the payment platform wants. */
export const OPEN_LEFT = 6;
export const OPEN_RIGHT = 4;
/** Mask in digits, and in text. */
const MASK_DIGIT = 'C';
const MASK_CHARACTER = '*';
const EXPIRY_SHOWN = 0x31;
/** Expiry and service code stand open in tag 57; in a stripe's track the expiry alone (published logs). */
const OPEN_IN_TAG_57 = 7;
const OPEN_ON_STRIPE = 4;

/** Value of tag DFEE1D: what of a PAN is shown. */
export const MASKING = Buffer.of(OPEN_LEFT, OPEN_RIGHT, 0x2a, 0x0c, EXPIRY_SHOWN);

function masked(pan: string, mask: string): string {
  const hidden = Math.max(0, pan.length - OPEN_LEFT - OPEN_RIGHT);
  return pan.slice(0, OPEN_LEFT) + mask.repeat(hidden) + pan.slice(pan.length - OPEN_RIGHT);
}

/** Digits as compressed numeric, filled to whole bytes (EMV Book 3 §4.3). */
function compressed(digits: string): Buffer {
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}F`, 'hex');
}

/** Tag 5A as it is shown. */
export function maskPan(pan: string): Buffer {
  return compressed(masked(pan, MASK_DIGIT));
}

/** Tag 57 as it is shown. @param track2 digits with `=` as separator */
export function maskTrack57(track2: string): Buffer {
  const [pan = '', rest = ''] = track2.split('=');
  const open = rest.slice(0, OPEN_IN_TAG_57);
  return compressed(`${masked(pan, MASK_DIGIT)}D${open}${MASK_DIGIT.repeat(rest.length - open.length)}`);
}

/** A stripe's track 2 as it is shown: between sentinels, its check character hidden. */
export function maskStripeTrack2(track2: string): string {
  const [pan = '', rest = ''] = track2.split('=');
  const open = rest.slice(0, OPEN_ON_STRIPE);
  const hidden = MASK_CHARACTER.repeat(rest.length - open.length);
  return `;${masked(pan, MASK_CHARACTER)}=${open}${hidden}?${MASK_CHARACTER}`;
}

const TAG_57 = /^(\d{6})[\dC]*(\d{4})D(\d{4})?(\d{3})?/;
const TAG_5A = /^(\d{6})[\dC]*(\d{4})F?$/;
const STRIPE = /^;(\d{6})[\d*]*(\d{4})=(\d{4})?/;

function account([, bin, last4Digits, expiry, serviceCode]: RegExpExecArray | readonly []): MaskedAccount {
  return {
    ...(bin !== undefined && { bin }),
    ...(last4Digits !== undefined && { last4Digits }),
    ...(expiry !== undefined && { expiry }),
    ...(serviceCode !== undefined && { serviceCode }),
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

/** Reads a stripe's masked track 2; nothing of a text that is none. */
export function readMaskedStripe(track2: string): MaskedAccount {
  return account(STRIPE.exec(track2) ?? []);
}
