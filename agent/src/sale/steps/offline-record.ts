import { emvSummary, mergeIccData } from '../emv-summary.js';
import type { Decision, Sale, StepContext } from '../events.js';
import type { Fact } from '../facts.js';
import { amountOf, type SaleState } from '../state.js';
import { ended } from './common.js';

/**
 * The card approved alone: the record is in the same write as the approval, on disk before the till hears of it.
 * Where a request was handed over before, its reversal comes first in the write and in the stream (architecture §5).
 */
export function recordOffline(sale: Sale, finalIccData: Uint8Array, context: StepContext): Decision {
  const { state, live } = sale;
  const { card } = live;
  if (!card) throw new Error('an offline record needs the card data');
  const [first, second] = context.ids;
  const amount = amountOf(state);
  const clearing = live.handedOver ? [clear(state, second)] : [];
  const iccData = mergeIccData(card.iccData, finalIccData);
  const record: Fact = {
    kind: 'offline-record',
    messageId: first,
    approval: 'card-approved',
    card: card.facts,
    emv: { ...state.emv, ...emvSummary(iccData, card.facts) },
    decidedAtMs: context.nowMs,
    amount,
  };
  return {
    facts: [...clearing, record, ended('approved', 'offline-card', 'approved-offline')],
    sensitive: [{ messageId: first, iccData, ...(card.sred && { sred: card.sred }) }],
    effects: [{ do: 'finish-card', text: 'approved' }],
    live: { card: undefined, decidingAlone: false },
  };
}

/** Its id is that of the request, so that even a request still on its way finds it is no longer wanted. */
function clear(state: SaleState, messageId: string): Fact {
  const { messageId: originalMessageId } = state;
  if (originalMessageId === undefined) throw new Error('a request that was handed over has a message id');
  const amount = amountOf(state);
  const why = { reason: 'no-answer', otherwise: 'approved', beside: true } as const;
  return { kind: 'reversal', messageId, originalMessageId, amount, ...why };
}
