import type { CardData } from '../../../drivers/core/driver.js';
import type { OfflineApproval } from '../../offline/offline-policy.js';
import type { AnswerEmv } from '../state/answer.js';
import { emvSummary, mergeIccData } from '../state/emv-summary.js';
import type { Decision, Sale, SensitiveData, StepContext } from '../state/events.js';
import type { Fact } from '../state/facts.js';
import { amountOf, type SaleState } from '../state/sale-state.js';
import { ended } from './common.js';

/**
 * The card approved offline: the record is in the same write as the approval, on disk before the till gets the answer.
 * Where a request was handed over before, its reversal comes first in the write and in the stream (ARCHITECTURE.md, "The life of a card-present sale").
 */
export function recordOffline(sale: Sale, finalIccData: Uint8Array, context: StepContext): Decision {
  const card = cardOf(sale);
  const iccData = mergeIccData(card.iccData, finalIccData);
  const emv = { ...sale.state.emv, ...emvSummary(iccData, card.facts) };
  return {
    facts: [
      ...recordFacts(sale, 'card-approved', emv, context),
      ended('approved', 'offline-card', 'approved-offline'),
    ],
    sensitive: sensitiveOf(card, iccData, context),
    effects: [{ do: 'finish-card', text: 'approved' }],
    live: { card: undefined, decidingOffline: false },
  };
}

/**
 * The merchant takes the risk: the card's ARQC is recorded unchanged, for the issuer to judge later. `end`: how the card
 * ended its transaction, where it had to; it goes into the journal, and not to the issuer. Written as any offline record.
 */
export function recordDeferred(sale: Sale, end: Fact | undefined, context: StepContext): Decision {
  const card = cardOf(sale);
  const arc = end?.kind === 'completed' ? end.emv?.arc : undefined;
  const emv = { ...emvSummary(card.iccData, card.facts), ...(arc && { arc }) };
  return {
    facts: [
      ...(end ? [end] : []),
      ...recordFacts(sale, 'deferred', emv, context),
      ended('approved', 'offline-deferred', 'approved-deferred'),
    ],
    sensitive: sensitiveOf(card, card.iccData, context),
    effects: [{ do: 'finish-card', text: 'taken-offline' }],
    live: { card: undefined, decidingOffline: false },
  };
}

function cardOf({ live: { card } }: Sale): CardData {
  if (!card) throw new Error('an offline record needs the card data');
  return card;
}

function recordFacts(
  sale: Sale,
  approval: OfflineApproval,
  emv: AnswerEmv,
  { ids: [first, second], nowMs, fingerprint }: StepContext,
): Fact[] {
  const { state, live } = sale;
  const { facts: card } = cardOf(sale);
  const record: Fact = {
    kind: 'offline-record',
    messageId: first,
    approval,
    card,
    fingerprint: fingerprint(card),
    emv,
    decidedAtMs: nowMs,
    amount: amountOf(state),
  };
  return live.handedOver ? [precedingReversal(state, second), record] : [record];
}

function sensitiveOf(card: CardData, iccData: Uint8Array, { ids }: StepContext): readonly SensitiveData[] {
  return [{ messageId: ids[0], iccData, ...(card.sred && { sred: card.sred }) }];
}

/** Its id is that of the request, so that even a request still on its way finds it is no longer wanted. */
function precedingReversal(state: SaleState, messageId: string): Fact {
  const { messageId: originalMessageId } = state;
  if (originalMessageId === undefined) throw new Error('a request that was handed over has a message id');
  const amount = amountOf(state);
  const why = { reason: 'no-answer', otherwise: 'approved' } as const;
  return { kind: 'preceding-reversal', messageId, originalMessageId, amount, ...why };
}
