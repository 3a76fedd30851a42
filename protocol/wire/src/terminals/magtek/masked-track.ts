import { hideMiddle, type MaskedAccount } from '../masked-account.js';

/** Digits that stay open when the device is set as the driver sets it. */
export const OPEN_LEADING = 6;
export const OPEN_TRAILING = 4;
/** The mask that shows best what is hidden; the device's own default is a zero. */
export const MASK_CHARACTER = '*';

/**
 * Start sentinel, PAN with its mask, separator, and what stands where the expiry is. Of a PAN below twelve digits the open ones
 * would reveal almost all: nothing is taken of it.
 */
const TRACK = /^;?(\d{6})[\d*]{2,}(\d{4})=(.{0,4})/;
const MONTH = /^\d{2}(0[1-9]|1[0-2])$/;

/** Reads DFDF4D or DFDF33; nothing of a text that is no masked track. */
export function readMaskedTrack(text: string): MaskedAccount {
  const match = TRACK.exec(text);
  if (!match) return {};
  const [, bin = '', last4Digits = '', expiry = ''] = match;
  return { bin, last4Digits, ...(MONTH.test(expiry) && { expiry }) };
}

/** Masks everything of a track but the open digits of its PAN. */
export function maskTrack(
  track2: string,
  open: { readonly leading: number; readonly trailing: number },
  mask: string,
): string {
  const [pan = '', rest = ''] = track2.split('=');
  return `;${hideMiddle(pan, mask, open.leading, open.trailing)}=${mask.repeat(rest.length)}?`;
}
