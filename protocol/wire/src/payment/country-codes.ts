import { iso31661 } from 'iso-3166';

const ALPHA_2: ReadonlySet<string> = new Set(iso31661.map((country) => country.alpha2));
const ALPHA_3: ReadonlySet<string> = new Set(iso31661.map((country) => country.alpha3));
const NUMERIC: ReadonlySet<string> = new Set(iso31661.map((country) => country.numeric));

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

/** Numeric code of a country (ISO 3166-1), three digits, of its alpha-2, alpha-3 or numeric code; undefined when there is none. */
export function countryNumber(code: string): string | undefined {
  const upper = code.toUpperCase();
  return iso31661.find(({ alpha2, alpha3, numeric }) => [alpha2, alpha3, numeric].includes(upper))?.numeric;
}
