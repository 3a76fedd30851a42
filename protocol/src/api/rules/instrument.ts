import { findBrand } from '../../payment/brands.js';
import type { Operation } from '../catalogue/parameter.js';
import type { ParameterError } from '../validate.js';
import { demand, hasGroup, type Rule, type RuleFacts } from './rule.js';

/** Operations that bring their own means of payment, so that a group that is used must be whole. */
const WITH_INSTRUMENT: readonly Operation[] = [
  'payment',
  'registration',
  'checkout-payment',
  'checkout-registration',
];
const CARD: readonly string[] = ['card.number', 'card.expiryMonth', 'card.expiryYear'];
/** R rows of the groups that stand for themselves (spec 2.3). */
const GROUPS: readonly (readonly [prefix: string, required: readonly string[]])[] = [
  ['bankAccount.', ['bankAccount.holder']],
  ['virtualAccount.', ['virtualAccount.accountId']],
  ['tokenAccount.', ['tokenAccount.number', 'tokenAccount.type']],
  ['pos.', ['pos.entryMode', 'pos.terminalId']],
];
const WALLETS = ['walletA', 'walletB', 'walletC'] as const;
const INSTRUMENTS: readonly string[] = [
  'card.',
  ...GROUPS.map(([prefix]) => prefix),
  ...WALLETS.map((wallet) => `${wallet}.`),
  'giftCard.',
];

/** A group that is used brings its required rows (spec 2.3). */
export const groupRule: Rule = (facts) => {
  if (!WITH_INSTRUMENT.includes(facts.operation)) return [];
  return [
    ...GROUPS.flatMap(([prefix, required]) => (hasGroup(facts, prefix) ? demand(facts, required) : [])),
    ...cardErrors(facts),
    ...WALLETS.flatMap((wallet) => walletErrors(facts, wallet)),
  ];
};

/** A card payment brings a card: itself, enciphered by a terminal, or inside a wallet's token. */
export const instrumentRule: Rule = (facts) => {
  if (facts.operation !== 'payment' && facts.operation !== 'registration') return [];
  if (facts.sent.has('referenceUuid') || INSTRUMENTS.some((prefix) => hasGroup(facts, prefix))) return [];
  const brand = facts.values.get('paymentBrand');
  return brand === undefined || findBrand(brand) ? demand(facts, CARD) : [];
};

/** paymentBrand: optional when the brand is detected from a card, otherwise mandatory (spec 2.1). */
export const brandRule: Rule = (facts) => {
  if (!WITH_INSTRUMENT.includes(facts.operation) || facts.sent.has('referenceUuid')) return [];
  const isCard = hasGroup(facts, 'card.') || hasGroup(facts, 'pos.');
  const detected = isCard && facts.brandDetection !== false;
  const other = INSTRUMENTS.some((prefix) => hasGroup(facts, prefix));
  return other && !detected ? demand(facts, ['paymentBrand'], 'unless it is detected from the card') : [];
};

function cardErrors(facts: RuleFacts): ParameterError[] {
  const insideTerminal = facts.sent.has('pos.encryptedSred.data');
  const insideToken = WALLETS.some((wallet) => facts.sent.has(`${wallet}.paymentToken`));
  const elsewhere = hasGroup(facts, 'tokenAccount.');
  if (insideTerminal || insideToken || elsewhere) return [];
  if (hasGroup(facts, 'card.')) return demand(facts, CARD);
  return hasGroup(facts, 'pos.')
    ? demand(facts, ['pos.encryptedSred.data'], 'when no card.number is sent')
    : [];
}

function walletErrors(facts: RuleFacts, wallet: string): ParameterError[] {
  if (!hasGroup(facts, `${wallet}.`) || facts.sent.has(`${wallet}.paymentToken`)) return [];
  if (!facts.sent.has(`${wallet}.source`) && !facts.sent.has('card.number')) {
    return demand(facts, [`${wallet}.paymentToken`]);
  }
  const decrypted = [`${wallet}.source`, ...CARD, 'threeDSecure.verificationId', 'threeDSecure.eci'];
  const already = hasGroup(facts, 'card.') ? CARD : [];
  return demand(
    facts,
    decrypted.filter((name) => !already.includes(name)),
    `when the merchant deciphers the token of ${wallet}`,
  );
}
