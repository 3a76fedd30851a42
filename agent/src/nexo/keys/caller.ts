import { TILL_RIGHTS } from '../../access/rights.js';
import { NexoError } from '../messages/nexo-error.js';

/**
 * What the key of a till may be used for: the rights of tills, and `card-details` (expiry and sequence number of cards in answers), which no
 * key has unless its file grants it.
 */
export const NEXO_RIGHTS = [...TILL_RIGHTS, 'card-details'] as const;

/** One of {@link NEXO_RIGHTS}. */
export type NexoRight = (typeof NEXO_RIGHTS)[number];

/** Whom a message is from, by the key that it was enciphered under. */
export interface NexoCaller {
  /** The tills that the key acts for; every till where absent. */
  readonly saleIds?: readonly string[];
  readonly rights: readonly NexoRight[];
}

/** The key of the store, which has every right of tills and acts for every till. */
export const EVERY_TILL: NexoCaller = { rights: TILL_RIGHTS };

/** Whether a key acts for a till; a sale without one belongs to the store. */
export function actsFor({ saleIds }: NexoCaller, saleId: string | undefined): boolean {
  return saleIds === undefined || (saleId !== undefined && saleIds.includes(saleId));
}

/** @throws NexoError `not-allowed` where the key has not one of these rights */
export function demandRight({ rights }: NexoCaller, oneOf: readonly NexoRight[]): void {
  if (oneOf.some((right) => rights.includes(right))) return;
  throw new NexoError('not-allowed', `the key of this till has not the right to ${oneOf.join(' or ')}`);
}
