import type { OutcomeName, Technology } from '@tillbridge/wire/terminals/magtek/notifications.js';
import { cardholderFailures, type FailureTable, kernelFailures, statusByFailure } from '../core/failure.js';

/** The transaction ends with this notification. */
export interface TransactionEnd {
  readonly technology: Technology;
  readonly outcome: OutcomeName;
}

const OUTCOMES: FailureTable<OutcomeName> = {
  ...kernelFailures('endApplication', 'endApplication'),
  ...cardholderFailures('failed', 'cancelled', 'timeout'),
  'key-erased': 'failed',
  'key-exhausted': 'failed',
};

/** What a chip that could not be used leaves open: the same again, or the magstripe at once. */
export const FALLBACKS: FailureTable<'technical' | 'magstripe'> = {
  'card-mute': 'technical',
  fallback: 'technical',
  'no-application': 'magstripe',
};

/** How a transaction with a chip ends after an error; undefined for one that nothing describes. */
export function endOfFailure(
  error: unknown,
  technology: 'contact' | 'contactless',
): TransactionEnd | undefined {
  const outcome = statusByFailure(error, OUTCOMES);
  return outcome && { technology: outcome === 'timeout' ? 'none' : technology, outcome };
}
