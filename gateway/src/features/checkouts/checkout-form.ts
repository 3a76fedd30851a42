import { ACCOUNT_METHODS, type AccountMethodKind } from '@tillbridge/wire/payment/account-methods.js';
import { BRANDS } from '@tillbridge/wire/payment/brands.js';
import { present } from '@tillbridge/wire/present.js';
import { channelFor, type RoutingRule } from '../../core/payments/routing/routing-rules.js';
import type { Mode } from '../../kernel/http/request/checkout-id.js';
import type { CheckoutRow, RegistrationRow } from '../../kernel/store/rows.js';
import { type CheckoutParameters, overridesOf, storesOnly } from './checkout-parameters.js';
import type { OfferedWallet } from './offered-wallets.js';

/** A means of payment that a form may offer. */
interface FormMethod {
  /** `paymentBrand` of what is posted; of a wallet its name in capitals. */
  readonly brand: string;
  readonly kind: 'card' | 'wallet' | AccountMethodKind;
  /** Of a card: digits of the card verification value. */
  readonly cvvLength?: number;
  /** Of a wallet in test mode: the sheet of the simulated one, on which the shopper agrees. */
  readonly sheetUrl?: string;
}

/** Stored payment details that a form may offer for one click; nothing but what may be shown. */
interface FormRegistration {
  readonly id: string;
  readonly kind: 'card' | 'bank-account';
  readonly brand?: string;
  readonly bin?: string;
  /** Of a bank account those of its IBAN or number. */
  readonly last4Digits?: string;
  readonly holder?: string;
  readonly expiryMonth?: string;
  readonly expiryYear?: string;
}

/**
 * What a checkout lets its payment form show: the member `checkout` of the answer to `GET /v1/checkouts/{id}/widget`. It holds nothing
 * secret: any client with the id may read it, and it is answered to every origin.
 */
export interface CheckoutForm {
  readonly id: string;
  readonly mode: Mode;
  /** `registration`: details are stored and nothing is paid; the form posts to `/v1/checkouts/{id}/registration`. */
  readonly purpose: 'payment' | 'registration';
  /** `pending`: a post has no outcome yet, or its shopper is somewhere else. `done`: nothing more can be posted. */
  readonly state: 'open' | 'pending' | 'done';
  /** How long the checkout lives on. */
  readonly expiresInMs: number;
  /** Payment details that may still be sent. */
  readonly attemptsLeft: number;
  /** With decimals, as the API takes amounts; absent where nothing is paid, as are the next two. */
  readonly amount?: string;
  /** ISO 4217. */
  readonly currency?: string;
  readonly paymentType?: string;
  /** paymentType by brand where it differs. */
  readonly overridePaymentType: Readonly<Record<string, string>>;
  /** What the entity's routing lets through, narrowed to the checkout's `paymentBrand` where it has one. */
  readonly methods: readonly FormMethod[];
  readonly registrations: readonly FormRegistration[];
  /** The merchant always stores the details: the form needs no box for it. */
  readonly createRegistration: boolean;
  /** Cards may be authenticated: the form gathers `customer.browser.*`. */
  readonly threeDSecure: boolean;
  /** The merchant has set where the shopper goes after: the form need not. */
  readonly shopperResultUrl: boolean;
  /** Hints at the language and country of the shopper (`locale`, `customer.language`, `billing.country`). */
  readonly locale?: string;
  readonly country?: string;
}

/** What a form is made of. */
export interface CheckoutFormFacts {
  readonly row: CheckoutRow;
  readonly parameters: CheckoutParameters;
  readonly mode: Mode;
  readonly nowMs: number;
  readonly maxAttempts: number;
  /** How what was posted last stands; undefined where nothing came of it, or a decline. */
  readonly posted: 'pending' | 'done' | undefined;
  /** The routing of the entity; undefined where it has none. */
  readonly rules: readonly RoutingRule[] | undefined;
  /** Those that the checkout offers, as they are stored. */
  readonly registrations: readonly RegistrationRow[];
  readonly threeDSecure: boolean;
  /** Wallets whose tokens can be opened for the entity. */
  readonly wallets: readonly OfferedWallet[];
}

/** What a checkout lets its payment form show. Pure. */
export function checkoutForm(facts: CheckoutFormFacts): CheckoutForm {
  const { row, parameters, mode, nowMs, maxAttempts, posted, registrations, threeDSecure } = facts;
  const purpose = storesOnly(parameters) ? 'registration' : 'payment';
  return {
    id: row.id,
    mode,
    purpose,
    state: posted ?? 'open',
    expiresInMs: Math.max(0, row.expiresAtMs - nowMs),
    attemptsLeft: Math.max(0, maxAttempts - row.attempts),
    ...present({
      amount: parameters.amount,
      currency: parameters.currency,
      paymentType: parameters.paymentType,
    }),
    overridePaymentType: overridesOf(parameters),
    methods: methodsOf(facts, purpose),
    registrations: registrations.map(shownRegistration),
    createRegistration: parameters.createRegistration === 'true',
    threeDSecure,
    shopperResultUrl: parameters.shopperResultUrl !== undefined,
    ...present({
      locale: parameters.locale ?? parameters['customer.language'],
      country: parameters['billing.country'],
    }),
  };
}

function shownRegistration(row: RegistrationRow): FormRegistration {
  const { id, kind, brand, bin, last4Digits, holder, expiryMonth, expiryYear } = row;
  return { id, kind, ...present({ brand, bin, last4Digits, holder, expiryMonth, expiryYear }) };
}

const CARDS: readonly FormMethod[] = BRANDS.map(({ key, cvvLength }) => ({
  brand: key,
  kind: 'card',
  cvvLength,
}));
const ACCOUNTS: readonly FormMethod[] = ACCOUNT_METHODS.map(({ brand, kind }) => ({ brand, kind }));
/** What can be stored. */
const STORED: readonly FormMethod['kind'][] = ['card', 'direct-debit'];

function methodsOf(
  { parameters, rules, wallets }: CheckoutFormFacts,
  purpose: CheckoutForm['purpose'],
): readonly FormMethod[] {
  const { currency, paymentBrand, 'billing.country': country } = parameters;
  const offered = wallets.map(
    ({ name, ...sheet }): FormMethod => ({ brand: name.toUpperCase(), kind: 'wallet', ...sheet }),
  );
  return [...CARDS, ...offered, ...ACCOUNTS].filter(
    ({ brand, kind }) =>
      (purpose === 'payment' || STORED.includes(kind)) &&
      (paymentBrand === undefined || paymentBrand === brand) &&
      (rules === undefined ||
        isRouted(rules, { brand: kind === 'wallet' ? undefined : brand, currency, country })),
  );
}

/** Whether a rule may take the payment. What is not known yet, such as the brand in a wallet, may turn out to be what it wants. */
function isRouted(
  rules: readonly RoutingRule[],
  known: Readonly<Record<'brand' | 'currency' | 'country', string | undefined>>,
): boolean {
  const open = rules.map(({ channelId, currencies, brands, countries }) => ({
    channelId,
    ...present({
      currencies: known.currency === undefined ? undefined : currencies,
      brands: known.brand === undefined ? undefined : brands,
      countries: known.country === undefined ? undefined : countries,
    }),
  }));
  return channelFor(open, present(known)) !== undefined;
}
