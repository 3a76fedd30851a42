import { section } from '@tillbridge/platform/schema/fields.js';
import { Type } from '@tillbridge/platform/schema/type.js';
import { isTimeZone } from '@tillbridge/wire/iso8583/local-time.js';
import { isCountry } from '@tillbridge/wire/payment/country-codes.js';
import type { AcquirerMerchant } from '../../acquirers/acquirer.js';
import { COMMON_LISTS, holds, knownText, ruleList, rulesReader } from './rule-lists.js';

/**
 * One route of an entity: which of its payments an acquirer takes, and who the merchant is there. An absent list matches every payment; a
 * present one matches a payment that has one of its values, and no payment without a value.
 */
export interface AcquirerRoute {
  /** Name of the acquirer, as the gateway's configuration has it. */
  readonly acquirer: string;
  readonly merchant: AcquirerMerchant;
  /** ISO 4217, alphabetic. */
  readonly currencies?: readonly string[];
  /** `paymentBrand` as the API spells it. */
  readonly brands?: readonly string[];
  /** First digits of card numbers. */
  readonly bins?: readonly string[];
  /** `paymentMethod`. */
  readonly methods?: readonly string[];
  /** `yes`: with a terminal. */
  readonly cardPresent?: readonly string[];
}

/** The facts of a payment that routes use. */
export interface RouteFacts {
  readonly currency: string;
  readonly brand?: string;
  readonly method: string;
  /** Digits of the card number, of which none leave memory. */
  readonly number?: string;
  readonly isCardPresent: boolean;
}

/** Routes of one entity at most. */
const MAX_ROUTES = 100;

/** The routes are invalid; the message names the rule and the field. */
export class AcquirerRoutesError extends Error {
  override readonly name = 'AcquirerRoutesError';
}

/** The first route that a payment meets; undefined where it meets none. Pure. */
export function routeFor(routes: readonly AcquirerRoute[], facts: RouteFacts): AcquirerRoute | undefined {
  return routes.find((route) => meets(route, facts));
}

function meets(
  { currencies, brands, bins, methods, cardPresent }: AcquirerRoute,
  { currency, brand, method, number, isCardPresent }: RouteFacts,
): boolean {
  return (
    holds(currencies, currency) &&
    holds(brands, brand) &&
    holds(methods, method) &&
    holds(cardPresent, isCardPresent ? 'yes' : 'no') &&
    (bins === undefined || bins.some((bin) => number?.startsWith(bin)))
  );
}

const METHODS = ['CC', 'DD', 'OT', 'CT', 'VA'];

const matching = (expected: string, form: RegExp) => knownText(expected, (value) => form.test(value));

const MERCHANT = {
  merchantId: matching('1 to 15 letters, digits and hyphens', /^[0-9A-Za-z-]{1,15}$/),
  terminalId: matching('1 to 8 letters and digits', /^[0-9A-Za-z]{1,8}$/),
  category: matching('four digits', /^\d{4}$/),
  name: matching('1 to 25 printable characters of ASCII', /^[\x20-\x7e]{1,25}$/),
  city: matching('1 to 13 printable characters of ASCII', /^[\x20-\x7e]{1,13}$/),
  country: knownText('an ISO 3166-1 alpha-2 code such as DE', (value) => isCountry(value, 'alpha-2')),
  timeZone: Type.Optional(knownText('a time zone of IANA, such as Europe/Berlin', isTimeZone)),
} satisfies Record<keyof AcquirerMerchant, unknown>;

const ROUTE = section(
  {
    acquirer: matching('the name of an acquirer of the configuration', /^[A-Z0-9-]{1,16}$/),
    merchant: section(MERCHANT, { expected: `an object with ${Object.keys(MERCHANT).join(', ')}` }),
    ...COMMON_LISTS,
    bins: ruleList('the first 1 to 11 digits of card numbers', (value) => /^\d{1,11}$/.test(value)),
    methods: ruleList(`one of ${METHODS.join(', ')}`, (value) => METHODS.includes(value)),
    cardPresent: ruleList('yes or no', (value) => value === 'yes' || value === 'no'),
  },
  { expected: 'an object with acquirer and merchant' },
);

/**
 * Routes from JSON: an array of objects with `acquirer`, `merchant` and any of `currencies`, `brands`, `bins`, `methods`, `cardPresent`.
 * @throws AcquirerRoutesError
 */
export const readAcquirerRoutes: (json: string) => readonly AcquirerRoute[] = rulesReader(
  ROUTE,
  'routes',
  MAX_ROUTES,
  (reason) => new AcquirerRoutesError(reason),
);
