import type { Decision, EventOf, PhaseSteps, Sale, StepContext } from '../state/events.js';
import type { SaleReason } from '../state/facts.js';
import { ended, lateAnswer, resolveFrom, reversal } from './common.js';
import { overdueUnknown } from './overdue.js';

/**
 * `unknown`: a request may have left and its answer never came. The resolver requests its status, then reverses it if needed.
 * The request itself is never sent again.
 */
export const unknownSteps: PhaseSteps = {
  timer: (sale, { timer }, context) => {
    if (timer === 'overdue') return overdueUnknown(sale.state, context);
    return timer === 'resolve' ? ask(sale, context) : {};
  },
  link: (_sale, { state }, context) => (state === 'up' ? { effects: [resolveFrom(context)] } : {}),
  status: (sale, event, context) =>
    event.messageId === sale.state.messageId ? resolve(sale, event, context) : {},
  answer: (sale, { messageId, answer }, context) =>
    messageId === sale.state.messageId ? lateAnswer(sale, answer, context) : {},
  reverse: (sale, _event, context) => reverseRequest(sale, context),
  restarted: (_sale, _event, context) => ({
    effects: [resolveFrom(context)],
  }),
  // Nothing was decided: ask again later, when the disk may be back.
  'journal-lost': (_sale, _event, context) => ({
    effects: [askLater(context, 1)],
  }),
};

/** One status request; without a link the next `link` event begins again. */
function ask(sale: Sale, context: StepContext): Decision {
  const { messageId } = sale.state;
  if (context.link !== 'up' || messageId === undefined) return {};
  const sent = sale.live.statusRequests;
  if (sent >= context.policy.statusScheduleMs.length) return reverseRequest(sale, context);
  return {
    effects: [{ do: 'ask-status', messageId }, askLater(context, sent + 1)],
    live: { statusRequests: sent + 1 },
  };
}

function askLater(
  { policy }: StepContext,
  sent: number,
): { do: 'set-timer'; timer: 'resolve'; delayMs: number } {
  const schedule = policy.statusScheduleMs;
  return { do: 'set-timer', timer: 'resolve', delayMs: schedule[sent] ?? schedule.at(-1) ?? 1_000 };
}

function resolve(sale: Sale, event: EventOf<'status'>, context: StepContext): Decision {
  switch (event.state) {
    case 'answered':
      return event.answer ? lateAnswer(sale, event.answer, context) : reverseRequest(sale, context);
    case 'not-seen':
      // The reversal leaves a tombstone: should the request still arrive, it is refused.
      return reverseRequest(sale, context);
    case 'tombstoned':
      return {
        facts: [ended('failed', null, why(sale))],
        effects: [{ do: 'stop-timer', timer: 'resolve' }],
      };
    case 'in-progress':
      // The timer that was set with the request repeats it.
      return {};
  }
}

function reverseRequest(sale: Sale, context: StepContext): Decision {
  const reason = why(sale);
  const otherwise = reason === 'cancelled-by-till' ? 'cancelled' : 'failed';
  return {
    facts: [reversal(sale.state, context.ids[0], reason, otherwise)],
    effects: [{ do: 'stop-timer', timer: 'resolve' }],
  };
}

function why({ state }: Sale): SaleReason {
  return state.reason ?? 'no-answer';
}
