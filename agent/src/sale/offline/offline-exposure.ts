import { type CardFingerprint, maybeSameCard } from './card-fingerprint.js';
import type { OfflineApproval } from './offline-policy.js';

/** One sale approved without the gateway and not confirmed: money that may never come. */
export interface UnforwardedSale {
  readonly reference: string;
  readonly terminalId: string;
  readonly currency: string;
  readonly minor: number;
  readonly approval: OfflineApproval;
  /** Absent in records of older builds: they may be any card's. */
  readonly fingerprint?: CardFingerprint;
  /**
   * `deciding`: its card decides, or its record is being written. `parked`: the gateway does not accept
   * it, and it is not resolved. `lost`: declined later or expired, and not acknowledged: it counts only against its card.
   */
  readonly state: 'deciding' | 'waiting' | 'parked' | 'lost';
}

/** Minor units and how many. */
export interface Weight {
  readonly minor: number;
  readonly count: number;
}

/** What weighs on a terminal: everything taken there that is neither confirmed nor lost. */
export function onTerminal(unforwarded: readonly UnforwardedSale[], terminalId: string): UnforwardedSale[] {
  return unforwarded.filter((each) => each.terminalId === terminalId && each.state !== 'lost');
}

/** What weighs on a card, on every terminal; what may be its own counts as its own. */
export function onCard(
  unforwarded: readonly UnforwardedSale[],
  fingerprint: CardFingerprint | undefined,
): UnforwardedSale[] {
  return unforwarded.filter((each) => maybeSameCard(each.fingerprint, fingerprint));
}

/** The deferred ones. */
export function deferredOnly(unforwarded: readonly UnforwardedSale[]): UnforwardedSale[] {
  return unforwarded.filter((each) => each.approval === 'deferred');
}

/** Sum in one currency, and number in all. */
export function weigh(unforwarded: readonly UnforwardedSale[], currency: string): Weight {
  const own = unforwarded.filter((each) => each.currency === currency);
  return { minor: own.reduce((sum, each) => sum + each.minor, 0), count: unforwarded.length };
}
