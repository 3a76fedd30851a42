import { type AcquirerDecision, type AcquirerMoneyRequest, cardOf } from '../acquirer.js';

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

/** The simulated issuer's AVS and CVV results of an authorization (spec 2.10). Pure. */
export function verifyCardholder(
  request: Pick<AcquirerMoneyRequest, 'kind' | 'instrument' | 'billing'>,
): Pick<AcquirerDecision, 'avsResponse' | 'cvvResponse'> {
  const { kind, billing } = request;
  if (kind !== 'authorization') return {};
  const cvv = cardOf(request)?.cvv;
  return {
    ...(billing && { avsResponse: verifyAddress(billing) }),
    ...(cvv !== undefined && { cvvResponse: CVV_ANSWERS[cvv.slice(-3)] ?? 'M' }),
  };
}

function verifyAddress({ street, postcode }: NonNullable<AcquirerMoneyRequest['billing']>): string {
  if (street === undefined || postcode === undefined) return 'U';
  const streetMatches = !WRONG_STREET.test(street);
  const postcodeMatches = !WRONG_POSTCODE.test(postcode);
  if (streetMatches) return postcodeMatches ? 'F' : 'A';
  return postcodeMatches ? 'Z' : 'N';
}
