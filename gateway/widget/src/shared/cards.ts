import { passesLuhn } from '@tillbridge/wire/mask/luhn.js';
import { BRANDS, type Brand, belongsTo, findBrand } from '@tillbridge/wire/payment/brands.js';

/** Longest number of any brand. */
export const MAX_PAN_DIGITS = 19;
/** Digits of a number that may leave its frame. */
export const BIN_DIGITS = 6;

const AMEX_GROUPS = [4, 6, 5];
const USUAL_GROUPS = [4, 4, 4, 4, 3];

/**
 * Brands that a number of these first digits may be of: those whose range covers most of them first, then as the shop prefers them.
 * @param allowed keys of the brands that the shop takes, the preferred first
 */
export function candidateBrands(digits: string, allowed: readonly string[]): readonly Brand[] {
  if (digits === '') return [];
  const found = allowed.flatMap((key, at) => {
    const brand = findBrand(key);
    const covered = brand ? coveredDigits(brand, digits) : 0;
    return brand && covered > 0 ? [{ brand, covered: brand.onRequest ? 0 : covered, at }] : [];
  });
  return found.sort((a, b) => b.covered - a.covered || a.at - b.at).map(({ brand }) => brand);
}

/** Digits of the longest range that a number of these first digits can still be in. */
function coveredDigits({ ranges }: Brand, digits: string): number {
  return Math.max(
    0,
    ...ranges.map(([from, to]) => {
      const length = Math.min(from.length, digits.length);
      const lead = digits.slice(0, length);
      return lead >= from.slice(0, length) && lead <= to.slice(0, length) ? length : 0;
    }),
  );
}

/** Is it a whole number of one of the brands, with its check digit (ISO/IEC 7812-1 annex B)? */
export function isCardNumber(digits: string, allowed: readonly string[]): boolean {
  const brands = allowed.map(findBrand).filter((brand) => brand !== undefined);
  const known = brands.length > 0 ? brands : BRANDS;
  return passesLuhn(digits) && known.some((brand) => belongsTo(brand, digits));
}

/** The digits in groups, as they stand on the card. */
export function grouped(digits: string): string {
  const groups = /^3[47]/.test(digits) ? AMEX_GROUPS : USUAL_GROUPS;
  const parts: string[] = [];
  let at = 0;
  for (const length of groups) {
    if (at >= digits.length) break;
    parts.push(digits.slice(at, at + length));
    at += length;
  }
  return parts.join(' ');
}

/** Month and year of what was typed as `MM/YY`, `MMYY` or `MM / YYYY`; undefined while it is none. */
export function expiryOf(text: string): { readonly month: string; readonly year: string } | undefined {
  const [, month, year] = /^(0[1-9]|1[0-2])\s*\/?\s*(?:20)?(\d\d)$/.exec(text.trim()) ?? [];
  return month === undefined || year === undefined ? undefined : { month, year: `20${year}` };
}

/** What was typed of an expiry date, with its slash: `1` and `12` as they are, `5` as `05 / `. */
export function formattedExpiry(text: string, isDeleting: boolean): string {
  const typed = text.replace(/[^\d]/g, '');
  const digits = /^[2-9]/.test(typed) ? `0${typed}` : typed;
  const year = digits.length > 4 ? digits.slice(-2) : digits.slice(2);
  if (digits.length < 2 || (isDeleting && digits.length === 2)) return digits;
  return `${digits.slice(0, 2)} / ${year}`;
}

/** Has the IBAN its check digits (ISO 13616-1)? */
export function isIban(text: string): boolean {
  const iban = text.replaceAll(/\s/g, '').toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false;
  const digits = `${iban.slice(4)}${iban.slice(0, 4)}`.replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  );
  let rest = 0;
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97;
  return rest === 1;
}
