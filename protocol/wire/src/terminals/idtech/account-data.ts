import { TerminalFormatError } from '../format-error.js';
import { decodeObjects } from './secure-tlv.js';

/** Account data as they came out of an enciphered tag 57 or 5A, or an enciphered track 2. */
interface NeoAccountData {
  readonly pan: string;
  /** Digits with `D` as separator. */
  readonly track2?: string;
  /** `YYMM`. */
  readonly expiry?: string;
}

const SENTINEL = ';'.charCodeAt(0);
const EXPIRY_DIGITS = 4;
const MAGSTRIPE = /^;(\d{8,19})=(\d*)\?/;
const CHIP_TRACK = /^(\d{8,19})D(\d*)F?$/;
const PAN = /^(\d{8,19})F?$/;

/** Fills clear bytes with zeros to whole cipher blocks. */
export function padZero(clear: Uint8Array, blockBytes: number): Buffer {
  const padded = Buffer.alloc(Math.ceil(clear.length / blockBytes) * blockBytes);
  padded.set(clear);
  return padded;
}

/**
 * Reads deciphered account data: a tag with its length and value, or a track 2 between its sentinels, filled with zeros
 * (published test logs of tags 57 and 5A; encrypted data output formats for magstripes). A track of number and expiry alone is
 * none: they were keyed in.
 * @throws TerminalFormatError when they are none, as after a wrong key
 */
export function decodeAccountData(clear: Uint8Array): NeoAccountData {
  if (clear[0] === SENTINEL) return magstripe(Buffer.from(clear).toString('latin1'));
  const [object] = decodeObjects(withoutFilling(clear));
  const digits = Buffer.from(object?.value ?? [])
    .toString('hex')
    .toUpperCase();
  if (object?.tag === '57') return track(CHIP_TRACK.exec(digits));
  const pan = object?.tag === '5A' ? PAN.exec(digits)?.[1] : undefined;
  if (pan === undefined) throw new TerminalFormatError('account data', 'hold neither tag 57 nor tag 5A');
  return { pan };
}

/** The one object, by its own length: what follows is filling and must be zero. */
function withoutFilling(clear: Uint8Array): Uint8Array {
  const end = 2 + (clear[1] ?? 0);
  if (clear.subarray(end).some((byte) => byte !== 0)) {
    throw new TerminalFormatError('account data', 'are followed by more than zeros');
  }
  return clear.subarray(0, end);
}

function magstripe(text: string): NeoAccountData {
  const whole = track(MAGSTRIPE.exec(text));
  const { pan, track2, expiry } = whole;
  return track2.length === pan.length + 1 + EXPIRY_DIGITS ? { pan, expiry } : whole;
}

function track(match: RegExpExecArray | null): Required<NeoAccountData> {
  const [, pan, rest] = match ?? [];
  if (pan === undefined || rest === undefined)
    throw new TerminalFormatError('account data', 'hold no track 2');
  return { pan, track2: `${pan}D${rest}`, expiry: rest.slice(0, 4) };
}
