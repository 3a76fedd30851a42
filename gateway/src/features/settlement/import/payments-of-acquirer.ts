import type { Matched } from './match-records.js';

/** What a row fits, without payments that no file of this acquirer is about: the host of a link ends no wait for money at a bank. */
export function ofAcquirer(matched: Matched, acquirer: string | undefined): Matched {
  const { payments } = matched;
  const isForeign = payments.length > 0 && payments.every((payment) => payment.acquirer !== acquirer);
  if (acquirer === undefined || !isForeign) return matched;
  return { status: 'NOT_MATCHED', payments: [], why: `the payment did not go to ${acquirer}` };
}
