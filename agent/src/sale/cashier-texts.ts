import type { SalePhase } from './answer.js';
import type { SaleReason } from './facts.js';
import type { SaleState } from './state.js';

/** What the terminal shows at the end. */
export type DisplayText = 'approved' | 'declined' | 'cancelled' | 'not-charged';

/** Texts of at most 16 characters: the smallest display there is. */
export const DISPLAY_TEXTS: Readonly<Record<DisplayText, string>> = {
  approved: 'APPROVED',
  declined: 'DECLINED',
  cancelled: 'CANCELLED',
  'not-charged': 'NOT CHARGED',
};

const SAFE = 'The card was NOT charged; it is safe to try again.';

const OPEN_TEXTS: Readonly<Record<Exclude<SalePhase, 'done' | 'parked'>, string>> = {
  accepted: 'Sale accepted. Preparing the terminal.',
  'reading-card': 'Waiting for the card.',
  authorizing: 'Waiting for the answer.',
  completing: 'Finishing with the card.',
  unknown: 'No answer yet: not approved. The outcome is being found out; whatever was booked will be undone.',
  reversing: 'Not approved: the booking is being undone. Do not hand over goods for this sale.',
};

const END_TEXTS: Readonly<Record<SaleReason, string>> = {
  approved: 'Approved.',
  'approved-offline': 'Approved offline by the card; subject to authorization.',
  'approved-deferred': 'Taken offline without authorization; the merchant carries the risk.',
  'declined-by-issuer': `Declined by the issuer. ${SAFE}`,
  'declined-by-card': `Declined by the card. ${SAFE}`,
  'declined-later':
    'Approved offline, but DECLINED later: no money was received. Follow up with the customer.',
  'refused-by-gateway': `Refused by the gateway. ${SAFE}`,
  'cancelled-by-cardholder': `Cancelled by the customer. ${SAFE}`,
  'cancelled-by-till': `Cancelled. ${SAFE}`,
  'card-timeout': `No card was presented. ${SAFE}`,
  'terminal-failed': `The terminal could not finish. ${SAFE}`,
  'gateway-unreachable': `No connection, and this sale needs one. ${SAFE}`,
  'offline-not-allowed': `No connection, and the offline rules do not allow this sale. ${SAFE}`,
  'no-answer': `No answer came in time. ${SAFE}`,
  'amount-differs': `The gateway approved another amount; it was undone. ${SAFE}`,
  'reversed-by-till': 'The sale was reversed.',
  'agent-restarted': `The agent was restarted during the sale. ${SAFE}`,
  'journal-unavailable': `The sale could not be recorded. ${SAFE}`,
};

const PARKED_TEXT = 'Needs a person: the gateway did not take a message of this sale.';

/** What the cashier reads, from the sale's state alone. */
export function cashierText(state: SaleState): string {
  if (state.phase === 'parked') return `${PARKED_TEXT} ${state.parked?.text ?? ''}`.trim();
  if (state.phase !== 'done') return openText(state);
  const text = END_TEXTS[state.reason ?? 'terminal-failed'];
  if (state.outcome === 'approved' && state.capture) return `${text} ${captureText(state)}`;
  return text;
}

function openText(state: SaleState): string {
  if (state.phase === 'reversing' && state.reason === 'reversed-by-till')
    return 'The sale is being reversed.';
  return state.phase === 'done' || state.phase === 'parked' ? '' : OPEN_TEXTS[state.phase];
}

function captureText({ capture }: SaleState): string {
  if (capture?.fate === 'acknowledged') return 'Captured.';
  return capture?.fate === 'refused' ? 'The capture was refused.' : 'The capture is on its way.';
}
