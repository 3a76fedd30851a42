import type { CardData, StartOutcome } from '../../../drivers/core/driver.js';
import { emvSummary } from '../state/emv-summary.js';
import type { Decision, PhaseSteps, Sale, StepContext } from '../state/events.js';
import type { SaleReason } from '../state/facts.js';
import { ended, failureDetail } from './common.js';
import { recordOffline } from './offline-record.js';
import { whyNotByCard } from './without-gateway.js';

type Outcome<K extends StartOutcome['kind']> = Extract<StartOutcome, { readonly kind: K }>;

/** `reading-card`: the terminal has the sale. */
export const readingCardSteps: PhaseSteps = {
  'card-read': (sale, { outcome }, context) => cardRead(sale, outcome, context),
  cancel: () => ({
    effects: [{ do: 'cancel-card' }],
    live: { cancelRequested: true },
  }),
  restarted: () => ({
    facts: [ended('failed', null, 'agent-restarted')],
  }),
  'journal-lost': () => ({
    // The card is in the slot or on its way there: in both cases it gets a decline.
    facts: [ended('failed', null, 'journal-unavailable')],
    effects: [{ do: 'decline-card', text: 'not-charged' }],
  }),
};

function cardRead(sale: Sale, outcome: StartOutcome, context: StepContext): Decision {
  switch (outcome.kind) {
    case 'online-required':
      return sale.live.cancelRequested ? tooLateForCard() : authorize(outcome.card, context);
    case 'approved-offline':
      return sale.live.cancelRequested ? tooLateForCard() : approvedByCard(sale, outcome.card, context);
    case 'declined-offline':
      return declinedByCard(outcome.card);
    case 'cancelled':
      return cancelled(sale, outcome);
    case 'failed':
      return failed(outcome);
  }
}

/** The message id goes to disk; only then may a byte of it leave (ARCHITECTURE.md, "The life of a card-present sale", 3). */
function authorize(card: CardData, context: StepContext): Decision {
  const messageId = context.ids[0];
  const emv = emvSummary(card.iccData, card.facts);
  return {
    facts: [{ kind: 'authorizing', messageId, card: card.facts, emv }],
    effects: [{ do: 'send-authorization', messageId, card }],
    live: { card },
  };
}

/** The till gave up while the card was already giving its cryptogram. */
function tooLateForCard(): Decision {
  return {
    facts: [ended('cancelled', null, 'cancelled-by-till')],
    effects: [{ do: 'decline-card', text: 'cancelled' }],
  };
}

/** A TC within the floor limit (Y1): counts only where the merchant's rules agree. */
function approvedByCard(sale: Sale, card: CardData, context: StepContext): Decision {
  const reasons = whyNotByCard(sale, card, context);
  if (reasons.length > 0) {
    return {
      facts: [ended('failed', null, 'offline-not-allowed', reasons.join(', '))],
      effects: [{ do: 'finish-card', text: 'not-charged' }],
    };
  }
  return recordOffline({ ...sale, live: { ...sale.live, card } }, new Uint8Array(), context);
}

function declinedByCard(card: CardData): Decision {
  const emv = emvSummary(card.iccData, card.facts);
  return {
    facts: [
      { kind: 'completed', result: 'declined', emv },
      ended('declined', 'offline-card', 'declined-by-card'),
    ],
    effects: [{ do: 'finish-card', text: 'declined' }],
  };
}

const CANCELLED: Readonly<Record<Outcome<'cancelled'>['by'], SaleReason>> = {
  cardholder: 'cancelled-by-cardholder',
  till: 'cancelled-by-till',
  timeout: 'card-timeout',
};

function cancelled({ live }: Sale, { by }: Outcome<'cancelled'>): Decision {
  const reason = live.cancelRequested ? 'cancelled-by-till' : CANCELLED[by];
  return { facts: [ended('cancelled', null, reason)], effects: [{ do: 'finish-card', text: 'cancelled' }] };
}

function failed(outcome: Outcome<'failed'>): Decision {
  return {
    facts: [ended('failed', null, 'terminal-failed', failureDetail(outcome))],
    effects: [{ do: 'finish-card', text: 'not-charged' }],
  };
}
