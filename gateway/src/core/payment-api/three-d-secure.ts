import { isCurrency } from '@tillbridge/wire/payment/currency-codes.js';
import { FROM_SHOPPER } from '@tillbridge/wire/payment/lifecycle.js';
import { amountOrFault } from '@tillbridge/wire/payment/money.js';
import type { ParameterValues } from '../../kernel/api/catalogue/sections.js';
import type { RequestContext } from '../../kernel/api/rules/rule.js';
import type { ParameterError } from '../../kernel/api/validate.js';
import type { Caller } from '../../kernel/http/request/caller.js';
import type { Form } from '../../kernel/http/request/form.js';
import { readDeviceInfo } from '../payments/three-d-secure/device-info.js';
import { isRequestorInitiated } from '../payments/three-d-secure/sent.js';
import type { PaymentRouteDeps } from './payment-deps.js';
import { registrationIdOf } from './registration.js';

type Sent = ReadonlyMap<string, string>;

/** What an external 3D Secure server proves with (docs/three-d-secure.md), both together: the authentication is over. */
const PROOF = ['threeDSecure.eci', 'threeDSecure.verificationId'] as const;

/**
 * The 3D Secure that is processed for a payment of an entity where it is configured and active (docs/three-d-secure.md): on a card that its holder
 * typed in, unless the request bypasses it, brings the proof of another server, or is the merchant's own. Pure.
 * @param sent the parameters as they were sent, checked or not
 */
export function threeDSecureOf(sent: Sent): RequestContext['threeDSecure'] {
  const hasCard = sent.has('card.number') || registrationIdOf(sent) !== undefined;
  if (!hasCard || !isFromShopper(sent) || PROOF.every((name) => sent.has(name))) return undefined;
  const requestorInitiated = isRequestorInitiated(Object.fromEntries(sent));
  const isMerchants = sent.get('standingInstruction.source') === 'MIT' && !requestorInitiated;
  return isMerchants || hasGroup(sent, 'pos.') ? undefined : authenticationOf(sent);
}

/** Is it money from the shopper, whose authentication the request does not bypass? Pure. */
export function isFromShopper(sent: Sent): boolean {
  return FROM_SHOPPER.has(sent.get('paymentType') ?? '') && sent.get('threeDSecure.disable') !== 'true';
}

/** How a cardholder is authenticated. Pure. */
export function authenticationOf(sent: Sent): NonNullable<RequestContext['threeDSecure']> {
  if (isRequestorInitiated(Object.fromEntries(sent))) return { version: 2, requestorInitiated: true };
  const appBased = sent.has('threeDSecure.deviceInfo') || hasGroup(sent, 'customer.app.');
  return { version: 2, ...(appBased && { appBased }) };
}

/** What is wrong with the values of an authentication that is processed, beyond their formats. */
export function deviceInfoErrors(values: ParameterValues): ParameterError[] {
  const deviceInfo = values.get('threeDSecure.deviceInfo');
  const read = deviceInfo === undefined ? undefined : readDeviceInfo(deviceInfo);
  return typeof read === 'string' ? [{ name: 'threeDSecure.deviceInfo', value: null, message: read }] : [];
}

/** What is wrong with the amounts that a cardholder may authenticate, in their currency. */
export function authenticatedAmountErrors(values: ParameterValues): ParameterError[] {
  const currency = values.get('threeDSecure.currency') ?? values.get('currency');
  return [
    ...amountErrors('threeDSecure.amount', values.get('threeDSecure.amount'), currency),
    ...amountErrors('risk.amount', values.get('risk.amount'), currency),
  ];
}

function amountErrors(name: string, amount: string | undefined, currency = ''): ParameterError[] {
  if (amount === undefined || !isCurrency(currency)) return [];
  const read = amountOrFault(amount, currency);
  return typeof read === 'string' ? [{ name, value: amount, message: read }] : [];
}

/** Is 3D Secure configured and active for the entity that a form names? Never answered for a foreign entity. */
export async function isThreeDSecureActive(
  { threeDSecureActive }: Pick<PaymentRouteDeps, 'threeDSecureActive'>,
  { parameters }: Form,
  caller: Pick<Caller, 'mayActFor'>,
): Promise<boolean> {
  const entityId = parameters.find(([name]) => name === 'entityId')?.[1];
  if (entityId === undefined || !(await caller.mayActFor(entityId))) return false;
  return (await threeDSecureActive?.(entityId)) === true;
}

function hasGroup(sent: Sent, prefix: string): boolean {
  return [...sent.keys()].some((name) => name.startsWith(prefix));
}
