import { isCountry } from '@tillbridge/protocol/api/iso-codes.js';
import { findBrand } from '@tillbridge/protocol/payment/brands.js';
import { isCurrency } from '@tillbridge/protocol/payment/currency-codes.js';
import type { AcquirerMerchant } from '../../acquirers/acquirer.js';
import { holds, type RuleLists, readRuleLists, readRules } from './rule-lists.js';

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

const LISTS: RuleLists = {
  currencies: ['an ISO 4217 code such as EUR', isCurrency],
  brands: ['a brand of the API such as VISA', (value) => findBrand(value) !== undefined],
  bins: ['the first 1 to 11 digits of card numbers', (value) => /^\d{1,11}$/.test(value)],
  methods: [`one of ${METHODS.join(', ')}`, (value) => METHODS.includes(value)],
  cardPresent: ['yes or no', (value) => value === 'yes' || value === 'no'],
};

/** Fields of the merchant, and what stands in each. */
const MERCHANT: Readonly<Record<keyof AcquirerMerchant, readonly [what: string, form: RegExp]>> = {
  merchantId: ['1 to 15 letters, digits and hyphens', /^[0-9A-Za-z-]{1,15}$/],
  terminalId: ['1 to 8 letters and digits', /^[0-9A-Za-z]{1,8}$/],
  category: ['four digits', /^\d{4}$/],
  name: ['1 to 25 printable characters of ASCII', /^[\x20-\x7e]{1,25}$/],
  city: ['1 to 13 printable characters of ASCII', /^[\x20-\x7e]{1,13}$/],
  country: ['an ISO 3166-1 alpha-2 code such as DE', /^[A-Z]{2}$/],
};

const refuse = (reason: string) => new AcquirerRoutesError(reason);

/**
 * Routes from JSON: an array of objects with `acquirer`, `merchant` and any of `currencies`, `brands`, `bins`, `methods`, `cardPresent`.
 * @throws AcquirerRoutesError
 */
export function readAcquirerRoutes(json: string): readonly AcquirerRoute[] {
  return readRules(json, 'routes', MAX_ROUTES, refuse).map((rule, at) => readRoute(`rule ${at + 1}`, rule));
}

function readRoute(place: string, value: unknown): AcquirerRoute {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refuse(`${place} must be an object with acquirer and merchant`);
  const { acquirer, merchant, ...lists } = value as Readonly<Record<string, unknown>>;
  if (typeof acquirer !== 'string' || !/^[A-Z0-9-]{1,16}$/.test(acquirer))
    throw refuse(`${place}: acquirer must be the name of an acquirer of the configuration`);
  return {
    acquirer,
    merchant: readMerchant(place, merchant),
    ...readRuleLists(place, LISTS, lists, refuse),
  };
}

function readMerchant(place: string, value: unknown): AcquirerMerchant {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refuse(`${place}: merchant must be an object with ${Object.keys(MERCHANT).join(', ')}`);
  const given = value as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(given))
    if (!Object.hasOwn(MERCHANT, name)) throw refuse(`${place}: merchant has no ${name}`);
  for (const [name, [what, form]] of Object.entries(MERCHANT)) {
    const field = given[name];
    if (typeof field !== 'string' || !form.test(field))
      throw refuse(`${place}: merchant.${name} must be ${what}`);
  }
  const merchant = value as AcquirerMerchant;
  if (!isCountry(merchant.country, 'alpha-2'))
    throw refuse(`${place}: merchant.country must be ${MERCHANT.country[0]}`);
  return merchant;
}
