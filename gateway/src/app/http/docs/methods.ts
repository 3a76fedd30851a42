import { ACCOUNT_METHODS, type AccountMethodKind } from '@tillbridge/wire/payment/account-methods.js';
import { BRANDS } from '@tillbridge/wire/payment/brands.js';
import { FOLLOW_UPS, type FollowUp } from '@tillbridge/wire/payment/lifecycle.js';
import { TEST_ACCOUNTS } from '@tillbridge/wire/payment/test-accounts.js';
import { TEST_CARDS } from '@tillbridge/wire/payment/test-cards.js';
import { TEST_GIFT_CARDS } from '@tillbridge/wire/payment/test-gift-cards.js';
import { TEST_TOKENS } from '@tillbridge/wire/payment/test-tokens.js';
import { WALLET_NAMES } from '@tillbridge/wire/payment/wallet-names.js';
import { FOLLOW_UP_ROWS } from '../../../core/payments/rules/follow-up-rows.js';

/** Parameters of a request. */
export type Example = Readonly<Record<string, string>>;

/** A payment method as the page describes it, and as its journey is made of it (payments/methods.test.ts). */
export interface Method {
  readonly name: string;
  /** `paymentBrand`s; empty: that of the card inside. */
  readonly brands: readonly string[];
  /** `paymentMethod`. */
  readonly code: string;
  /** The group of parameters that brings it. */
  readonly group: string;
  /** When it ends: at once, after the shopper has approved it on another page, or when a transfer has come in. */
  readonly outcome: 'at once' | 'redirect' | 'receipt';
  readonly followUps: readonly FollowUp[];
  /** The page's text about test data. */
  readonly testData: string;
  /** Test data that pays, and what of it makes the issuer refuse; of an asynchronous method the shopper refuses. */
  readonly pays: Example;
  readonly refused?: Example;
  /** Test data that pays, and whose money is taken back later. */
  readonly returned?: Example;
}

const WITHOUT_CARD = FOLLOW_UPS.filter((type) => !FOLLOW_UP_ROWS[type].withCard);
const EXPIRY = { 'card.expiryMonth': '12', 'card.expiryYear': '2031' };
/** A cryptogram of a wallet or a network: the simulators take every one that has its form. */
const CRYPTOGRAM = 'AgAAAAAAMnJ2E4sAAAAAAAAAAAA=';

const CARD: Method = {
  name: 'card',
  brands: BRANDS.map(({ key }) => key),
  code: 'CC',
  group: 'card.',
  outcome: 'at once',
  followUps: FOLLOW_UPS,
  testData: 'test cards',
  pays: { 'card.number': TEST_CARDS.visaCredit.pan, ...EXPIRY },
  refused: { 'card.number': TEST_CARDS.visaBlocked.pan },
};

const WALLETS: readonly Method[] = WALLET_NAMES.map((wallet) => ({
  ...CARD,
  name: `[wallet](wallets.md) ${wallet}`,
  brands: [],
  group: `${wallet}.`,
  testData: 'tokens of the [simulator](../../hardware-sim/docs/wallet-tokens.md)',
  pays: {
    ...CARD.pays,
    [`${wallet}.source`]: 'web',
    'threeDSecure.verificationId': CRYPTOGRAM,
    'threeDSecure.eci': '05',
  },
}));

const [token, suspended] = TEST_TOKENS;
const TOKENS: Method = {
  name: '[token account](#token-accounts)',
  brands: [],
  code: 'CC',
  group: 'tokenAccount.',
  outcome: 'at once',
  followUps: WITHOUT_CARD,
  testData: 'the tokens below',
  pays: {
    paymentBrand: 'VISA',
    'tokenAccount.number': token?.number ?? '',
    'tokenAccount.type': token?.type ?? '',
    'tokenAccount.cryptogram': CRYPTOGRAM,
  },
  refused: { 'tokenAccount.number': suspended?.number ?? '' },
};

const accountThat = (kind: 'pay' | 'decline' | 'return') => {
  const found = TEST_ACCOUNTS.find(({ behaviour }) => behaviour.kind === kind);
  return { 'bankAccount.iban': found?.iban ?? '' };
};
const bank = { testData: 'any account; the simulated bank shows its page', pays: {} };
const [giftCard] = TEST_GIFT_CARDS;

/** What the tables of methods without a card leave open. */
const KINDS: Readonly<
  Record<AccountMethodKind, Pick<Method, 'name' | 'testData' | 'pays' | 'refused' | 'returned'>>
> = {
  'direct-debit': {
    name: '[direct debit](#direct-debits)',
    testData: 'the accounts below',
    pays: { 'bankAccount.holder': 'Jane Jones', ...accountThat('pay') },
    refused: accountThat('decline'),
    returned: accountThat('return'),
  },
  'online-transfer': { name: 'online transfer', ...bank },
  'bank-transfer': { name: '[bank transfer](#bank-transfers)', testData: 'none is needed', pays: {} },
  'virtual-account': {
    name: 'virtual account',
    ...bank,
    testData: 'any `virtualAccount.accountId`; the simulated bank shows its page',
  },
  'gift-card': {
    name: '[gift card](#gift-cards)',
    testData: 'the gift cards below',
    pays: { 'giftCard.number': giftCard?.number ?? '', 'giftCard.pin': giftCard?.pin ?? '' },
    refused: { 'giftCard.number': TEST_GIFT_CARDS.at(-1)?.number ?? '' },
  },
};

const ACCOUNTS: readonly Method[] = [...new Set(ACCOUNT_METHODS.map(({ kind }) => kind))].flatMap((kind) => {
  const methods = ACCOUNT_METHODS.filter((each) => each.kind === kind);
  const [method] = methods;
  if (!method) return [];
  const { code, group, isAsynchronous, kind: methodKind } = method;
  const outcome = isAsynchronous ? 'redirect' : methodKind === 'bank-transfer' ? 'receipt' : 'at once';
  const brands = methods.map(({ brand }) => brand);
  return [{ ...KINDS[kind], brands, code, group, outcome, followUps: WITHOUT_CARD }];
});

/** Every payment method, in the order of the page. */
export const METHODS: readonly Method[] = [CARD, ...WALLETS, TOKENS, ...ACCOUNTS];
