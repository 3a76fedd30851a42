import { isCardNumber } from '@tillbridge/wire/mask/card-data-scan.js';
import { isPublicId, maskText } from '@tillbridge/wire/mask/mask.js';

/** Limits of a text of the log. */
export const MASK_LIMITS = {
  /** Characters of a value that are looked at: what stands behind them is left out. */
  looked: 1_024,
  /** Characters of a value that are kept. */
  kept: 255,
  /** Characters at the end of what was looked at that may be part of something longer: they are left out. */
  cutEdge: 64,
} as const;

/** Digits with single separators between them, also next to letters: as many as the shortest card number has. */
const DIGITS = /\d(?:[ ._/-]?\d){11,}/g;
const SHORTEST_PAN = 12;
const LONGEST_PAN = 19;
/** Country, check digits and account of an IBAN, in groups or not; wherever one may begin. */
const IBAN = /(?=([A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]){11,30}))/g;
const SHORTEST_IBAN = 15;
/** Random texts: keys and tokens have no other separator for so long, and digits among their letters. */
const LONG_WORD = /[A-Za-z0-9_+/=|-]{32,}/g;
/** A key in hex as people write it down. */
const GROUPED_HEX = /(?<![0-9A-Za-z])[0-9A-Fa-f]{4}(?:[ -][0-9A-Fa-f]{4}){7,}/g;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Our access tokens, whatever their length. */
const ACCESS_TOKEN = /\btb_[A-Za-z0-9_-]{8,}/g;
/** Characters that a terminal or a viewer may obey, and those that no database stores. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
/** What one of the above may be found in. Most values are not. */
const SUSPECT =
  /[^\u0020-\u007e]|\d(?:[ ._/-]?\d){10}|[A-Za-z0-9_+/=|-]{15}|tb_|Bearer|[A-Za-z]{2}\d{2}[ -]|[0-9A-F]{4}[ -][0-9A-F]{4}[ -]/i;

/** A text without card numbers, IBANs, tokens, keys and control characters, shortened; ids of ours stay. Pure. */
export function maskedText(value: string): string {
  if (value.length <= MASK_LIMITS.kept && !SUSPECT.test(value)) return value;
  if (isPublicId(value)) return value;
  const isCut = value.length > MASK_LIMITS.looked;
  const looked = isCut ? value.slice(0, MASK_LIMITS.looked) : value;
  // Digits of other scripts and of full width are digits as well.
  const text = looked.normalize('NFKC').replace(CONTROLS, '\ufffd');
  const masked = withoutIbans(maskText(text))
    .replace(DIGITS, (found) => (holdsCardNumber(found) ? `***${found.length} digits***` : found))
    .replace(GROUPED_HEX, '***hex***')
    .replace(ACCESS_TOKEN, '***token***')
    .replace(LONG_WORD, (found) => (isRandom(found) ? `***${found.length} characters***` : found));
  const whole = isCut ? masked.slice(0, Math.max(0, masked.length - MASK_LIMITS.cutEdge)) : masked;
  const short = whole.length > MASK_LIMITS.kept ? whole.slice(0, MASK_LIMITS.kept) : whole;
  return short.length < masked.length || isCut ? `${short.replace(/[\uD800-\uDBFF]$/, '')}…` : short;
}

/** Whether some of the digits in a row could be a card number. */
function holdsCardNumber(found: string): boolean {
  const digits = found.replace(/\D/g, '');
  for (let from = 0; from + SHORTEST_PAN <= digits.length; from += 1)
    for (let length = SHORTEST_PAN; length <= LONGEST_PAN && from + length <= digits.length; length += 1)
      if (isCardNumber(digits.slice(from, from + length))) return true;
  return false;
}

/** Whether a long word may be a key or a token: ids of ours and UUIDs are not. */
function isRandom(word: string): boolean {
  return /\d/.test(word) && /[A-Za-z]/.test(word) && !isPublicId(word) && !UUID.test(word);
}

/** A text with each IBAN replaced, and what stands behind it without a sign between. */
function withoutIbans(text: string): string {
  let [kept, from] = ['', 0];
  for (const found of text.matchAll(IBAN)) {
    const [, iban = ''] = found;
    if (found.index < from || !beginsWithIban(iban)) continue;
    kept += `${text.slice(from, found.index)}${iban.slice(0, 4)}***IBAN***`;
    from = found.index + iban.length;
  }
  return kept + text.slice(from);
}

/** ISO 7064 MOD 97-10, at each length that an IBAN may have. */
function beginsWithIban(found: string): boolean {
  const text = found.replace(/[ -]/g, '').toUpperCase();
  for (let length = SHORTEST_IBAN; length <= text.length; length += 1)
    if (remainder97(text.slice(4, length) + text.slice(0, 4)) === 1) return true;
  return false;
}

function remainder97(text: string): number {
  let rest = 0;
  for (const sign of text) {
    const value = Number.parseInt(sign, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
}
