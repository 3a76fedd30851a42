import { passesLuhn } from '@tillbridge/wire/mask/luhn.js';
import { isCountry } from '@tillbridge/wire/payment/country-codes.js';
import { isCurrency } from '@tillbridge/wire/payment/currency-codes.js';
import { isExpired } from '@tillbridge/wire/payment/expiry.js';
import { amountOrFault, hundredthsOf } from '@tillbridge/wire/payment/money.js';
import { type ResultCode, resultDescription } from '@tillbridge/wire/payment/result-codes/result-codes.js';
import { isValidBIC, isValidIBAN } from 'ibantools';
import { CURRENCY } from './catalogue/rows/format.js';
import type { ParameterValues } from './catalogue/sections.js';
import type { Validated } from './validate.js';

/** A value that keeps its format and means nothing: answered with its own result code, not as a parameter error. */
export interface ContentError {
  readonly code: ResultCode;
  /** The parameter that holds it. */
  readonly name: string;
  /** The rule that it breaks, where the description of the code does not say it. Nothing of the value. */
  readonly rule?: string;
}

/** What a merchant gets in addition to the code: the parameter and the rule, nothing of its value. */
export function contentDetail({ code, name, rule }: ContentError): string {
  return `${name}: ${rule ?? resultDescription(code)}`;
}

/** Code of sellers whose sum is more than the amount of the payment. */
const SELLERS_EXCEED: ResultCode = '100.550.301';

type Values = Pick<Validated, 'values' | 'rows'>;

/** Form of the country code of each parameter that holds one, by the end of its name. */
const COUNTRIES: readonly (readonly [name: RegExp, form: Parameters<typeof isCountry>[1]])[] = [
  [/^(sender|recipient|threeDSecure\.merchant)\.country$/, 'alpha-3'],
  [/^merchant\.countryCode$/, 'numeric'],
  [/(^|\.)(country|residenceCountry)$/, 'alpha-2'],
];
/** The end of each of these names. */
const COUNTRY_END = /[cC]ountry(?:Code)?$/;
/** Amounts that are checked against a currency, and the code of a breach. */
const AMOUNTS: readonly (readonly [amount: string, currency: string, code: ResultCode])[] = [
  ['amount', 'currency', '100.550.303'],
  ['forex.amount', 'forex.currency', '100.550.303'],
  ['threeDSecure.amount', 'threeDSecure.currency', '100.550.303'],
  ['risk.amount', 'currency', '100.550.603'],
];

/**
 * What the values of a request without parameter errors mean, the gravest first: answer with the first. Pure.
 * @param nowMs wall clock; a card is valid to the last day of its month
 */
export function contentErrors(validated: Values, nowMs: number): ContentError[] {
  return [
    ...amountErrors(validated),
    ...sellerErrors(validated),
    ...cardErrors(validated.values, nowMs),
    ...accountErrors(validated.values),
    ...countryErrors(validated),
  ];
}

function amountErrors({ values, rows }: Values): ContentError[] {
  const errors: ContentError[] = [];
  for (const [name, value] of values) {
    if (rows.get(name)?.format === CURRENCY && !isCurrency(value)) errors.push({ code: '100.550.401', name });
  }
  for (const [name, currencyName, code] of AMOUNTS) {
    const amount = values.get(name);
    const currency = values.get(currencyName);
    if (amount === undefined || currency === undefined || !isCurrency(currency)) continue;
    const rule = amountFault(amount, currency);
    if (rule !== undefined) errors.push({ code, name, rule });
    else if (name === 'amount' && Number(amount) === 0) errors.push({ code: '100.550.300', name });
  }
  return errors;
}

const SELLERS = 'marketPlace.sellers[';
const SELLER_AMOUNT = /^marketPlace\.sellers\[\d+\]\.amount$/;

/** The sellers of a marketplace have amounts of its currency, and no more than the payment (docs/payments.md); names the first of which that is not so. */
function sellerErrors({ values }: Values): ContentError[] {
  const amount = values.get('amount');
  if (amount === undefined) return [];
  const currency = values.get('currency') ?? '';
  let left = hundredthsOf(amount) ?? 0;
  for (const [name, value] of values) {
    if (!name.startsWith(SELLERS) || !SELLER_AMOUNT.test(name)) continue;
    const rule = isCurrency(currency) ? amountFault(value, currency) : undefined;
    if (rule !== undefined) return [{ code: '100.550.303', name, rule }];
    left -= hundredthsOf(value) ?? 0;
    if (left < 0) return [{ code: SELLERS_EXCEED, name }];
  }
  return [];
}

/** The rule that a text breaks as an amount of a currency. */
function amountFault(amount: string, currency: string): string | undefined {
  const read = amountOrFault(amount, currency);
  return typeof read === 'string' ? read : undefined;
}

function cardErrors(values: ParameterValues, nowMs: number): ContentError[] {
  const number = values.get('card.number');
  const expiryMonth = values.get('card.expiryMonth');
  const expiryYear = values.get('card.expiryYear');
  const errors: ContentError[] = [];
  if (number !== undefined && !passesLuhn(number)) errors.push({ code: '100.100.101', name: 'card.number' });
  const known = expiryMonth !== undefined && expiryYear !== undefined;
  if (known && isExpired({ expiryMonth, expiryYear }, nowMs)) {
    errors.push({ code: '100.100.303', name: 'card.expiryYear' });
  }
  return errors;
}

function accountErrors(values: ParameterValues): ContentError[] {
  const iban = values.get('bankAccount.iban');
  const bic = values.get('bankAccount.bic');
  const errors: ContentError[] = [];
  if (iban !== undefined && !isValidIBAN(iban.toUpperCase())) {
    errors.push({ code: '100.100.101', name: 'bankAccount.iban' });
  }
  if (bic !== undefined && !isValidBIC(bic.toUpperCase())) {
    errors.push({ code: '100.200.103', name: 'bankAccount.bic' });
  }
  return errors;
}

function countryErrors({ values }: Values): ContentError[] {
  const errors: ContentError[] = [];
  for (const [name, value] of values) {
    if (!COUNTRY_END.test(name)) continue;
    const form = COUNTRIES.find(([pattern]) => pattern.test(name))?.[1];
    if (form === undefined || isCountry(value, /^\d+$/.test(value) ? 'numeric' : form)) continue;
    errors.push({ code: name === 'bankAccount.country' ? '100.200.100' : '100.800.501', name });
  }
  return errors;
}
