/** Answers to the card verification value, by its last three digits; every other value matches (M). */
const CVV_ANSWERS: Readonly<Record<string, string>> = {
  /** Does not match. */
  '000': 'N',
  /** Was not processed. */
  '777': 'P',
  /** Should be on the card. */
  '888': 'S',
  /** The issuer cannot check it. */
  '999': 'U',
};
/** A postcode of zeros alone does not match. */
const WRONG_POSTCODE = /^[0 -]+$/;
/** A street with this word does not match. */
const WRONG_STREET = /\bmismatch\b/i;

/** What a cardholder gave in addition to the card. */
interface CardholderData {
  readonly cvv?: string | undefined;
  readonly billing?: { readonly street?: string; readonly postcode?: string } | undefined;
}

/** The issuer's AVS and CVV results (gateway/docs/test-mode.md). */
interface CardholderResults {
  readonly avsResponse?: string;
  readonly cvvResponse?: string;
}

/** The simulated issuer's AVS and CVV results of an authorization. Pure. */
export function verifyCardholder({ cvv, billing }: CardholderData): CardholderResults {
  return {
    ...(billing && { avsResponse: verifyAddress(billing) }),
    ...(cvv !== undefined && { cvvResponse: CVV_ANSWERS[cvv.slice(-3)] ?? 'M' }),
  };
}

function verifyAddress({ street, postcode }: NonNullable<CardholderData['billing']>): string {
  if (street === undefined || postcode === undefined) return 'U';
  const streetMatches = !WRONG_STREET.test(street);
  const postcodeMatches = !WRONG_POSTCODE.test(postcode);
  if (streetMatches) return postcodeMatches ? 'F' : 'A';
  return postcodeMatches ? 'Z' : 'N';
}
