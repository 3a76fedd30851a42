import { accountMethodOf } from '../../payment/account-methods.js';
import { bringsInstrument, demand, type Rule, type RuleFacts, wrong } from './rule.js';

const NUMBER = 'giftCard.number';
const TYPE = /^cart\.payments\[(\d+)\]\.type$/;

/** A payment with a gift card names the card; beside another means of payment `giftCard.*` tells of one that is bought. */
export const giftCardRule: Rule = (facts) => {
  const { sent, values } = facts;
  if (!bringsInstrument(facts) || sent.has('referenceUuid')) return [];
  const pays = accountMethodOf(values.get('paymentBrand'))?.kind === 'gift-card';
  return pays ? demand(facts, [NUMBER]) : [];
};

/** Payments that were made already (spec 2.6): each is named, and there is one promotion code for an order (spec 2.1). */
export const cartPaymentRule: Rule = (facts) => {
  const made = [...facts.values].flatMap(([name, type]) => {
    const index = TYPE.exec(name)?.[1];
    return index === undefined ? [] : [{ type, name: `cart.payments[${index}].name` }];
  });
  const promotions = made.filter(({ type }) => type === 'PROMOTION').map(({ name }) => name);
  return [
    ...demand(
      facts,
      made.map(({ name }) => name),
    ),
    ...repeated(
      facts,
      made.filter(({ type }) => type === 'GIFTCARD').map(({ name }) => name),
    ),
    ...otherPromotions(facts, promotions),
  ];
};

function repeated({ values, ...facts }: RuleFacts, names: readonly string[]) {
  const ids = names.map((name) => values.get(name));
  return names
    .filter((_, at) => ids[at] !== undefined && ids.indexOf(ids[at]) < at)
    .map((name) => wrong({ ...facts, values }, name, 'must name another payment than those before'));
}

function otherPromotions(facts: RuleFacts, names: readonly string[]) {
  const { values } = facts;
  const code = values.get('promotionCode') ?? values.get(names[0] ?? '');
  return names
    .filter((name) => values.get(name) !== code)
    .map((name) => wrong(facts, name, 'must be the promotionCode: one for an order'));
}
