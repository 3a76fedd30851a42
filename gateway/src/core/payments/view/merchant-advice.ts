/** What a merchant may do after a decline (Mastercard merchant advice codes), by ISO 8583 response code. */
const ADVICE: Readonly<Record<string, string>> = {
  /** New account data is available: 01. */
  '54': '01',
  /** Try again later: 02. */
  '51': '02',
  '61': '02',
  '91': '02',
  /** Do not try again: 03. */
  '14': '03',
  '41': '03',
  '43': '03',
  '57': '03',
  '62': '03',
};

/** Two digits for `resultDetails.MerchantAdviceCode`; undefined where the response code advises nothing. */
export function merchantAdvice(responseCode: string): string | undefined {
  return Object.hasOwn(ADVICE, responseCode) ? ADVICE[responseCode] : undefined;
}
