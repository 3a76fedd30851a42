import type { DriverFailure } from './driver.js';
import { cancelled, type Failed, type SaleEnd, TIMED_OUT } from './result.js';

/** Hints that the status tables of several makers share. */
const SHARED: Readonly<Record<string, DriverFailure>> = {
  'host-error': 'protocol-error',
  'wrong-state': 'protocol-error',
  busy: 'terminal-busy',
  'data-too-long': 'data-too-long',
  'no-card': 'card-removed',
  'card-removed': 'card-removed',
  'card-error': 'card-error',
  'card-blocked': 'card-blocked',
  'no-application': 'application-not-supported',
  'application-not-supported': 'application-not-supported',
  fallback: 'card-error',
  'swipe-allowed': 'card-error',
  'insert-or-swipe': 'card-error',
  'other-card': 'card-error',
  'other-interface': 'card-error',
  'tap-again': 'card-error',
  'tap-refused': 'card-error',
  'tap-after-phone': 'card-error',
  'key-missing': 'key-missing',
  tampered: 'tampered',
};

/**
 * The failure for each hint of a maker's status table, where nothing else follows from the status.
 * @param own hints that mean something else with this maker, or that only it has
 * @param rest for hints that neither table names
 */
export function statusFailures<H extends string>(
  own?: Readonly<Partial<Record<H, DriverFailure>>>,
  rest: DriverFailure = 'internal',
): (hint: H) => DriverFailure {
  return (hint) => own?.[hint] ?? SHARED[hint] ?? rest;
}

/** How a status that gave no decision ends a sale. @param stopped the till has cancelled */
export function endOfHint(hint: string, stopped: boolean, failure: () => Failed): SaleEnd {
  if (hint === 'cancelled') return cancelled(stopped);
  return hint === 'timed-out' ? TIMED_OUT : failure();
}
