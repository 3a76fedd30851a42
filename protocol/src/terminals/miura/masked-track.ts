/** What a masked track 2 leaves open: the first six and last four digits, expiry, service code. */
export interface MaskedTrack {
  /** Six digits. */
  readonly bin?: string;
  readonly last4Digits?: string;
  /** `YYMM`. */
  readonly expiry?: string;
  readonly serviceCode?: string;
}

const OPEN_LEFT = 6;
const OPEN_RIGHT = 4;
const MASK = '*';
/** Start sentinel, PAN with its mask, separator, expiry, service code; what follows is masked. */
const TRACK = /^;?(\d{6})([\d*]*)(\d{4})=(\d{4})?(\d{3})?/;
const PAN = /^(\d{6})([\d*]+)(\d{4})$/;
/** Where fewer digits are hidden the open ones would tell almost all of a short PAN: neither end is taken. */
const FEWEST_HIDDEN = 2;

/** Hides the middle of a PAN. */
export function maskedPan(pan: string): string {
  const hidden = Math.max(0, pan.length - OPEN_LEFT - OPEN_RIGHT);
  return pan.slice(0, OPEN_LEFT) + MASK.repeat(hidden) + pan.slice(pan.length - OPEN_RIGHT);
}

/** Track 2 as the device gives it in DFAE22 and DFAE57: sentinels, PAN and discretionary data hidden. */
export function maskTrack2(track2: string): string {
  const [pan = '', rest = ''] = track2.split('=');
  const open = rest.slice(0, 7);
  return `;${maskedPan(pan)}=${open}${MASK.repeat(Math.max(0, rest.length - open.length))}?`;
}

/** Reads DFAE22 or DFAE57; nothing of a text that is no masked track. */
export function readMaskedTrack2(text: string): MaskedTrack {
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
export function readMaskedPan(text: string): MaskedTrack {
  const [, bin, hidden, last4Digits] = PAN.exec(text) ?? [];
  return openEnds(bin, hidden, last4Digits);
}

function openEnds(
  bin: string | undefined,
  hidden: string | undefined,
  last4Digits: string | undefined,
): Pick<MaskedTrack, 'bin' | 'last4Digits'> {
  if (bin === undefined || last4Digits === undefined || (hidden ?? '').length < FEWEST_HIDDEN) return {};
  return { bin, last4Digits };
}
