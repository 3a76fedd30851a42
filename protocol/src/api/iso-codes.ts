import currencies from 'currency-codes';
import { iso31661 } from 'iso-3166';

/** Codes of ISO 4217 that are no money to pay with: metals, bond units, test and unknown, and the units of account. */
const NOT_MONEY: ReadonlySet<string> = new Set([
  'XAG',
  'XAU',
  'XBA',
  'XBB',
  'XBC',
  'XBD',
  'XDR',
  'XPD',
  'XPT',
  'XSU',
  'XTS',
  'XUA',
  'XXX',
]);
/** Most minor digits that an amount with two decimals outside can be brought to. */
const MAX_MINOR_DIGITS = 3;
/** Currencies that ISO 4217 brought in after the library's list of June 2024. */
const LATER: readonly string[] = ['XCG'];

const CURRENCIES: ReadonlySet<string> = new Set([
  ...currencies.data
    .filter(({ code, digits }) => !NOT_MONEY.has(code) && digits <= MAX_MINOR_DIGITS)
    .map(({ code }) => code),
  ...LATER,
]);
const ALPHA_2: ReadonlySet<string> = new Set(iso31661.map((country) => country.alpha2));
const ALPHA_3: ReadonlySet<string> = new Set(iso31661.map((country) => country.alpha3));
const NUMERIC: ReadonlySet<string> = new Set(iso31661.map((country) => country.numeric));

/** Is it a currency of ISO 4217 that can be paid in? Uppercase alpha-3. */
export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code);
}

/** All currencies that can be paid in, in the order of their codes. */
export function currencyCodes(): readonly string[] {
  return [...CURRENCIES].sort();
}

/** Is it a country of ISO 3166-1: alpha-2 or alpha-3 in either case, or numeric with three digits? */
export function isCountry(code: string, form: 'alpha-2' | 'alpha-3' | 'numeric'): boolean {
  switch (form) {
    case 'alpha-2':
      return ALPHA_2.has(code.toUpperCase());
    case 'alpha-3':
      return ALPHA_3.has(code.toUpperCase());
    case 'numeric':
      return NUMERIC.has(code);
  }
}
