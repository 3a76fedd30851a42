import type { CompleteOutcome, OnlineResult } from './driver.js';

const RESPONSE_CODE = /^[0-9A-Za-z]{2}$/;

/** Authorisation response code for the card (tag 8A): the issuer's where it fits two characters. */
export function responseCodeForCard(result: {
  readonly kind: 'approved' | 'declined';
  readonly responseCode: string;
}): string {
  if (RESPONSE_CODE.test(result.responseCode)) return result.responseCode;
  return result.kind === 'approved' ? '00' : '05';
}

/** A stripe has no say: the answer stands as it is, and without one there is nothing that could approve. */
export function completeStripe(result: OnlineResult): CompleteOutcome {
  return { kind: result.kind === 'approved' ? 'approved' : 'declined', iccData: Buffer.alloc(0) };
}
