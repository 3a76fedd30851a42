import type { AcquirerDecision, AcquirerMoneyRequest } from '../acquirer.js';

/** Digits of a network's transaction id. */
const ID_DIGITS = 15;

/**
 * What the simulated card network adds to an answer: the id of the first payment of an agreement. It follows from the reference, so that a repeated
 * request gets the same. Pure.
 */
export function networkIds({
  kind,
  standing,
  acquirerReference,
}: Pick<AcquirerMoneyRequest, 'kind' | 'standing' | 'acquirerReference'>): Pick<
  AcquirerDecision,
  'networkTransactionId'
> {
  if (kind !== 'authorization' || standing?.mode !== 'INITIAL') return {};
  const digits = BigInt(`0x${acquirerReference}`).toString().slice(-ID_DIGITS);
  return { networkTransactionId: digits.padStart(ID_DIGITS, '0') };
}
