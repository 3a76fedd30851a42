import { offlineRecordOf } from '../machine/state/messages.js';
import { amountOf, type SaleState } from '../machine/state/sale-state.js';
import { isUnacknowledgedLateDecline } from '../machine/steps/late-decline.js';
import type { UnforwardedSale } from '../offline/offline-exposure.js';

/** Money that a till counted on and that will not come, listed until staff acknowledges it. */
export interface LateDecline {
  readonly reference: string;
  readonly terminalId: string;
  readonly minor: number;
  readonly currency: string;
  readonly approval: 'card-approved' | 'deferred';
  readonly reason: 'declined-later' | 'expired-offline';
  /** When the gateway reported it, milliseconds since 1970. */
  readonly atMs: number;
  /** The gateway's reason. */
  readonly detail?: string;
  readonly last4Digits?: string;
  readonly fingerprint?: string;
}

/** Late declines that are not acknowledged, from the sales' states; the journal keeps those sales open for the next boot. */
export class LateDeclines {
  readonly #lateDeclines = new Map<string, LateDecline>();

  /** Takes the newest state of a sale into account. */
  look(state: SaleState): void {
    if (isUnacknowledgedLateDecline(state)) this.#lateDeclines.set(state.reference, lateDeclineOf(state));
    else this.#lateDeclines.delete(state.reference);
  }

  /** Oldest first. */
  list(): readonly LateDecline[] {
    return [...this.#lateDeclines.values()].sort((a, b) => a.atMs - b.atMs);
  }

  /** The same as exposure of their cards. */
  unforwarded(): readonly UnforwardedSale[] {
    return this.list().map(({ reference, terminalId, currency, minor, approval, fingerprint }) => ({
      reference,
      terminalId,
      currency,
      minor,
      approval,
      state: 'lost' as const,
      ...(fingerprint !== undefined && { fingerprint }),
    }));
  }
}

function lateDeclineOf(state: SaleState): LateDecline {
  const { reference, terminalId, detail, card, timeline } = state;
  const offline = offlineRecordOf(state);
  const last4Digits = card?.last4Digits;
  const fingerprint = offline?.fingerprint;
  return {
    reference,
    terminalId,
    ...amountOf(state),
    approval: offline?.approval ?? 'card-approved',
    reason: state.reason === 'expired-offline' ? 'expired-offline' : 'declined-later',
    atMs: timeline.at(-1)?.atMs ?? state.acceptedAtMs,
    ...(detail !== undefined && { detail }),
    ...(last4Digits !== undefined && { last4Digits }),
    ...(fingerprint !== undefined && { fingerprint }),
  };
}
