/** Values that show where a format ends: the generated conformance test sends them. */
export interface Examples {
  readonly valid: readonly string[];
  readonly invalid: readonly string[];
}

/** Format of a parameter's value, as the specification's notation has it. */
export type Format =
  /** Any printable characters; bounds count characters (code points). */
  | { readonly kind: 'text'; readonly min: number; readonly max: number }
  /** Characters of one class (content of a regular expression's brackets), by length. */
  | { readonly kind: 'characters'; readonly set: string; readonly min: number; readonly max: number }
  /** A pattern the whole value must match. */
  | {
      readonly kind: 'pattern';
      readonly pattern: string;
      /** The rule as people say it; absent: the pattern itself, with an example. */
      readonly words?: string;
      readonly examples?: Examples;
    }
  /** One of these, case-sensitive. */
  | { readonly kind: 'one-of'; readonly values: readonly string[] }
  /** Some of these, separated by commas. */
  | { readonly kind: 'list-of'; readonly values: readonly string[] }
  /** A whole number between the bounds. */
  | { readonly kind: 'integer'; readonly min: number; readonly max: number }
  /** A day that exists, `yyyy-MM-dd`, of a year that begins with 19 or 20. */
  | { readonly kind: 'date' }
  /** A second of such a day, `yyyy-MM-dd HH:mm:ss`. */
  | { readonly kind: 'timestamp' }
  /** An absolute URL that a browser may be sent to. */
  | { readonly kind: 'url'; readonly min: number; readonly max: number }
  /** One field of a schedule, or a whole expression of them. */
  | { readonly kind: 'cron'; readonly field: CronField | 'expression' };

/** Fields of a schedule (docs/schedules.md, job.*). */
export type CronField = 'second' | 'minute' | 'hour' | 'dayOfMonth' | 'month' | 'dayOfWeek' | 'year';

/** A length range of any printable characters. */
export function text(min: number, max: number): Format {
  return { kind: 'text', min, max };
}

/** Characters of one class, by length. */
export function characters(set: string, min: number, max: number): Format {
  return { kind: 'characters', set, min, max };
}

/** A value that matches the pattern from its first to its last character. */
export function pattern(source: string, examples?: Examples, words?: string): Format {
  return {
    kind: 'pattern',
    pattern: `^${source}$`,
    ...(words !== undefined && { words }),
    ...(examples && { examples }),
  };
}

/** One of the listed values. */
export function oneOf(...values: readonly string[]): Format {
  return { kind: 'one-of', values };
}

/** Some of the listed values, separated by commas. */
export function listOf(...values: readonly string[]): Format {
  return { kind: 'list-of', values };
}

/** A number between the bounds. */
export function integer(min: number, max: number): Format {
  return { kind: 'integer', min, max };
}

/** Digits, by length. */
export function digits(min: number, max: number): Format {
  return characters('0-9', min, max);
}

/** Letters and digits, by length. */
export function alphanumeric(min: number, max: number): Format {
  return characters('A-Za-z0-9', min, max);
}

/** A code of two digits out of a range: `twoDigits(1, 8)` is 01 to 08. */
export function twoDigits(from: number, to: number): Format {
  return oneOf(...Array.from({ length: to - from + 1 }, (_, at) => String(from + at).padStart(2, '0')));
}

/** A telephone number: a plus sign or a digit first, `min` to `max` characters in all. */
export function phone(min: number, max: number): Format {
  return pattern(
    `[+0-9][0-9 .()/-]{${min - 1},${max - 1}}`,
    {
      valid: ['+'.padEnd(min, '4'), '4'.padEnd(max, '9'), '+49 (89) 1/2-3.4'].filter(
        (value) => value.length >= min && value.length <= max,
      ),
      invalid: [
        '+'.padEnd(max + 1, '4'),
        '(49) 89 123',
        '+49 89 CALL',
        ...(min > 1 ? ['4'.repeat(min - 1)] : []),
      ],
    },
    `a telephone number of ${min} to ${max} characters: + or a digit first, then digits, blanks and . ( ) / -`,
  );
}

/** A decimal with exactly two decimals. */
export function decimal(integerDigits: number): Format {
  return pattern(
    `\\d{1,${integerDigits}}\\.\\d{2}`,
    {
      valid: ['0.01', `${'9'.repeat(integerDigits)}.99`],
      invalid: ['1', '1.0', '1.000', '1,00', '.50', '-1.00', `${'1'.repeat(integerDigits + 1)}.00`],
    },
    `1 to ${integerDigits} digits, a dot and exactly two decimals, such as 12.00`,
  );
}

/** A decimal with no decimals or exactly two. */
export function decimalOrWhole(integerDigits: number): Format {
  return pattern(
    `\\d{1,${integerDigits}}(\\.\\d{2})?`,
    {
      valid: ['1', '0.01', '9'.repeat(integerDigits), `${'9'.repeat(integerDigits)}.99`],
      invalid: ['1.', '1.0', '1.000', '1,00', '.50', '-1', '1e3', '1'.repeat(integerDigits + 1)],
    },
    `1 to ${integerDigits} digits with no decimals, or a dot and exactly two, such as 12 or 12.30`,
  );
}

/** `true` or `false`. */
export const BOOLEAN: Format = oneOf('true', 'false');
/** Amount format of the specification's notation. */
export const AMOUNT: Format = decimalOrWhole(10);
/** "1-10 integer digits, dot, 2 decimals", and amounts that the specification gives two decimals. */
export const PRICE: Format = decimal(10);
/** ISO 4217 alpha-3; whether the code exists is a question of content. */
export const CURRENCY: Format = characters('A-Z', 3, 3);
/** Date format of the specification's notation. */
export const DATE: Format = { kind: 'date' };
/** A date with the time of day. */
export const TIMESTAMP: Format = { kind: 'timestamp' };
/** A payment brand. */
export const BRAND: Format = characters('A-Za-z0-9_', 1, 32);
/** A payment type; `PA.CP` (authorize, check risk, capture) is an addition to the two letters. */
export const PAYMENT_TYPE: Format = pattern('([A-Z]{2}|PA\\.CP)', {
  valid: ['PA', 'DB'],
  invalid: ['P', 'PAX', 'pa', 'P1'],
});
/** Two letters of a country. */
export const COUNTRY: Format = characters('A-Za-z', 2, 2);
/** Two uppercase letters of a country. */
export const COUNTRY_UPPERCASE: Format = characters('A-Z', 2, 2);
/** Up to three letters of a country in ISO 3166-1 alpha-3; a code that is none is a question of content. */
export const COUNTRY_ALPHA_3: Format = characters('A-Za-z', 0, 3);
/** Month of an expiry date. */
export const EXPIRY_MONTH: Format = twoDigits(1, 12);
/** Year of an expiry date. */
export const EXPIRY_YEAR: Format = pattern(
  '(19|20)\\d{2}',
  {
    valid: ['1900', '2099'],
    invalid: ['1899', '2100', '99', '20999', '20AB'],
  },
  'a year of four digits from 1900 to 2099',
);
/** Name inside the brackets of customParameters, merchant.data and risk.parameters. */
export const MAP_KEY: Format = characters('A-Za-z0-9._', 3, 64);
/** An absolute URL. */
export const URL_6_TO_2048: Format = { kind: 'url', min: 6, max: 2048 };
