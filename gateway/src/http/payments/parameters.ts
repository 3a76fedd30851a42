import { AUTHENTICATION_PARAMETERS } from '@tillbridge/protocol/api/catalogue/authentication.js';
import { BASIC_PARAMETERS } from '@tillbridge/protocol/api/catalogue/basic.js';
import { CARD_PARAMETERS } from '@tillbridge/protocol/api/catalogue/card.js';
import type { Parameter } from '@tillbridge/protocol/api/catalogue/parameter.js';
import { POS_PARAMETERS } from '@tillbridge/protocol/api/catalogue/pos.js';
import {
  missingParameters,
  type ParameterError,
  requiredNames,
  type Validated,
  validateParameters,
} from '@tillbridge/protocol/api/validate.js';
import { AmountFormatError, type Money, parseAmount } from '@tillbridge/protocol/payment/money.js';
import type { FollowUpType, PaymentType } from '../../payments/desk.js';
import { invalidParameters } from '../envelope.js';
import type { Form } from '../form.js';
import { instrumentErrors, requiredOfInstrument } from './card-present.js';

type Values = ReadonlyMap<string, string>;

/** paymentType of a request without a reference (reference §2.2). */
export const PAYMENT_TYPES: readonly PaymentType[] = ['PA', 'DB', 'CD'];
/** paymentType of a request on an earlier payment. */
export const FOLLOW_UP_TYPES: readonly FollowUpType[] = ['CP', 'RF', 'RV'];

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

const BASIC: readonly Parameter[] = BASIC_PARAMETERS;
const READ: readonly Parameter[] = AUTHENTICATION_PARAMETERS;
const COMMON = [...READ, ...BASIC.filter((row) => !row.checkoutOnly)];
const CREATE = withTypes([...COMMON, ...CARD_PARAMETERS, ...POS_PARAMETERS], PAYMENT_TYPES);
const FOLLOW_UP = withTypes(COMMON, FOLLOW_UP_TYPES);

/** Parameters that answers repeat as they came (spec 2.10, "other structures"). */
const ECHOED: readonly string[] = BASIC.map((row) => row.name).filter(
  (name) => !['amount', 'currency', 'paymentType', 'paymentBrand', 'integrity', 'testMode'].includes(name),
);

/** Valid parameters of `POST /v1/payments`. @throws RequestRefused naming every fault */
export function createParameters(form: Form): Values {
  const validated = validateParameters(form, CREATE);
  const required = ['entityId', ...requiredNames(BASIC), ...requiredOfInstrument(validated.values)];
  return check(validated, required, instrumentErrors(validated.values));
}

/** Valid parameters of `POST /v1/payments/{id}`. @throws RequestRefused naming every fault */
export function followUpParameters(form: Form): Values {
  const validated = validateParameters(form, FOLLOW_UP);
  const needsAmount = validated.values.get('paymentType') !== 'RV';
  const required = ['entityId', 'paymentType', ...(needsAmount ? ['amount', 'currency'] : [])];
  return check(validated, required, []);
}

/** Valid parameters of a GET. @throws RequestRefused naming every fault */
export function readParameters(form: Form): Values {
  return check(validateParameters(form, READ), [], []);
}

/** The amount of valid parameters; undefined when none was sent. */
export function amountOf(values: Values): Money | undefined {
  const amount = values.get('amount');
  const currency = values.get('currency');
  return amount === undefined || currency === undefined ? undefined : parseAmount(amount, currency);
}

/** What answers repeat. */
export function echoOf(values: Values): Record<string, string> {
  return Object.fromEntries([...values].filter(([name]) => ECHOED.includes(name)));
}

function check(validated: Validated, required: readonly string[], more: readonly ParameterError[]): Values {
  const errors = [
    ...validated.errors,
    ...missingParameters(required, validated),
    ...more,
    ...moneyErrors(validated.values),
    ...pairErrors(validated, 'forex.amount', 'forex.currency'),
  ];
  if (errors.length > 0) throw invalidParameters(errors);
  return validated.values;
}

function moneyErrors(values: Values): ParameterError[] {
  const amount = values.get('amount');
  const currency = values.get('currency');
  if (currency === undefined) return [];
  if (!CURRENCIES.has(currency)) {
    return [{ name: 'currency', value: currency, message: 'must be a currency code of ISO 4217' }];
  }
  if (amount === undefined) return [];
  try {
    parseAmount(amount, currency);
    return [];
  } catch (error) {
    if (!(error instanceof AmountFormatError)) throw error;
    return [{ name: 'amount', value: amount, message: error.message }];
  }
}

function pairErrors(validated: Validated, one: string, other: string): ParameterError[] {
  if (!validated.values.has(one) && !validated.values.has(other)) return [];
  return missingParameters([one, other], validated);
}

function withTypes(rows: readonly Parameter[], types: readonly string[]): readonly Parameter[] {
  return rows.map((row) =>
    row.name === 'paymentType' ? { ...row, format: { kind: 'one-of', values: types } } : row,
  );
}
