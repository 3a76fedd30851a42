import type { Decision, SaleEvent, StepContext } from '../events.js';
import type { Fact } from '../facts.js';
import type { SalePolicy } from '../policy.js';
import type { SaleState } from '../state.js';
import { ended, reversal } from './common.js';

/** Code of a sale that is parked because the gateway does not say a word. */
export const GATEWAY_SILENT = 'gateway-silent';

/** Nobody knows how it ended for too long, with the reversal already on disk: a person is called, the reversal goes on waiting. */
export function overdueReversal(state: SaleState, policy: SalePolicy): Decision {
  return state.reversal?.fate === 'queued' ? { facts: [overdue(policy)] } : {};
}

/** The same before there is a reversal: it is journaled in the same write, so that whatever was booked is undone without anybody's help. */
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

/** The gateway would not take the reversal; a person wants it tried again. The old message leaves the queue with a word why. */
export function retryReversal(state: SaleState, context: StepContext): Decision {
  const { reversal: old } = state;
  if (!old) return {};
  const again = reversal(state, context.ids[0], old.reason, old.otherwise);
  return { facts: [withdrawn(old.messageId, 'a new reversal took its place'), again] };
}

/** A person found out how the sale ended. Messages that still wait stay in the queue: what they undo, if anything, is not wanted. */
export function settle(
  state: SaleState,
  { outcome, note }: Extract<SaleEvent, { readonly kind: 'settle' }>,
): Decision {
  const { clearing, reversal: own, offline, voice, captures } = state;
  const parked = [clearing, own, offline, voice, ...captures].filter((each) => each?.fate === 'parked');
  const facts = parked.flatMap((each) =>
    each ? [withdrawn(each.messageId, `settled by hand: ${note}`)] : [],
  );
  return { facts: [...facts, ended(outcome, state.mode, 'settled-by-hand', note)] };
}

/** What stands against settling by hand, in words for a person; `undefined` when nothing does. */
export function settleRefusal(
  state: SaleState,
  outcome: Extract<SaleEvent, { readonly kind: 'settle' }>['outcome'],
): string | undefined {
  if (state.phase !== 'parked')
    return `it is ${state.outcome ?? state.phase}: only a parked sale is settled by hand`;
  return outcome === 'approved' && state.reversal?.fate === 'queued'
    ? 'its reversal still waits for the gateway and will undo it: it cannot be settled as approved'
    : undefined;
}

/** The message leaves the queue without the gateway, with a word why. */
export function withdrawn(messageId: string, description: string): Fact {
  return { kind: 'acknowledged', messageId, answer: { disposition: 'refused', description } };
}
