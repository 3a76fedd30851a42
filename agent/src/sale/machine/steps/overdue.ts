import type { Decision, StepContext } from '../state/events.js';
import type { Fact } from '../state/facts.js';
import { isParked, precedingReversalOf, reversalOf } from '../state/messages.js';
import { GATEWAY_SILENT } from '../state/parked-codes.js';
import type { SalePolicy } from '../state/policy.js';
import { amountOf, type SaleState } from '../state/sale-state.js';
import { reversal } from './common.js';

/** Parks a sale whose reversal has waited too long, so that staff resolves it; the reversal stays in the queue. */
export function overdueReversal(state: SaleState, policy: SalePolicy): Decision {
  return reversalOf(state)?.deliveryStatus === 'queued' ? { facts: [overdue(policy)] } : {};
}

/** The same before there is a reversal: it is journaled in the same write, so that all that was recorded is reversed without staff. */
export function overdueUnknown(state: SaleState, context: StepContext): Decision {
  const reason = state.reason ?? 'no-answer';
  const otherwise = reason === 'cancelled-by-till' ? 'cancelled' : 'failed';
  return {
    facts: [reversal(state, context.ids[0], reason, otherwise), overdue(context.policy)],
    effects: [{ do: 'stop-timer', timer: 'resolve' }],
  };
}

function overdue({ overdueAfterMs }: SalePolicy): Fact {
  const hours = Math.round(overdueAfterMs / 3_600_000);
  const since = hours >= 1 ? `${hours} h` : `${Math.round(overdueAfterMs / 60_000)} min`;
  return { kind: 'overdue', code: GATEWAY_SILENT, text: `the gateway has not answered for ${since}` };
}

const REPLACED = 'a new reversal took its place';

/** Sends a parked reversal again under a new id. The old message leaves the queue with the reason. */
export function retryReversal(state: SaleState, context: StepContext): Decision {
  const old = reversalOf(state);
  if (!old) return {};
  const again = reversal(state, context.ids[0], old.reason, old.otherwise);
  return { facts: [withdrawn(old.messageId, REPLACED), again] };
}

/** The same for a preceding reversal: what it should have reversed may be recorded in addition to the sale. */
export function retryPrecedingReversal(state: SaleState, messageId: string): Fact[] {
  const old = precedingReversalOf(state);
  if (!old || !isParked(old)) return [];
  const { refersTo: originalMessageId, reason, otherwise } = old;
  const amount = amountOf(state);
  const again = {
    kind: 'preceding-reversal',
    messageId,
    originalMessageId,
    reason,
    otherwise,
    amount,
  } as const;
  return [withdrawn(old.messageId, REPLACED), again];
}

/** The fact that takes a message out of the queue without the gateway; `text` is the reason. */
export function withdrawn(messageId: string, text: string): Fact {
  return { kind: 'withdrawn', messageId, text };
}
