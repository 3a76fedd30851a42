import type { DriverFailure } from './driver.js';

/** A failure with its text; the text names statuses and fields, never card data. */
export interface Failed {
  readonly kind: 'failed';
  readonly failure: DriverFailure;
  readonly detail: string;
}

/** Builds a {@link Failed}. */
export function failed(failure: DriverFailure, detail: string): Failed {
  return { kind: 'failed', failure, detail };
}

/** The till stopped it. */
export const STOPPED_BY_TILL = { kind: 'cancelled', by: 'till' } as const;
