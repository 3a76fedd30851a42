import { emvSummary, mergeIccData } from '../emv-summary.js';
import type { Decision, Sale, StepContext } from '../events.js';
import type { Fact } from '../facts.js';
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
  const clearing = live.handedOver ? clear(state.messageId, second) : [];
  const iccData = mergeIccData(card.iccData, finalIccData);
  const record: Fact = {
    kind: 'offline-record',
    messageId: first,
    approval: 'card-approved',
    card: card.facts,
    emv: { ...state.emv, ...emvSummary(iccData, card.facts) },
    decidedAtMs: context.nowMs,
  };
  return {
    facts: [...clearing, record, ended('approved', 'offline-card', 'approved-offline')],
    sensitive: [{ messageId: first, iccData, ...(card.sred && { sred: card.sred }) }],
    effects: [{ do: 'finish-card', text: 'approved' }],
    live: { card: undefined, decidingAlone: false },
  };
}

function clear(originalMessageId: string | undefined, messageId: string): Fact[] {
  if (originalMessageId === undefined) throw new Error('a request that was handed over has a message id');
  const reason = 'no-answer';
  return [{ kind: 'reversal', messageId, originalMessageId, reason, otherwise: 'approved', beside: true }];
}
