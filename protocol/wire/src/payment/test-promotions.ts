/** Promotion codes of test mode that the acquirer simulator refuses, and the ISO 8583 response code of each. It takes every other one. */
export const REFUSED_PROMOTIONS: Readonly<Record<string, string>> = {
  /** It is over. */
  EXPIRED: '57',
  /** It was used before. */
  USEDUP: '61',
};
