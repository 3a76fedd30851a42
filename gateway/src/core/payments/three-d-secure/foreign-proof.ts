import { type Money, parseAmount } from '@tillbridge/wire/payment/money.js';
import { present } from '@tillbridge/wire/present.js';
import type { AcquirerAuthentication } from '../../acquirers/authentication.js';
import type { Sent } from './sent.js';

/**
 * What the cardholder authenticates: `threeDSecure.amount`, else `risk.amount` (docs/three-d-secure.md: "also used as the 3D Secure amount when
 * present"), else the amount of the payment. The currency is `threeDSecure.currency`, else that of the payment.
 * @throws AmountFormatError
 */
export function authenticatedAmount(sent: Sent, paid: Money): Money {
  const currency = sent['threeDSecure.currency'] ?? paid.currency;
  const text = sent['threeDSecure.amount'] ?? sent['risk.amount'];
  return text === undefined ? { ...paid, currency } : parseAmount(text, currency);
}

/** What a merchant brings along: the proof of another 3D Secure server, or a wish for an exemption (docs/three-d-secure.md). */
export function foreignProof(sent: Sent, paid: Money): AcquirerAuthentication | undefined {
  const of = (name: string) => sent[`threeDSecure.${name}`];
  const proof = present({
    eci: of('eci'),
    verificationId: of('verificationId'),
    dsTransactionId: of('dsTransactionId'),
    status: of('authenticationStatus'),
    version: of('version'),
    exemptionFlag: of('exemptionFlag'),
    challengeIndicator: of('challengeIndicator'),
  });
  return Object.keys(proof).length === 0 ? undefined : { ...proof, amount: authenticatedAmount(sent, paid) };
}
