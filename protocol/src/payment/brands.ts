/** A card brand: its key in the API and how its numbers look. */
export interface Brand {
  readonly key: string;
  /** Ranges of leading digits, both ends of the same length and included. */
  readonly ranges: readonly (readonly [from: string, to: string])[];
  readonly panLengths: readonly number[];
  readonly cvvLength: 3 | 4;
}

/** Card brands (ISO/IEC 7812 issuer ranges as the schemes publish them). */
export const BRANDS: readonly Brand[] = [
  { key: 'VISA', ranges: [['4', '4']], panLengths: [13, 16, 18, 19], cvvLength: 3 },
  {
    key: 'MASTER',
    ranges: [
      ['51', '55'],
      ['2221', '2720'],
    ],
    panLengths: [16],
    cvvLength: 3,
  },
  {
    key: 'AMEX',
    ranges: [
      ['34', '34'],
      ['37', '37'],
    ],
    panLengths: [15],
    cvvLength: 4,
  },
  {
    key: 'DINERS',
    ranges: [
      ['300', '305'],
      ['3095', '3095'],
      ['36', '36'],
      ['38', '39'],
    ],
    panLengths: [14, 15, 16, 17, 18, 19],
    cvvLength: 3,
  },
  {
    key: 'DISCOVER',
    ranges: [
      ['6011', '6011'],
      ['644', '649'],
      ['65', '65'],
    ],
    panLengths: [16, 17, 18, 19],
    cvvLength: 3,
  },
  { key: 'JCB', ranges: [['3528', '3589']], panLengths: [16, 17, 18, 19], cvvLength: 3 },
  {
    key: 'MAESTRO',
    ranges: [
      ['50', '50'],
      ['56', '58'],
      ['60', '60'],
      ['61', '61'],
      ['63', '63'],
      ['67', '67'],
      ['69', '69'],
    ],
    panLengths: [12, 13, 14, 15, 16, 17, 18, 19],
    cvvLength: 3,
  },
];

/** The brand with this key. */
export function findBrand(key: string): Brand | undefined {
  return BRANDS.find((brand) => brand.key === key);
}

/** The brand whose longest range covers the number and whose lengths allow it. */
export function detectBrand(pan: string): Brand | undefined {
  let best: { brand: Brand; digits: number } | undefined;
  for (const brand of BRANDS) {
    const digits = coveredDigits(brand, pan);
    if (digits > (best?.digits ?? 0) && brand.panLengths.includes(pan.length)) best = { brand, digits };
  }
  return best?.brand;
}

/** Does the number lie in one of the brand's ranges? */
export function belongsTo(brand: Brand, pan: string): boolean {
  return coveredDigits(brand, pan) > 0 && brand.panLengths.includes(pan.length);
}

/** Length of the longest range that covers the number; 0 when none does. */
function coveredDigits(brand: Brand, pan: string): number {
  return Math.max(
    0,
    ...brand.ranges
      .filter(([from, to]) => {
        const lead = pan.slice(0, from.length);
        return lead.length === from.length && lead >= from && lead <= to;
      })
      .map(([from]) => from.length),
  );
}
