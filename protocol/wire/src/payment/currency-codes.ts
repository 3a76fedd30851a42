import { minorDigits } from './minor-digits.js';

/**
 * ISO 4217: the active currencies that can be paid in, each as alpha-3 and numeric code. Metals, bond units, units of account and test codes are
 * no money. As of November 2026: ZWL ended in 2024, ANG in 2025 (XCG has its number), BGN in 2026.
 */
const CURRENCIES = `
  AED784 AFN971 ALL008 AMD051 AOA973 ARS032 AUD036 AWG533 AZN944 BAM977 BBD052 BDT050 BHD048 BIF108 BMD060
  BND096 BOB068 BOV984 BRL986 BSD044 BTN064 BWP072 BYN933 BZD084 CAD124 CDF976 CHE947 CHF756 CHW948 CLF990
  CLP152 CNY156 COP170 COU970 CRC188 CUC931 CUP192 CVE132 CZK203 DJF262 DKK208 DOP214 DZD012 EGP818 ERN232
  ETB230 EUR978 FJD242 FKP238 GBP826 GEL981 GHS936 GIP292 GMD270 GNF324 GTQ320 GYD328 HKD344 HNL340 HTG332
  HUF348 IDR360 ILS376 INR356 IQD368 IRR364 ISK352 JMD388 JOD400 JPY392 KES404 KGS417 KHR116 KMF174 KPW408
  KRW410 KWD414 KYD136 KZT398 LAK418 LBP422 LKR144 LRD430 LSL426 LYD434 MAD504 MDL498 MGA969 MKD807 MMK104
  MNT496 MOP446 MRU929 MUR480 MVR462 MWK454 MXN484 MXV979 MYR458 MZN943 NAD516 NGN566 NIO558 NOK578 NPR524
  NZD554 OMR512 PAB590 PEN604 PGK598 PHP608 PKR586 PLN985 PYG600 QAR634 RON946 RSD941 RUB643 RWF646 SAR682
  SBD090 SCR690 SDG938 SEK752 SGD702 SHP654 SLE925 SOS706 SRD968 SSP728 STN930 SVC222 SYP760 SZL748 THB764
  TJS972 TMT934 TND788 TOP776 TRY949 TTD780 TWD901 TZS834 UAH980 UGX800 USD840 USN997 UYI940 UYU858 UYW927
  UZS860 VED926 VES928 VND704 VUV548 WST882 XAF950 XCD951 XCG532 XOF952 XPF953 YER886 ZAR710 ZMW967 ZWG924
`;

interface Currency {
  readonly alpha: string;
  /** Three digits. */
  readonly number: string;
}

const LIST: readonly Currency[] = (CURRENCIES.match(/\w+/g) ?? []).map((code) => ({
  alpha: code.slice(0, 3),
  number: code.slice(3),
}));
const BY_ALPHA: ReadonlyMap<string, Currency> = new Map(LIST.map((currency) => [currency.alpha, currency]));
const BY_NUMBER: ReadonlyMap<string, Currency> = new Map(LIST.map((currency) => [currency.number, currency]));

/** Whether it is the alpha-3 code, in uppercase, of a currency that can be paid in. */
export function isCurrency(alpha: string): boolean {
  return BY_ALPHA.has(alpha);
}

/** All currencies that can be paid in, in the order of their codes. */
export function currencyCodes(): readonly string[] {
  return [...BY_ALPHA.keys()];
}

/** ISO 4217 numeric code, three digits (tag 5F2A), of an alpha-3 code: `EUR` is `978`; undefined when unknown. */
export function currencyNumber(alpha: string): string | undefined {
  return BY_ALPHA.get(alpha)?.number;
}

/** ISO 4217 alpha-3 code of a numeric one: `978` is `EUR`; undefined when unknown. */
export function currencyAlpha(numeric: string): string | undefined {
  return BY_NUMBER.get(numeric)?.alpha;
}

/** Digits of the minor unit of an alpha-3 code; undefined when unknown. */
export function currencyDigits(alpha: string): number | undefined {
  return isCurrency(alpha) ? minorDigits(alpha) : undefined;
}
