/** A card brand: its key in the API and how its numbers look. */
export interface Brand {
  readonly key: string;
  /** Ranges of leading digits, both ends of the same length and included. */
  readonly ranges: readonly (readonly [from: string, to: string])[];
  readonly panLengths: readonly number[];
  readonly cvvLength: 3 | 4;
  /** Lies in the ranges of another brand: its cards are of that brand unless the request names this one. */
  readonly onRequest?: true;
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
  { key: 'DANKORT', ranges: [['5019', '5019']], panLengths: [16], cvvLength: 3 },
  {
    key: 'HIPERCARD',
    ranges: [
      ['606282', '606282'],
      ['384100', '384100'],
      ['384140', '384140'],
      ['384160', '384160'],
    ],
    panLengths: [13, 16, 19],
    cvvLength: 3,
  },
  {
    key: 'VISAELECTRON',
    ranges: [
      ['4026', '4026'],
      ['417500', '417500'],
      ['4508', '4508'],
      ['4844', '4844'],
      ['4913', '4913'],
      ['4917', '4917'],
    ],
    panLengths: [16],
    cvvLength: 3,
    onRequest: true,
  },
  { key: 'VPAY', ranges: [['4', '4']], panLengths: [16, 19], cvvLength: 3, onRequest: true },
  ...coBranded('CARTEBLEUE', 'CARTEBANCAIRE', 'ASYACARD', 'BONUS', 'AXESS', 'WORLD'),
];

/** Domestic schemes whose cards carry a number of VISA or MASTER. */
function coBranded(...keys: readonly string[]): readonly Brand[] {
  return keys.map((key) => ({
    key,
    ranges: [
      ['4', '4'],
      ['51', '55'],
      ['2221', '2720'],
    ],
    panLengths: [16],
    cvvLength: 3,
    onRequest: true,
  }));
}

/** The brand with this key. */
export function findBrand(key: string): Brand | undefined {
  return BRANDS.find((brand) => brand.key === key);
}

/** The brand whose longest range covers the number and whose lengths allow it. */
export function detectBrand(pan: string): Brand | undefined {
  let best: { brand: Brand; digits: number } | undefined;
  for (const brand of BRANDS) {
    const digits = brand.onRequest ? 0 : coveredDigits(brand, pan);
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
