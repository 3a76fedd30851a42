import {
  type Decision,
  ignored,
  on,
  type PhaseSteps,
  type Sale,
  type SaleEvent,
  type StepContext,
} from '../sale/events.js';
import type { SaleReason } from '../sale/facts.js';
import { ended, lateAnswer, resolveFrom, reversal } from '../sale/steps/common.js';
import { NO_RECORD, NOTHING_LOST } from '../sale/steps/loss.js';
import {
  CARD_IS_GONE,
  HAS_BEGUN,
  NO_REFERRAL,
  NOT_APPROVED,
  NOT_PARKED,
  NOTHING_QUEUED,
} from '../sale/steps/reasons.js';
import { overdueUnknown } from '../sale/steps/stuck.js';

/**
 * `unknown`: a request may have left and its answer never came. The resolver asks for its status, then undoes it if needed.
 * The request itself is never sent again.
 */
export const unknownSteps: PhaseSteps = {
  timer: on(
    '`resolve`: asks for the status; asked often enough: reversed. `overdue`: the gateway is silent for too long: the reversal is journaled and a person is called',
    ['reversing', 'parked'],
    (sale, { timer }, context) => {
      if (timer === 'overdue') return overdueUnknown(sale.state, context);
      return timer === 'resolve' ? ask(sale, context) : {};
    },
  ),
  link: on('up again: begins to ask', [], (_sale, { state }, context) =>
    state === 'up' ? { effects: [resolveFrom(context)] } : {},
  ),
  status: on(
    '`answered`: an approval is reversed (of a linked refund it counts), a decline is the end. `not-seen`: reversed, which refuses the request should it still arrive. `tombstoned`: failed. `in-progress`: asks again',
    ['reversing', 'done'],
    (sale, event, context) => (event.messageId === sale.state.messageId ? resolve(sale, event, context) : {}),
  ),
  answer: on(
    'late: an approval is reversed (of a linked refund it counts), a decline is the end',
    ['reversing', 'done'],
    (sale, { messageId, answer }, context) =>
      messageId === sale.state.messageId ? lateAnswer(sale, answer, context) : {},
  ),
  reverse: on('gives up asking: reversed', ['reversing'], (sale, _event, context) => undo(sale, context)),
  restarted: on('begins to ask, as before', [], (_sale, _event, context) => ({
    effects: [resolveFrom(context)],
  })),
  // Nothing was decided: ask again later, when the disk may be back.
  'journal-lost': on(
    'nothing was decided: asks again when the disk may be back',
    [],
    (_sale, _event, context) => ({
      effects: [askLater(context, 1)],
    }),
  ),
  begin: ignored(HAS_BEGUN),
  'card-read': ignored(CARD_IS_GONE),
  'card-completed': ignored(CARD_IS_GONE),
  sent: ignored('what was handed over is being found out'),
  acknowledged: ignored(NOTHING_QUEUED),
  parked: ignored(NOTHING_QUEUED),
  cancel: ignored('it is not approved: whatever was booked will be undone anyway'),
  capture: ignored(NOT_APPROVED),
  'voice-approved': ignored(NO_REFERRAL),
  settle: ignored(NOT_PARKED),
  expire: ignored(NO_RECORD),
  seen: ignored(NOTHING_LOST),
};

/** One status request; without a link the next `link` event begins again. */
function ask(sale: Sale, context: StepContext): Decision {
  const { messageId } = sale.state;
  if (context.link !== 'up' || messageId === undefined) return {};
  const asked = sale.live.statusAsked;
  if (asked >= context.policy.statusScheduleMs.length) return undo(sale, context);
  return {
    effects: [{ do: 'ask-status', messageId }, askLater(context, asked + 1)],
    live: { statusAsked: asked + 1 },
  };
}

function askLater(
  { policy }: StepContext,
  asked: number,
): { do: 'set-timer'; timer: 'resolve'; delayMs: number } {
  const schedule = policy.statusScheduleMs;
  return { do: 'set-timer', timer: 'resolve', delayMs: schedule[asked] ?? schedule.at(-1) ?? 1_000 };
}

function resolve(
  sale: Sale,
  event: Extract<SaleEvent, { readonly kind: 'status' }>,
  context: StepContext,
): Decision {
  switch (event.state) {
    case 'answered':
      return event.answer ? lateAnswer(sale, event.answer, context) : undo(sale, context);
    case 'not-seen':
      // The reversal leaves a tombstone: should the request still arrive, it is refused.
      return undo(sale, context);
    case 'tombstoned':
      return {
        facts: [ended('failed', null, why(sale))],
        effects: [{ do: 'stop-timer', timer: 'resolve' }],
      };
    case 'in-progress':
      // The timer that was set with the request asks again.
      return {};
  }
}

function undo(sale: Sale, context: StepContext): Decision {
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
