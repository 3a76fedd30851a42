/** Currencies whose minor unit is no hundredth, by its digits (ISO 4217). In a separate file: pages load it without the table of codes. */
const OTHERS: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const DIGITS: ReadonlyMap<string, number> = new Map(
  Object.entries(OTHERS).flatMap(([digits, codes]) =>
    codes.split(' ').map((code): [string, number] => [code, Number(digits)]),
  ),
);

/** How many minor digits the currency has; 2 for one that is not known. */
export function minorDigits(currency: string): number {
  return DIGITS.get(currency) ?? 2;
}
