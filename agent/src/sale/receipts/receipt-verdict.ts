import { offlineRecordOf, voiceOf } from '../machine/state/messages.js';
import { isAuthorizedLater, type SaleState } from '../machine/state/sale-state.js';
import type { ReceiptData } from './receipt-data.js';

/** How a sale ended, for its receipt: no line may be read as money that is sure, unless it is (agent/docs/receipts.md). */
export function verdictOf(state: SaleState): ReceiptData['verdict'] {
  const { outcome, mode, reason } = state;
  const offline = offlineRecordOf(state);
  const plain = outcome === null ? [] : [outcome];
  if (outcome === 'approved' && reason === 'approved-by-voice') return ['approved', 'byVoice'];
  if (mode === 'online' || mode === null || !offline) return plain;
  if (reason === 'declined-later') return ['declinedLater', 'notPaid'];
  if (reason === 'expired-offline') return ['expired', 'notPaid'];
  if (outcome !== 'approved') return plain;
  if (isAuthorizedLater(state)) return ['approved', 'authorizedLater'];
  const late = offline.expired ? (['notForwarded'] as const) : [];
  if (mode === 'offline-card') return ['approved', 'offline', 'notSure', ...late];
  return ['takenOffline', 'notAuthorized', 'notSure', ...late, 'merchantRisk'];
}

/** The approval code; `undefined` until the gateway, or the issuer on the phone, has approved. */
export function approvalCodeOf(state: SaleState): string | undefined {
  const voice = voiceOf(state);
  const isIssued =
    state.outcome === 'approved' &&
    (state.mode === 'online' || voice !== undefined || isAuthorizedLater(state));
  return isIssued ? (voice?.approvalCode ?? state.answer?.approvalCode) : undefined;
}
