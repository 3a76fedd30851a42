import { offlineRecordOf, voiceOf } from '../machine/state/messages.js';
import { isAuthorizedLater, type SaleState } from '../machine/state/sale-state.js';

/** For whom a receipt is printed. */
export type ReceiptCopy = 'customer' | 'merchant';

/** Not one of these lines may be read as money that is sure, unless it is (reference: terminals §3, rule 11). */
const NOT_SURE = 'SUBJECT TO AUTHORIZATION';
const NOT_PAID = 'TAKEN OFFLINE, NOT PAID';

/** How a sale ended, in lines for its receipt; at most 32 characters each. */
export function verdictLines(state: SaleState, copy: ReceiptCopy): string[] {
  const { outcome, mode, reason } = state;
  const offline = offlineRecordOf(state);
  if (outcome === 'approved' && reason === 'approved-by-voice') return ['APPROVED', 'VOICE AUTHORIZATION'];
  if (mode === 'online' || mode === null || !offline) return [(outcome ?? '').toUpperCase()];
  if (reason === 'declined-later') return ['DECLINED LATER', NOT_PAID];
  if (reason === 'expired-offline') return ['EXPIRED', NOT_PAID];
  if (outcome !== 'approved') return [(outcome ?? '').toUpperCase()];
  if (isAuthorizedLater(state)) return ['APPROVED', 'TAKEN OFFLINE, AUTHORIZED LATER'];
  const late = offline.expired ? ['NOT FORWARDED IN TIME'] : [];
  if (mode === 'offline-card') return ['APPROVED', 'OFFLINE', NOT_SURE, ...late];
  const risk = copy === 'merchant' ? ['THE MERCHANT CARRIES THE RISK'] : [];
  return ['TAKEN OFFLINE', 'NOT AUTHORIZED', NOT_SURE, ...late, ...risk];
}

/** Whether an approval code may stand on the receipt: somebody who gives such codes has approved. */
export function mayShowApprovalCode(state: SaleState): boolean {
  return (
    state.outcome === 'approved' &&
    (state.mode === 'online' || voiceOf(state) !== undefined || isAuthorizedLater(state))
  );
}
