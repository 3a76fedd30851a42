import { ONLINE_ONLY_RISK } from '../../offline/offline-policy.js';
import type { Decision, Effect, PhaseSteps, Sale, StepContext } from '../state/events.js';
import { isLinkedRefund } from '../state/sale-state.js';
import { ended } from './common.js';

/** `accepted`: journaled, nothing sent to the terminal yet. */
export const acceptedSteps: PhaseSteps = {
  begin: (sale, _event, context) =>
    context.link !== 'up' && context.offlineReasons.length > 0 ? waitForLink(context) : goOn(sale, context),
  link: (sale, { state }, context) => (state === 'up' ? goOn(sale, context) : {}),
  timer: (_sale, { timer }, context) => (timer === 'link' ? unreachable(context) : {}),
  cancel: () => ({
    facts: [ended('cancelled', null, 'cancelled-by-till')],
    effects: [STOP_WAITING],
  }),
  restarted: () => ({
    facts: [ended('failed', null, 'agent-restarted')],
  }),
  // Nothing has left the agent, and no card was read: with or without the row on disk the sale failed and no money moved.
  'journal-lost': () => ({
    facts: [ended('failed', null, 'journal-unavailable')],
  }),
};

const STOP_WAITING: Effect = { do: 'stop-timer', timer: 'link' };

/** This sale needs the gateway: it waits for a link before a card is read. */
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
