import {
  type Decision,
  type Effect,
  ignored,
  on,
  type PhaseSteps,
  type Sale,
  type StepContext,
} from '../events.js';
import { ONLINE_ONLY_RISK } from '../offline-policy.js';
import { isLinkedRefund } from '../state.js';
import { ended } from './common.js';
import { NO_RECORD, NOTHING_LOST } from './loss.js';
import {
  NO_CARD_YET,
  NO_REFERRAL,
  NOT_APPROVED,
  NOT_PARKED,
  NOTHING_QUEUED,
  NOTHING_SENT,
} from './reasons.js';

/** `accepted`: journaled, nothing asked of the terminal yet. */
export const acceptedSteps: PhaseSteps = {
  begin: on(
    'reads the card, or sends a linked refund at once; without a link that it cannot do without, waits for one first',
    ['reading-card', 'authorizing'],
    (sale, _event, context) =>
      context.link !== 'up' && context.offlineReasons.length > 0 ? waitForLink(context) : goOn(sale, context),
  ),
  link: on(
    'the link it waited for is up: goes on',
    ['reading-card', 'authorizing'],
    (sale, { state }, context) => (state === 'up' ? goOn(sale, context) : {}),
  ),
  timer: on('`link`: no link came up in time: failed', ['done'], (_sale, { timer }, context) =>
    timer === 'link' ? unreachable(context) : {},
  ),
  cancel: on('nothing has happened yet: cancelled', ['done'], () => ({
    facts: [ended('cancelled', null, 'cancelled-by-till')],
    effects: [STOP_WAITING],
  })),
  restarted: on('no card was asked for: failed', ['done'], () => ({
    facts: [ended('failed', null, 'agent-restarted')],
  })),
  'journal-lost': on('nothing has left the agent: failed', ['done'], (sale) => notSent(sale)),
  'card-read': ignored(NO_CARD_YET),
  'card-completed': ignored(NO_CARD_YET),
  sent: ignored(NOTHING_SENT),
  answer: ignored(NOTHING_SENT),
  status: ignored(NOTHING_SENT),
  acknowledged: ignored(NOTHING_QUEUED),
  parked: ignored(NOTHING_QUEUED),
  reverse: ignored(NOT_APPROVED),
  capture: ignored(NOT_APPROVED),
  'voice-approved': ignored(NO_REFERRAL),
  settle: ignored(NOT_PARKED),
  expire: ignored(NO_RECORD),
  seen: ignored(NOTHING_LOST),
};

const STOP_WAITING: Effect = { do: 'stop-timer', timer: 'link' };

/** Without a gateway this sale cannot end well: it tries to reach one before it troubles the card. */
function waitForLink({ policy }: StepContext): Decision {
  return { effects: [{ do: 'wake-link' }, { do: 'set-timer', timer: 'link', delayMs: policy.linkWaitMs }] };
}

function unreachable(context: StepContext): Decision {
  return { facts: [ended('failed', null, 'gateway-unreachable', context.offlineReasons.join(', '))] };
}

function goOn(sale: Sale, context: StepContext): Decision {
  return isLinkedRefund(sale.state) ? refundWithoutCard(context) : readCard(context);
}

function refundWithoutCard(context: StepContext): Decision {
  const messageId = context.ids[0];
  return {
    facts: [{ kind: 'authorizing', messageId }],
    effects: [STOP_WAITING, { do: 'send-authorization', messageId }],
  };
}

function readCard({ policy, offlineReasons, link }: StepContext): Decision {
  const risk = offlineReasons.length === 0 ? policy.offline.risk : ONLINE_ONLY_RISK;
  // By the time the card is read, the link may be up.
  const wake: Effect[] = link === 'up' ? [] : [{ do: 'wake-link' }];
  return { facts: [{ kind: 'reading' }], effects: [STOP_WAITING, ...wake, { do: 'start-card', risk }] };
}

/** Nothing has left the agent: whatever the disk does, the sale failed and no money moved. */
export function notSent(sale: Sale): Decision {
  const hasCard = sale.live.card !== undefined;
  return {
    facts: [ended('failed', null, 'journal-unavailable')],
    effects: hasCard ? [{ do: 'decline-card', text: 'not-charged' }] : [],
    live: { card: undefined },
  };
}
