import { FOLLOW_UPS, LIFECYCLE, NEW_TYPES } from '@tillbridge/wire/payment/lifecycle.js';
import type { Operation } from '../catalogue/rows/parameter.js';
import { demand, type Rule, type RuleFacts, wrong } from './rule.js';

/** Payment types by operation (docs/rest-api.md). */
const PAYMENT_TYPES: Readonly<Partial<Record<Operation, readonly string[]>>> = {
  payment: NEW_TYPES,
  'follow-up': [...new Set(FOLLOW_UPS.map((name) => LIFECYCLE[name].type))],
  registration: ['RG'],
  'registration-payment': NEW_TYPES,
  'checkout-create': [...NEW_TYPES, 'RG'],
  'checkout-update': [...NEW_TYPES, 'RG'],
  schedule: ['DB', 'PA', 'CD', 'SD'],
};

/** paymentTypes of follow-ups that move all that is left: they need no amount. */
export const WHOLE_TYPES: readonly string[] = Object.values(LIFECYCLE)
  .filter(({ amount }) => amount.kind === 'whole')
  .map(({ type }) => type);

const PAYMENT: readonly string[] = ['entityId', 'amount', 'currency', 'paymentType'];

/** A stand-alone authentication is one of a card. */
const AUTHENTICATION: readonly string[] = ['entityId', 'card.number'];

/** What each operation needs, whatever else is sent (docs/rest-api.md). */
export const operationRule: Rule = (facts) => demand(facts, requiredOf(facts));

/** paymentType is one that the operation carries out. */
export const paymentTypeRule: Rule = (facts) => {
  const type = facts.values.get('paymentType');
  const allowed = PAYMENT_TYPES[facts.operation];
  if (type === undefined || !allowed || allowed.includes(type)) return [];
  return [wrong(facts, 'paymentType', `must be one of [${allowed.join(', ')}]`)];
};

/** What the receiver of the entity demands ("some receivers require it"). */
export const receiverRule: Rule = (facts) =>
  demand(facts, facts.demandedByReceiver ?? [], 'for the receiver of this entity');

/** Names that an operation needs, given what was sent. */
export function requiredOf(facts: Pick<RuleFacts, 'operation' | 'values' | 'sent'>): readonly string[] {
  switch (facts.operation) {
    case 'payment':
    case 'registration-payment':
    case 'schedule':
      return PAYMENT;
    case 'checkout-create':
      return storesOnly(facts) ? ['entityId'] : PAYMENT;
    case 'follow-up':
      return WHOLE_TYPES.includes(facts.values.get('paymentType') ?? '')
        ? ['entityId', 'paymentType']
        : PAYMENT;
    case 'three-d-secure':
      return facts.values.get('threeDSecure.npa') === 'true'
        ? AUTHENTICATION
        : [...AUTHENTICATION, 'amount', 'currency'];
    case 'registration':
    case 'checkout-update':
    case 'query':
      return ['entityId'];
    case 'report':
      return ['entityId', 'date.from', 'date.to'];
    case 'checkout-payment':
    case 'checkout-registration':
      return [];
  }
}

/** A checkout that stores payment details and pays nothing (docs/checkouts.md). */
function storesOnly({ values, sent }: Pick<RuleFacts, 'values' | 'sent'>): boolean {
  return values.get('createRegistration') === 'true' && !sent.has('paymentType') && !sent.has('amount');
}
