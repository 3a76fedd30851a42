import { TerminalFormatError } from '../format-error.js';

const SHORT_TRACK = 19;
const AFTER_SEPARATOR = 7;

/** Digits left open by SPE_PANMASK: `0604` keeps six on the left and four on the right (ABECS 2.12 §5.4.1). */
interface PanMask {
  readonly left: number;
  readonly right: number;
}

/** Reads SPE_PANMASK. @throws TerminalFormatError */
export function parsePanMask(text: string): PanMask {
  if (!/^\d{4}$/.test(text)) throw new TerminalFormatError('SPE_PANMASK', 'must be 4 digits');
  return { left: Number(text.slice(0, 2)), right: Number(text.slice(2)) };
}

/** Writes SPE_PANMASK. */
export function formatPanMask(mask: PanMask): string {
  return `${String(mask.left).padStart(2, '0')}${String(mask.right).padStart(2, '0')}`;
}

/**
 * Hides the middle digits of the first run of digits in `text`, spaces inside it not counted (ABECS 2.12 §5.4.1).
 * When the mask leaves nothing to hide the text stays as it is.
 */
export function maskPan(text: string, mask: PanMask): string {
  const start = text.search(/\d/);
  if (start < 0) return text;
  const run = /^[\d ]+/.exec(text.slice(start))?.[0] ?? '';
  const digits = run.replaceAll(' ', '').length;
  if (mask.left + mask.right > digits) return text;
  let seen = 0;
  const hidden = [...run].map((char) => {
    if (char === ' ') return char;
    seen += 1;
    return seen > mask.left && seen <= digits - mask.right ? '*' : char;
  });
  return text.slice(0, start) + hidden.join('') + text.slice(start + run.length);
}

/** PP_TRK1INC: up to seven characters after the second `^`, else the first 19 (ABECS 2.12 §5.4.1). */
export function incompleteTrack1(track: string): string {
  const second = track.indexOf('^', track.indexOf('^') + 1);
  const whole = track.includes('^') && second >= 0 && track.length >= second + 1 + AFTER_SEPARATOR;
  return whole ? track.slice(0, second + 1 + AFTER_SEPARATOR) : track.slice(0, SHORT_TRACK);
}

/** PP_TRK2INC: up to seven characters after `=`, else the first 19 (ABECS 2.12 §5.4.1). */
export function incompleteTrack2(track: string): string {
  const at = track.indexOf('=');
  const whole = at >= 0 && track.length >= at + 1 + AFTER_SEPARATOR;
  return whole ? track.slice(0, at + 1 + AFTER_SEPARATOR) : track.slice(0, SHORT_TRACK);
}

/** What an incomplete, masked track 2 contains: expiry and service code (ISO/IEC 7813). */
interface Track2Facts {
  /** Digits and asterisks. */
  readonly maskedPan: string;
  /** `YYMM`. */
  readonly expiry?: string;
  readonly serviceCode?: string;
}

/** Reads PP_TRK2INC. Parts that are not there are left out. */
export function readIncompleteTrack2(text: string): Track2Facts {
  const [maskedPan = '', rest = ''] = text.split('=', 2);
  const expiry = /^\d{4}/.exec(rest)?.[0];
  const serviceCode = /^.{4}(\d{3})/.exec(rest)?.[1];
  return { maskedPan, ...(expiry && { expiry }), ...(serviceCode && { serviceCode }) };
}
