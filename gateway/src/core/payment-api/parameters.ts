import { type Money, parseAmount } from '@tillbridge/wire/payment/money.js';
import { AUTHENTICATION_PARAMETERS } from '../../kernel/api/catalogue/authentication.js';
import { TEST_MODE } from '../../kernel/api/catalogue/rows/test-mode.js';
import type { ParameterValues } from '../../kernel/api/catalogue/sections.js';
import { checkRequest } from '../../kernel/api/check/check-request.js';
import type { RequestContext } from '../../kernel/api/rules/rule.js';
import { type ParameterError, type Validated, validateParameters } from '../../kernel/api/validate.js';
import { invalidParameters } from '../../kernel/http/request/envelope.js';
import type { Form } from '../../kernel/http/request/form.js';
import { deviceTypeErrors, instrumentErrors } from './card-present.js';
import { directDebitErrors } from './mandate.js';
import { practiceErrors } from './reference.js';
import { registrationIdOf } from './registration.js';
import { triggerErrors } from './test-triggers.js';
import {
  authenticatedAmountErrors,
  authenticationOf,
  deviceInfoErrors,
  threeDSecureOf,
} from './three-d-secure.js';
import { walletErrors } from './wallet.js';

/**
 * Valid parameters of `POST /v1/payments`, and of a payment with stored details.
 * @param known what the gateway knows in addition to the form
 * @throws RequestRefused naming every fault
 */
export function createParameters(
  form: Form,
  known: { readonly threeDSecureIsActive: boolean; readonly nowMs: number },
): Validated {
  const sent = sentIn(form);
  const threeDSecure = known.threeDSecureIsActive ? threeDSecureOf(sent) : undefined;
  const more = (values: ParameterValues) => [
    ...deviceTypeErrors(values),
    ...directDebitErrors(values, known.nowMs),
    ...authenticatedAmountErrors(values),
    ...(threeDSecure ? deviceInfoErrors(values) : []),
  ];
  const operation = registrationIdOf(sent) === undefined ? 'payment' : 'registration-payment';
  return checkForm(form, { operation, threeDSecure }, more);
}

/** Valid parameters of `POST /v1/threeDSecure`. @throws RequestRefused naming every fault */
export function authenticationParameters(form: Form): Validated {
  const threeDSecure = authenticationOf(sentIn(form));
  const more = (values: ParameterValues) => [
    ...authenticatedAmountErrors(values),
    ...deviceInfoErrors(values),
  ];
  return checkForm(form, { operation: 'three-d-secure', threeDSecure }, more);
}

/** Valid parameters of `POST /v1/payments/{id}`. @throws RequestRefused naming every fault */
export function followUpParameters(form: Form): Validated {
  return checkForm(form, { operation: 'follow-up' }, practiceErrors);
}

/** Rows of a GET: a client may name the test mode of what it reads. */
const READ_ROWS = [...AUTHENTICATION_PARAMETERS, TEST_MODE];

/** Valid parameters of a GET. @throws RequestRefused naming every fault */
export function readParameters(form: Form): ParameterValues {
  const { values, errors } = validateParameters(form.parameters, READ_ROWS);
  refuseFaults([...form.errors, ...errors]);
  return values;
}

/** The amount of parameters without content errors; undefined when none was sent. */
export function amountOf(values: ParameterValues): Money | undefined {
  const amount = values.get('amount');
  const currency = values.get('currency');
  return amount === undefined || currency === undefined ? undefined : parseAmount(amount, currency);
}

/**
 * Valid parameters of a form that may bring payment details.
 * @param more faults that the form's own endpoint knows
 * @throws RequestRefused naming every fault
 */
export function checkForm(
  form: Form,
  context: Pick<RequestContext, 'operation' | 'threeDSecure'>,
  more: (values: ParameterValues) => ParameterError[],
): Validated {
  refuseUnreadable(form);
  const { compatibility, appSchemes } = form;
  const { operation, threeDSecure } = context;
  const validated = checkRequest(form.parameters, { operation, threeDSecure, compatibility, appSchemes });
  const { values, errors } = validated;
  refuseFaults([
    ...form.errors,
    ...errors,
    ...instrumentErrors(values),
    ...walletErrors(values),
    ...triggerErrors(values),
    ...more(values),
  ]);
  return validated;
}

/** Refuses a body that could not be read with that error alone, without the parameters that seem to be missing. */
function refuseUnreadable({ parameters, errors }: Form): void {
  if (parameters.length === 0 && errors.some(({ name }) => name === '')) throw invalidParameters(errors);
}

/** What was sent with something in it: an empty value counts as absent. */
function sentIn({ parameters }: Form): ReadonlyMap<string, string> {
  return new Map(parameters.filter(([, value]) => value !== ''));
}

/** Refuses faults, the first one of each parameter. */
function refuseFaults(errors: readonly ParameterError[]): void {
  const byName = new Map<string, ParameterError>();
  for (const error of errors) if (!byName.has(error.name)) byName.set(error.name, error);
  if (byName.size > 0) throw invalidParameters([...byName.values()]);
}
