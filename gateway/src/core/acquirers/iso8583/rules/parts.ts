import type { ExchangeRecord } from './exchange-record.js';

/** Parts of one acquirer reference at most; a deferred authorization is sent so often. */
export const MAX_PARTS = 100;

/** The reference of a part among those of an acquirer reference; the first one has that reference itself. */
export function partReference(reference: string, part: number): string {
  return part === 0 ? reference : `${reference}.${part}`;
}

/** The acquirer reference that a part belongs to. */
export function wholeReference(reference: string): string {
  return reference.split('.', 1)[0] ?? reference;
}

/** Whether an exchange is a further part of another one. */
export function isFurtherPart({ reference }: Pick<ExchangeRecord, 'reference'>): boolean {
  return wholeReference(reference) !== reference;
}

/** Whether further parts may belong to an exchange: a refund of several captures, and a deferred authorization. */
export function mayHaveParts({ purpose, reference }: Pick<ExchangeRecord, 'purpose' | 'reference'>): boolean {
  return (purpose?.split !== undefined || purpose?.deferred === true) && !isFurtherPart({ reference });
}

/**
 * Whether a deferred authorization may be sent again, under a number of its own (pure): the host has given no answer and has acknowledged the
 * reversal, and the gateway requested no reversal.
 */
export function mayAskAgain({ purpose, state, request, answer, reversal }: ExchangeRecord): boolean {
  const isReversed = state === 'reversed' && reversal !== undefined && reversal.reference === undefined;
  return purpose?.deferred === true && isReversed && request !== undefined && answer === undefined;
}
