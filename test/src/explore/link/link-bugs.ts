import { decideExchange } from '@tillbridge/gateway/core/acquirers/iso8583/rules/decide-exchange.js';
import { approves, stored } from '@tillbridge/gateway/core/acquirers/iso8583/rules/exchange-record.js';
import type { LinkMutationName } from '../../simulation/mutations/link-mutations.js';
import { HONEST_LINK } from './link-model.js';
import type { LinkSeams } from './link-state.js';

/** The bugs of a link that stand before its exchanges, as functions of a message and its exchange alone. */
export const LINK_BUGS = {
  'an approval that comes after its reversal stands': {
    receives: (answer, { record }) =>
      answer.kind !== 'reversal' && record?.state === 'reversed' ? undefined : answer,
  },
  'an approval that comes after its reversal is believed': {
    decide: (record, event) => {
      const next = decideExchange(record, event);
      const isLate = event.kind === 'answered' && next.lateApprovals > record.lateApprovals;
      return isLate ? { ...next, state: 'answered', answer: stored(event.answer) } : next;
    },
  },
  'a reversal that is sent again lacks the flag of a repeat': {
    sends: (message) => (message.kind === 'reversal' ? { ...message, isRepeat: false } : message),
  },
  'a reversal without an answer is not sent again': {
    sends: (message) => (message.kind === 'reversal' && message.isRepeat ? undefined : message),
  },
  'an advice that is repeated is sent as another one': {
    sends: (message) =>
      message.isAdvice && message.isRepeat && message.kind !== 'reversal'
        ? { ...message, isRepeat: false, stan: '900000' }
        : message,
  },
  'the reversal of a part approval names what was requested': {
    sends: (message, { record }) =>
      message.kind === 'reversal' && record?.request?.amount
        ? { ...message, amount: record.request.amount }
        : message,
  },
  'a reversal leaves half of what was approved': {
    sends: (message, { record }) => {
      const { kind, amount, remaining } = message;
      const isKnown = record?.answer !== undefined && approves(record.answer);
      if (kind !== 'reversal' || !amount || remaining || !isKnown) return message;
      return { ...message, remaining: { ...amount, minor: amount.minor / 2 } };
    },
  },
} as const satisfies Partial<Record<LinkMutationName, Partial<LinkSeams>>>;

/** A link with a bug. */
export function buggyLink(bug: Partial<LinkSeams>): LinkSeams {
  return { ...HONEST_LINK, ...bug };
}
