import { hideMiddle, type MaskedAccount } from '../masked-account.js';

const MASK = '*';
/** Start sentinel, PAN with its mask, separator, expiry, service code; what follows is masked. */
const TRACK = /^;?(\d{6})([\d*]*)(\d{4})=(\d{4})?(\d{3})?/;
const PAN = /^(\d{6})([\d*]+)(\d{4})$/;
/** Where fewer digits are hidden the open ones would reveal almost all of a short PAN: neither end is taken. */
const FEWEST_HIDDEN = 2;

/** Hides the middle of a PAN. */
export function maskedPan(pan: string): string {
  return hideMiddle(pan, MASK);
}

/** Track 2 as the device gives it in DFAE22 and DFAE57: sentinels open; PAN, discretionary data and check character hidden. */
export function maskTrack2(track2: string): string {
  const [pan = '', rest = ''] = track2.split('=');
  const open = rest.slice(0, 7);
  return `;${maskedPan(pan)}=${open}${MASK.repeat(Math.max(0, rest.length - open.length))}?${MASK}`;
}

/** Reads DFAE22 or DFAE57; nothing of a text that is no masked track. */
export function readMaskedTrack2(text: string): MaskedAccount {
  const match = TRACK.exec(text);
  if (!match) return {};
  const [, bin, hidden, last4Digits, expiry, serviceCode] = match;
  return {
    ...openEnds(bin, hidden, last4Digits),
    ...(expiry !== undefined && { expiry }),
    ...(serviceCode !== undefined && { serviceCode }),
  };
}

/** Reads DFAE5A; nothing of a text that is no masked PAN. */
export function readMaskedPan(text: string): MaskedAccount {
  const [, bin, hidden, last4Digits] = PAN.exec(text) ?? [];
  return openEnds(bin, hidden, last4Digits);
}

function openEnds(
  bin: string | undefined,
  hidden: string | undefined,
  last4Digits: string | undefined,
): Pick<MaskedAccount, 'bin' | 'last4Digits'> {
  if (bin === undefined || last4Digits === undefined || (hidden ?? '').length < FEWEST_HIDDEN) return {};
  return { bin, last4Digits };
}
