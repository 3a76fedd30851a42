import { findBrand } from '@tillbridge/wire/payment/brands.js';
import { WALLET_NAMES } from '@tillbridge/wire/payment/wallet-names.js';
import { BANK_ACCOUNT_PARAMETERS } from '../catalogue/methods/bank-account.js';
import { CARD_PARAMETERS } from '../catalogue/methods/card.js';
import { TOKEN_ACCOUNT_PARAMETERS } from '../catalogue/methods/token-account.js';
import { VIRTUAL_ACCOUNT_PARAMETERS } from '../catalogue/methods/virtual-account.js';
import { POS_PARAMETERS } from '../catalogue/pos.js';
import { type ParameterError, requiredNames } from '../validate.js';
import { bringsInstrument, demand, type Rule, type RuleFacts } from './rule.js';

const CARD = requiredNames(CARD_PARAMETERS);
/** R rows of the groups that stand for themselves (docs/payment-methods.md). */
const GROUPS: readonly (readonly [group: string, required: readonly string[]])[] = [
  ['bankAccount', requiredNames(BANK_ACCOUNT_PARAMETERS)],
  ['virtualAccount', requiredNames(VIRTUAL_ACCOUNT_PARAMETERS)],
  ['tokenAccount', requiredNames(TOKEN_ACCOUNT_PARAMETERS)],
  ['pos', requiredNames(POS_PARAMETERS)],
];
const INSTRUMENTS: readonly string[] = [
  'card',
  ...GROUPS.map(([group]) => group),
  ...WALLET_NAMES,
  'giftCard',
];

/** Groups with a card inside, of which the brand is detected. */
const CARD_GROUPS: readonly string[] = ['card', 'pos', ...WALLET_NAMES];

/** A group that is used brings its required rows (docs/payment-methods.md). */
export const groupRule: Rule = (facts) => {
  if (!bringsInstrument(facts)) return [];
  return [
    ...GROUPS.flatMap(([group, required]) => (facts.groups.has(group) ? demand(facts, required) : [])),
    ...cardErrors(facts),
    ...WALLET_NAMES.flatMap((wallet) => walletErrors(facts, wallet)),
  ];
};

/** A card payment brings a card: itself, enciphered by a terminal, or inside a wallet's token. */
export const instrumentRule: Rule = (facts) => {
  if (facts.operation !== 'payment' && facts.operation !== 'registration') return [];
  if (facts.sent.has('referenceUuid') || INSTRUMENTS.some((group) => facts.groups.has(group))) return [];
  const brand = facts.values.get('paymentBrand');
  return brand === undefined || findBrand(brand) ? demand(facts, CARD) : [];
};

/** paymentBrand: optional when the brand is detected from a card, otherwise mandatory. */
export const brandRule: Rule = (facts) => {
  if (!bringsInstrument(facts) || facts.sent.has('referenceUuid')) return [];
  const isCard = CARD_GROUPS.some((group) => facts.groups.has(group));
  const detected = isCard && facts.brandDetection !== false;
  const other = INSTRUMENTS.some((group) => facts.groups.has(group));
  return other && !detected ? demand(facts, ['paymentBrand'], 'unless it is detected from the card') : [];
};

function cardErrors(facts: RuleFacts): ParameterError[] {
  const insideTerminal = facts.sent.has('pos.encryptedSred.data');
  const insideToken = WALLET_NAMES.some((wallet) => facts.sent.has(`${wallet}.paymentToken`));
  const stored = facts.sent.has('registration.id') || facts.sent.has('registrationId');
  const elsewhere = stored || facts.groups.has('tokenAccount');
  if (insideTerminal || insideToken || elsewhere) return [];
  if (facts.groups.has('card')) return demand(facts, CARD);
  return facts.groups.has('pos')
    ? demand(facts, ['pos.encryptedSred.data'], 'when no card.number is sent')
    : [];
}

function walletErrors(facts: RuleFacts, wallet: string): ParameterError[] {
  if (!facts.groups.has(wallet) || facts.sent.has(`${wallet}.paymentToken`)) return [];
  if (!facts.sent.has(`${wallet}.source`)) {
    return demand(
      facts,
      [`${wallet}.paymentToken`],
      `unless ${wallet}.source is sent with the deciphered card`,
    );
  }
  return demand(
    facts,
    [...CARD, 'threeDSecure.verificationId', 'threeDSecure.eci'],
    `when the merchant deciphers the token of ${wallet}`,
  );
}
