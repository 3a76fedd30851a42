import { offlineRecordOf } from './messages.js';
import type { UnsettledSale } from './offline-exposure.js';
import { amountOf, type SaleState } from './state.js';
import { isUnseenLoss } from './steps/loss.js';

/** Money that a till counted on and that will not come, until somebody says to have seen it. */
export interface Loss {
  readonly reference: string;
  readonly terminalId: string;
  readonly minor: number;
  readonly currency: string;
  readonly approval: 'card-approved' | 'deferred';
  readonly reason: 'declined-later' | 'expired-offline';
  /** When the gateway said so, milliseconds since 1970. */
  readonly atMs: number;
  /** What the gateway said. */
  readonly detail?: string;
  readonly last4Digits?: string;
  readonly fingerprint?: string;
}

/** The losses that nobody has seen, as the sales' states tell it; the journal keeps those sales open for the next boot. */
export class Losses {
  readonly #losses = new Map<string, Loss>();

  /** Takes the newest state of a sale into account. */
  look(state: SaleState): void {
    if (isUnseenLoss(state)) this.#losses.set(state.reference, lossOf(state));
    else this.#losses.delete(state.reference);
  }

  /** Oldest first. */
  list(): readonly Loss[] {
    return [...this.#losses.values()].sort((a, b) => a.atMs - b.atMs);
  }

  /** What weighs on their cards. */
  unsettled(): readonly UnsettledSale[] {
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

function lossOf(state: SaleState): Loss {
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
