import type { Tone } from '@tillbridge/panel-kit/components/badge.js';
import type { Payment } from '../../api/payment-answers.js';
import type { SearchedBy } from '../../model/payment-search.js';
import type { TextKey } from '../../texts/en.js';
import { t } from '../../texts/texts.js';

const STATES: Readonly<Record<string, readonly [TextKey, Tone]>> = {
  pending: ['statePending', 'warn'],
  authorized: ['stateAuthorized', 'info'],
  captured: ['stateCaptured', 'good'],
  credited: ['stateCredited', 'good'],
  completed: ['stateCompleted', 'good'],
  declined: ['stateDeclined', 'bad'],
  reversed: ['stateReversed', 'neutral'],
};

/** The state of a payment in a word, and its tone; one that the page does not know stays as it is. */
export function stateWord(state: string): { readonly text: string; readonly tone: Tone } {
  const [key, tone] = STATES[state] ?? [];
  return { text: key ? t(key) : state, tone: tone ?? 'neutral' };
}

/** Types of payments, and their names. */
export const TYPE_TEXTS: Readonly<Record<string, TextKey>> = {
  PA: 'typePA',
  'PA.CP': 'typePA',
  DB: 'typeDB',
  CP: 'typeCP',
  RF: 'typeRF',
  RV: 'typeRV',
  CD: 'typeCD',
  RB: 'typeRB',
  RC: 'typeRC',
  CB: 'typeCB',
};

/** The type of a payment in a word. */
export function typeWord(type: string): string {
  const key = TYPE_TEXTS[type];
  return key ? t(key) : type;
}

/** `VISA ····1112`: brand and last digits, as far as they are known. */
export function cardText({ paymentBrand = '', card }: Payment): string {
  const digits = card?.last4Digits === undefined ? '' : `····${card.last4Digits}`;
  return `${paymentBrand} ${digits}`.trim();
}

/** What a search looks for. */
export const SEARCHED_BY: Readonly<Record<SearchedBy, TextKey>> = {
  id: 'byId',
  merchantTransactionId: 'byReference',
  amount: 'byAmount',
  'card.last4Digits': 'byLast4',
  'pos.terminalId': 'byTerminal',
  agentId: 'byAgent',
  'customer.email': 'byEmail',
};
