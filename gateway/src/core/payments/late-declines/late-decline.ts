import { formatAmount } from '@tillbridge/wire/payment/money.js';
import { raiseAlert } from '../../../kernel/alerts/alert-changes.js';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import type { Change } from '../../../kernel/store/store.js';

/** The alert about a sale that a store approved offline and that is declined now; nothing for any other payment. Pure. */
export function lateDecline(
  payment: Pick<
    PaymentRow,
    | 'id'
    | 'entityId'
    | 'offline'
    | 'state'
    | 'amountMinor'
    | 'currency'
    | 'resultCode'
    | 'agentId'
    | 'reference'
  >,
  nowMs: number,
): readonly Change[] {
  const { id, entityId, offline, state, amountMinor, currency, resultCode, agentId, reference } = payment;
  if (offline === null || state !== 'declined') return [];
  const amount = `${formatAmount({ minor: amountMinor, currency })} ${currency}`;
  const sale = agentId === null ? '' : `, agent ${agentId}, sale ${reference ?? 'without a reference'}`;
  const detail = `${amount}, result code ${resultCode}${sale}`;
  return [raiseAlert({ code: 'offline-declined', subject: id, entityId, detail }, nowMs)];
}
