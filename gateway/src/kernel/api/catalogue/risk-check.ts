import { AUTHENTICATION_PARAMETERS } from './authentication.js';
import { BASIC_PAYMENT_PARAMETERS } from './basic.js';
import { CARD_PARAMETERS } from './methods/card.js';
import { BILLING_PARAMETERS, CUSTOMER_PARAMETERS, SHIPPING_PARAMETERS } from './parties.js';
import { RISK_PARAMETERS } from './risk.js';
import type { Parameter } from './rows/parameter.js';

const NAMES: readonly string[] = ['amount', 'currency', 'merchantTransactionId', 'card.number'];

/** An addition of ours: what a risk check without a payment takes. No bank account and no mandate is among it. */
export const RISK_CHECK_PARAMETERS: readonly Parameter[] = [
  ...AUTHENTICATION_PARAMETERS,
  ...[...BASIC_PAYMENT_PARAMETERS, ...CARD_PARAMETERS].filter(({ name }) => NAMES.includes(name)),
  ...CUSTOMER_PARAMETERS,
  ...BILLING_PARAMETERS,
  ...SHIPPING_PARAMETERS,
  ...RISK_PARAMETERS,
];
