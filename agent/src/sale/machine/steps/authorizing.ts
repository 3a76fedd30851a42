import { emvSummary } from '../state/emv-summary.js';
import type { Decision, Effect, EventOf, PhaseSteps, Sale, StepContext } from '../state/events.js';
import type { Fact, SaleReason } from '../state/facts.js';
import type { GatewayAnswer } from '../state/gateway-answer.js';
import { isLinkedRefund, type SaleState } from '../state/sale-state.js';
import {
  accepts,
  approvesAll,
  ended,
  failureDetail,
  refusalReason,
  resolveFrom,
  reversal,
} from './common.js';
import { recordDeferred, recordOffline } from './offline-record.js';
import { goOnOffline, mayDefer, offlineVerdict, whyNotByCard } from './without-gateway.js';

/** `authorizing`: the request's id is on disk; the request may or may not have left. */
export const authorizingSteps: PhaseSteps = {
  sent: (sale, { handedOver }, context) => {
    if (sale.live.cancelRequested) return cancelledBeforeSent(sale, handedOver, context);
    return handedOver ? wait(sale, context) : notHandedOver(sale, context);
  },
  answer: (sale, event, context) =>
    event.messageId === sale.state.messageId ? answered(sale, event, context) : {},
  status: statusWhileWaiting,
  // The answer may have been lost with the old link: the card still waits, so ask.
  link: ({ state, live }, event) =>
    event.state === 'up' && live.handedOver && state.messageId !== undefined
      ? { effects: [{ do: 'ask-status', messageId: state.messageId }] }
      : {},
  timer: (sale, { timer }, context) => (timer === 'answer' ? noAnswer(sale, context) : {}),
  'card-completed': decidedOffline,
  cancel: (sale, _event, context) => cancel(sale, context),
  restarted: (sale, _event, context) =>
    goUnknown('agent-restarted', [...declineIfCard(sale), resolveFrom(context)]),
  'journal-lost': (sale, _event, context) => journalLost(sale, context),
};

function wait(sale: Sale, { policy }: StepContext): Decision {
  const { card } = sale.live;
  return {
    effects: [{ do: 'set-timer', timer: 'answer', delayMs: policy.answerTimeoutMs }],
    live: {
      card: card && withoutPin(card),
      pinGiven: card?.pin !== undefined || card?.pinInside === true,
    },
  };
}

/** The PIN block has gone out, or never will. */
function withoutPin({ pin: _pin, ...card }: NonNullable<Sale['live']['card']>) {
  return card;
}

/** Not a byte has left: the card may decide offline where the rules allow it (agent/docs/offline-rules.md). */
function notHandedOver(sale: Sale, context: StepContext): Decision {
  const { card } = sale.live;
  if (!card) return { facts: [ended('failed', null, 'gateway-unreachable')] };
  const verdict = offlineVerdict(sale, card, context);
  if (verdict.kind !== 'refuse') return goOnOffline(sale, verdict, card, false, context);
  return {
    facts: [ended('failed', null, 'offline-not-allowed', verdict.reasons.join(', '))],
    effects: [{ do: 'decline-card', text: 'not-charged' }],
    live: { card: undefined },
  };
}

/** The answer is on disk before the card gets it. */
function answered(sale: Sale, { answer, issuerData }: EventOf<'answer'>, context: StepContext): Decision {
  const { state, live } = sale;
  if (live.decidingOffline) return state.answer ? {} : { facts: [{ kind: 'answered', answer, late: true }] };
  if (isLinkedRefund(state)) return answeredWithoutCard(state, answer, context);
  const approved = accepts(state, answer, context.policy);
  const responseCode = answer.responseCode ?? (approved ? '00' : '05');
  return {
    facts: [{ kind: 'answered', answer, late: false }],
    effects: [
      { do: 'stop-timer', timer: 'answer' },
      { do: 'complete-card', result: { kind: approved ? 'approved' : 'declined', responseCode, issuerData } },
    ],
  };
}

/** No card waits for this answer: it is the end, unless the gateway approved something else. */
function answeredWithoutCard(state: SaleState, answer: GatewayAnswer, context: StepContext): Decision {
  const effects: Effect[] = [{ do: 'stop-timer', timer: 'answer' }];
  if (answer.disposition === 'approved' && !approvesAll(state, answer)) {
    const reversed = reversal(state, context.ids[0], 'amount-differs', 'failed');
    return { facts: [{ kind: 'answered', answer, late: true }, reversed], effects };
  }
  const end =
    answer.disposition === 'approved'
      ? ended('approved', 'online', 'approved')
      : ended('declined', 'online', refusalReason(answer));
  return { facts: [{ kind: 'answered', answer, late: false }, end], effects };
}

function statusWhileWaiting(sale: Sale, event: EventOf<'status'>, context: StepContext): Decision {
  const { messageId, state, answer, issuerData } = event;
  if (messageId !== sale.state.messageId) return {};
  if (state === 'answered' && answer) {
    return answered(sale, { kind: 'answer', messageId, answer, issuerData }, context);
  }
  // It is not there and must never be: a reversal leaves the mark that refuses it, should it still arrive.
  if (state === 'not-seen' && !sale.live.decidingOffline)
    return reverseRequest(sale, context, 'no-answer', 'failed');
  return {};
}

function noAnswer(sale: Sale, context: StepContext): Decision {
  const { card } = sale.live;
  const { offline } = context.policy;
  if (sale.live.decidingOffline) return {};
  if (card !== undefined && offline.afterHandOver === 'reverse' && !sale.live.pinGiven) {
    const verdict = offlineVerdict(sale, card, context);
    if (verdict.kind !== 'refuse') return goOnOffline(sale, verdict, card, true, context);
  }
  return goUnknown('no-answer', [...declineIfCard(sale), resolveFrom(context)]);
}

function decidedOffline(sale: Sale, { outcome }: EventOf<'card-completed'>, context: StepContext): Decision {
  const { state, live } = sale;
  const refused = state.answer !== undefined && state.answer.disposition !== 'approved';
  const wanted = !live.cancelRequested && !refused && live.card !== undefined;
  if (wanted && outcome.kind === 'approved' && whyNotByCard(sale, live.card, context).length === 0) {
    return recordOffline(sale, outcome.iccData, context);
  }
  const detail = outcome.kind === 'failed' ? failureDetail(outcome) : undefined;
  const emv = outcome.kind === 'failed' ? undefined : emvSummary(outcome.iccData);
  const completed: Fact = {
    kind: 'completed',
    result: outcome.kind,
    ...(emv && { emv }),
    ...(detail && { detail }),
  };
  // The card was ended, and not by its issuer: its issuer can still judge the ARQC.
  if (wanted && outcome.kind === 'declined' && mayDefer(sale, live.card, context)) {
    return recordDeferred(sale, completed, context);
  }
  const finish: Effect = {
    do: 'finish-card',
    text: outcome.kind === 'declined' ? 'declined' : 'not-charged',
  };
  const over: Partial<Sale['live']> = { card: undefined, decidingOffline: false };
  if (!live.handedOver || refused) {
    return {
      facts: [completed, endOffline(sale, outcome.kind, refused, detail)],
      effects: [finish],
      live: over,
    };
  }
  const reason = live.cancelRequested ? 'cancelled-by-till' : 'no-answer';
  if (state.answer) {
    const reversed = reversal(state, context.ids[0], reason, 'failed');
    return { facts: [completed, reversed], effects: [finish], live: over };
  }
  const facts: Fact[] = [completed, { kind: 'unknown', reason }];
  return { facts, effects: [finish, resolveFrom(context)], live: over };
}

function endOffline(
  sale: Sale,
  result: 'approved' | 'declined' | 'failed',
  refused: boolean,
  detail?: string,
) {
  if (refused) return ended('declined', 'online', 'declined-by-issuer');
  if (sale.live.cancelRequested) return ended('cancelled', null, 'cancelled-by-till');
  if (result === 'declined') return ended('declined', 'offline-card', 'declined-by-card');
  // The card gave a TC although the agent had requested an AAC.
  if (result === 'approved') return ended('failed', null, 'offline-not-allowed', detail);
  return ended('failed', null, 'terminal-failed', detail);
}

/** The request is out and the till cancelled: any answer is reversed. */
function cancel(sale: Sale, context: StepContext): Decision {
  if (sale.live.decidingOffline || !sale.live.handedOver) return { live: { cancelRequested: true } };
  return reverseRequest(sale, context, 'cancelled-by-till', 'cancelled');
}

function cancelledBeforeSent(sale: Sale, handedOver: boolean, context: StepContext): Decision {
  if (handedOver) return reverseRequest(sale, context, 'cancelled-by-till', 'cancelled');
  return {
    facts: [ended('cancelled', null, 'cancelled-by-till')],
    effects: declineIfCard(sale, 'cancelled'),
    live: { card: undefined },
  };
}

function reverseRequest(
  sale: Sale,
  context: StepContext,
  reason: SaleReason,
  otherwise: 'failed' | 'cancelled',
): Decision {
  return {
    facts: [reversal(sale.state, context.ids[0], reason, otherwise)],
    effects: [{ do: 'stop-timer', timer: 'answer' }, ...declineIfCard(sale, otherwise)],
    live: { card: undefined },
  };
}

function goUnknown(reason: SaleReason, effects: readonly Effect[]): Decision {
  return {
    facts: [{ kind: 'unknown', reason }],
    effects: [{ do: 'stop-timer', timer: 'answer' }, ...effects],
    live: { card: undefined },
  };
}

function declineIfCard(sale: Sale, otherwise: 'failed' | 'cancelled' = 'failed'): Effect[] {
  const text = otherwise === 'cancelled' ? 'cancelled' : 'not-charged';
  return sale.live.card ? [{ do: 'decline-card', text }] : [];
}

/** Not handed over: nothing happened. Handed over: the resolver requests the status again when the disk is back. */
function journalLost(sale: Sale, context: StepContext): Decision {
  if (sale.live.handedOver) {
    return goUnknown('journal-unavailable', [...declineIfCard(sale), resolveFrom(context)]);
  }
  return {
    facts: [ended('failed', null, 'journal-unavailable')],
    effects: declineIfCard(sale),
    live: { card: undefined },
  };
}
