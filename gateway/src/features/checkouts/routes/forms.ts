import { detectBrand } from '@tillbridge/wire/payment/brands.js';
import { present } from '@tillbridge/wire/present.js';
import { checkForm } from '../../../core/payment-api/parameters.js';
import { authenticatedAmountErrors } from '../../../core/payment-api/three-d-secure.js';
import type { ParameterValues } from '../../../kernel/api/catalogue/sections.js';
import { checkRequest, rowsOf } from '../../../kernel/api/check/check-request.js';
import { type ContentError, contentErrors } from '../../../kernel/api/content.js';
import { groupOf } from '../../../kernel/api/names.js';
import type { RequestContext } from '../../../kernel/api/rules/rule.js';
import { type ParameterError, type Validated, validateParameters } from '../../../kernel/api/validate.js';
import type { Form } from '../../../kernel/http/request/form.js';
import { type CheckoutParameters, paymentTypeFor } from '../checkout-parameters.js';

type Compatibility = Form['compatibility'];

/** Means of payment: the shopper's browser alone sends them. */
const INSTRUMENT = /^(?:card|pos|bankAccount|virtualAccount|tokenAccount|giftCard|wallet[ABC])\./;
/** What a merchant may say of one: the holder that a stored one lacks (docs/card-on-file.md, overrideHolder). */
const HOLDERS: readonly string[] = ['card.holder', 'bankAccount.holder'];
/**
 * The parameters that a shopper's browser may send. All others are the merchant's alone, and are ignored there: never an amount, a payment
 * type, an exemption from 3D Secure or a proof of it.
 */
const OF_SHOPPER =
  /^(?:paymentBrand$|createRegistration$|shopperResultUrl$|locale$|registrationId$|registration\.id$|customParameters\[|(?:card|bankAccount|virtualAccount|giftCard)\.|wallet[ABC]\.(?!source$)|customer\.(?!ip$)|billing\.|shipping\.)/;

/** The merchant's parameters of a new checkout. @throws RequestRefused naming every fault */
export function createdParameters(form: Form): Validated {
  return checkForm(form, { operation: 'checkout-create' }, preparedErrors);
}

/**
 * The merchant's parameters of a checkout with changes to them.
 * @throws RequestRefused naming every fault
 */
export function changedParameters(form: Form, before: CheckoutParameters): Validated {
  const { values } = checkForm(form, { operation: 'checkout-update' }, preparedErrors);
  const parameters = Object.entries({
    ...before,
    ...Object.fromEntries(values),
    entityId: before.entityId ?? '',
  });
  const { compatibility, appSchemes } = form;
  return createdParameters({ parameters, errors: [], ...present({ compatibility, appSchemes }) });
}

/** What is wrong with the meaning of a checkout's values; undefined where nothing is. */
export function contentFault(validated: Validated, nowMs: number): ContentError | undefined {
  return contentErrors(validated, nowMs)[0];
}

function preparedErrors(values: ParameterValues): ParameterError[] {
  const wrong = [...values.keys()].filter((name) => INSTRUMENT.test(name) && !HOLDERS.includes(name));
  const errors = wrong.map((name) => ({
    name,
    value: null,
    message: 'is sent by the shopper’s browser alone',
  }));
  return [...errors, ...authenticatedAmountErrors(values)];
}

/** What a shopper's browser posts to a checkout, valid in itself. @throws RequestRefused naming every fault */
export function postedParameters(
  form: Form,
  operation: 'checkout-payment' | 'checkout-registration',
  compatibility: Compatibility,
): Validated {
  const parameters = form.parameters.map(
    // A box without a value posts `on`.
    ([name, value]) => [name, name === 'createRegistration' && value === 'on' ? 'true' : value] as const,
  );
  return checkForm({ ...form, parameters, ...present({ compatibility }) }, { operation }, () => []);
}

/** What is known of a browser by its request. */
interface BrowserFacts {
  readonly ip: string;
  readonly acceptHeader: string | undefined;
  readonly userAgent: string | undefined;
}

/**
 * All parameters of a payment by a checkout: the merchant's, and what the browser may add to them. Pure.
 * @param compatibility of the entity, by which the merchant's parameters were checked
 */
export function joined(
  prepared: CheckoutParameters,
  posted: Validated,
  browser: BrowserFacts,
  compatibility: Compatibility,
): Validated {
  const own = validateParameters(Object.entries(prepared), rowsOf('checkout-create', compatibility));
  const ofShopper = [...posted.values].filter(([name]) => OF_SHOPPER.test(name));
  const entered = new Map(ofShopper);
  const values = new Map([...ofShopper, ...own.values]);
  const registrationId = entered.get('registration.id') ?? entered.get('registrationId');
  // The merchant's holder stands in where a stored one has none; a typed one is the shopper's.
  for (const name of HOLDERS) {
    const holder = entered.get(name);
    if (holder !== undefined) values.set(name, holder);
    else if (registrationId === undefined) values.delete(name);
  }
  values.delete('registrationId');
  if (registrationId !== undefined) values.set('registration.id', registrationId);
  for (const [name, value] of factsOf(browser, values)) if (!values.has(name)) values.set(name, value);
  const type = paymentTypeFor(prepared, brandOf(values));
  if (type !== undefined) values.set('paymentType', type);
  const rows = new Map([...posted.rows, ...own.rows]);
  for (const row of rowsOf('payment'))
    if (values.has(row.name) && !rows.has(row.name)) rows.set(row.name, row);
  const names = [...values.keys()];
  return { values, rows, sent: new Set(names), groups: new Set(names.map(groupOf)), errors: [] };
}

/** What 3D Secure and the risk check want of the browser: only where the form has gathered the rest, the headers complete it. */
function factsOf(
  { ip, acceptHeader, userAgent }: BrowserFacts,
  values: ReadonlyMap<string, string>,
): readonly (readonly [string, string])[] {
  const isGathered = [...values.keys()].some((name) => name.startsWith('customer.browser.'));
  const headers = isGathered
    ? ([
        ['customer.browser.acceptHeader', acceptHeader],
        ['customer.browser.userAgent', userAgent],
      ] as const)
    : [];
  return [['customer.ip', ip] as const, ...headers].flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, value.slice(0, 2_048)] as const],
  );
}

/** Brand of what is posted: as it was named, or of the card. */
function brandOf(values: ReadonlyMap<string, string>): string | undefined {
  const number = values.get('card.number');
  return values.get('paymentBrand') ?? (number === undefined ? undefined : detectBrand(number)?.key);
}

/** What a payment does not take, or takes from the merchant by other names than from the shopper. */
const OF_MERCHANT = /^(?:overridePaymentType|registrations|customParameters)\[/;

/** Faults of the joined parameters that neither part has alone. Pure. */
export function jointErrors({ values }: Validated, context: RequestContext): readonly ParameterError[] {
  return checkRequest(
    [...values].filter(([name]) => !OF_MERCHANT.test(name)),
    context,
  ).errors;
}
