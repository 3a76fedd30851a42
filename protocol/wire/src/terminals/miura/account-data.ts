import { TerminalFormatError } from '../format-error.js';

/** Account data of a swipe. */
interface MagstripeAccount {
  readonly pan: string;
  /** Digits with `D` as separator. */
  readonly track2: string;
  /** `YYMM`. */
  readonly expiry: string;
}

/** Tag of the second track among the data of a swipe. */
export const TRACK_2_TAG = '5F22';

const TRACK = /^;(\d{8,19})=(\d{4})(\d*)\?/;

/**
 * Value of 5F22: the track as it is on the card, sentinels and check character among it. A device without keys gives it so in clear;
 * that the enciphered data of a swipe hold the same follows from their length (from public sources incomplete).
 */
export function encodeTrack2(track2: string): Buffer {
  const text = `;${track2}?`;
  let check = 0;
  for (const byte of Buffer.from(text, 'latin1')) check ^= byte & 0x0f;
  return Buffer.from(text + String.fromCharCode(0x30 | check), 'latin1');
}

/** Reads 5F22. @throws TerminalFormatError; the track is not shown */
export function decodeTrack2(value: Uint8Array): MagstripeAccount {
  const [, pan, expiry, rest] = TRACK.exec(Buffer.from(value).toString('latin1')) ?? [];
  if (pan === undefined || expiry === undefined) throw new TerminalFormatError('5F22', 'is no track 2');
  return { pan, track2: `${pan}D${expiry}${rest}`, expiry };
}
