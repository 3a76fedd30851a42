import type { Decision, PhaseSteps, Sale, StepContext } from '../events.js';
import { ONLINE_ONLY_RISK } from '../policy.js';
import { isLinkedRefund } from '../state.js';
import { ended } from './common.js';

/** `accepted`: journaled, nothing asked of the terminal yet. */
export const acceptedSteps: PhaseSteps = {
  begin: (sale, _event, context) => {
    if (context.link !== 'up' && context.offlineReasons.length > 0) return unreachable(context);
    return isLinkedRefund(sale.state) ? refundWithoutCard(context) : readCard(context);
  },
  cancel: () => ({ facts: [ended('cancelled', null, 'cancelled-by-till')] }),
  restarted: () => ({ facts: [ended('failed', null, 'agent-restarted')] }),
  'journal-lost': (sale) => notSent(sale),
};

/** The card need not be troubled: without a gateway this sale cannot end well. */
function unreachable(context: StepContext): Decision {
  return { facts: [ended('failed', null, 'gateway-unreachable', context.offlineReasons.join(', '))] };
}

function refundWithoutCard(context: StepContext): Decision {
  const messageId = context.ids[0];
  return { facts: [{ kind: 'authorizing', messageId }], effects: [{ do: 'send-authorization', messageId }] };
}

function readCard({ policy, offlineReasons }: StepContext): Decision {
  const risk = offlineReasons.length === 0 ? policy.offline.risk : ONLINE_ONLY_RISK;
  return { facts: [{ kind: 'reading' }], effects: [{ do: 'start-card', risk }] };
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
