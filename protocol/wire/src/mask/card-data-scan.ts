import { passesLuhn } from './luhn.js';

/** Card data that stands in a text. The data themselves are not repeated. */
interface CardDataPlace {
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly what: 'card number' | 'track' | 'EMV data with a card number';
}

/** Lengths of card numbers by the digits that they begin with (ISO/IEC 7812): a number of another length is none of that scheme. */
const NUMBERS: readonly (readonly [begin: RegExp, shortest: number, longest: number])[] = [
  [/^4/, 13, 19],
  [/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, 16, 16],
  [/^3[47]/, 15, 15],
  [/^3(0[0-5]|[689])/, 14, 19],
  [/^35/, 16, 19],
  [/^6/, 12, 19],
  [/^(50|5[6-8])/, 12, 19],
];

/** Digits, with single separators between them; unlike the mask of logs, also next to letters. */
const DIGITS = /\d(?:[ ._/-]?\d){11,}/g;
/** Track 1 and track 2 as text. */
const TRACKS = /%B\d{12,19}\^|;?\d{12,19}[=D]\d{7,}/g;
/** Tag 5A with 6 to 10 bytes, or tag 57 up to its separator, in hex. */
const EMV_NUMBERS = /5A(0[6-9A])(\d{12,19})|57(?:0[A-F]|1[0-3])(\d{12,19})D/g;
/** Ids and hashes: chance makes digits of card numbers of them. */
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const LONG_HEX = /(?<![0-9A-Fa-f])(?=[0-9]*[A-Fa-f])[0-9A-Fa-f]{32,}(?![0-9A-Fa-f])/g;

/** Where card data stand in clear; the first of each line and kind. */
export function findCardData(text: string): readonly CardDataPlace[] {
  return text.split('\n').flatMap((line, at) => inLine(line).map((found) => ({ line: at + 1, ...found })));
}

function inLine(line: string): Omit<CardDataPlace, 'line'>[] {
  const blank = (found: string) => '\0'.repeat(found.length);
  const withoutIds = line.replace(UUID, blank).replace(LONG_HEX, blank);
  const finds = [
    ['track', first(line, TRACKS, ([found]) => isCardNumber(/\d+/.exec(found)?.[0] ?? ''))],
    ['EMV data with a card number', first(line, EMV_NUMBERS, isEmvNumber)],
    ['card number', first(withoutIds, DIGITS, ([found]) => hasNumber(found.split(/\D/)))],
  ] as const;
  return finds.flatMap(([what, index]) => (index === undefined ? [] : [{ column: index + 1, what }]));
}

function first(
  line: string,
  pattern: RegExp,
  isCardData: (found: RegExpExecArray) => boolean,
): number | undefined {
  for (const found of line.matchAll(pattern)) if (isCardData(found)) return found.index;
  return undefined;
}

function isEmvNumber([, length, digits = '', track = '']: RegExpExecArray): boolean {
  return isCardNumber(length === undefined ? track : digits.slice(0, 2 * Number.parseInt(length, 16)));
}

/** More digits than a card number has, and zeros in front of them. */
const MAX_DIGITS = 24;

/** Whether some groups in a row are a card number. */
function hasNumber(groups: readonly string[]): boolean {
  return groups.some((_, from) => {
    let digits = '';
    for (let at = from; at < groups.length && digits.length <= MAX_DIGITS; at += 1) {
      digits += groups[at];
      if (isCardNumber(digits)) return true;
    }
    return false;
  });
}

/** Whether digits are a card number of a scheme; zeros in front fill a field. */
export function isCardNumber(text: string): boolean {
  const digits = text.replace(/^0+/, '');
  const fits = ([begin, shortest, longest]: (typeof NUMBERS)[number]) =>
    begin.test(digits) && digits.length >= shortest && digits.length <= longest;
  return passesLuhn(digits) && NUMBERS.some(fits);
}
