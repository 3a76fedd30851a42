import type { Decision, EventOf } from '../state/events.js';
import { offlineRecordOf } from '../state/messages.js';
import { isOpen, type SaleState } from '../state/sale-state.js';

/** Marks the offline record as expired: from now on it is sent as expired, and the gateway does not authorize it. */
export function expireRecord(state: SaleState): Decision {
  const offline = offlineRecordOf(state);
  return offline?.deliveryStatus === 'queued' && !offline.expired ? { facts: [{ kind: 'too-old' }] } : {};
}

/** Staff acknowledged the late decline. */
export function acknowledgeLateDecline(
  state: SaleState,
  { by }: EventOf<'late-decline-acknowledged'>,
): Decision {
  return isUnacknowledgedLateDecline(state)
    ? { facts: [{ kind: 'late-decline-acknowledged', ...(by !== undefined && { by }) }] }
    : {};
}

/** Money that the merchant counted on did not come. */
export function isLateDecline({ phase, reason }: SaleState): boolean {
  return phase === 'done' && (reason === 'declined-later' || reason === 'expired-offline');
}

/** The same, and staff have not acknowledged it yet. */
export function isUnacknowledgedLateDecline(state: SaleState): boolean {
  return isLateDecline(state) && state.lateDeclineAcknowledged === undefined;
}

/** Whether the journal lists the sale as open for the next boot: work is left, or staff must acknowledge it. */
export function staysOpen(state: SaleState): boolean {
  return isOpen(state) || state.phase === 'parked' || isUnacknowledgedLateDecline(state);
}

/** Why the sale has no late decline to acknowledge, as a text for the till; `undefined` when it has one. */
export function acknowledgeRefusal(state: SaleState): string | undefined {
  if (isUnacknowledgedLateDecline(state)) return undefined;
  const what =
    state.phase === 'parked' ? 'it is parked: resolve it' : `it is ${state.outcome ?? state.phase}`;
  return `${what}; only an offline sale that was declined later or expired is acknowledged`;
}
