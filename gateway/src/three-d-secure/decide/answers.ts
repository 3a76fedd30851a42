import type { Echo } from '@tillbridge/protocol/api/echo.js';
import { type Money, parseAmount } from '@tillbridge/protocol/payment/money.js';
import { present } from '@tillbridge/protocol/present.js';
import type { AcquirerAuthentication } from '../../acquirers/authentication.js';
import type { GateDecision } from '../../payments/gates/gate.js';
import type { Plan } from './plan.js';
import type { Sent } from './sent.js';
import type { Outcome, Session } from './session.js';

/**
 * What the cardholder authenticates: `threeDSecure.amount`, else `risk.amount` (spec 2.9: "also used as the 3D Secure amount when
 * present"), else the amount of the payment. The currency is `threeDSecure.currency`, else that of the payment.
 * @throws AmountFormatError
 */
export function authenticatedAmount(sent: Sent, paid: Money): Money {
  const currency = sent['threeDSecure.currency'] ?? paid.currency;
  const text = sent['threeDSecure.amount'] ?? sent['risk.amount'];
  return text === undefined ? { ...paid, currency } : parseAmount(text, currency);
}

/** `threeDSecure.*` of an answer; without the authentication value. */
export function shownOutcome(plan: Plan, outcome?: Outcome): Echo {
  const { challengeInd: challengeIndicator, exemptionFlag, version } = plan;
  const { status, statusReason, eci, dsTransId, acsTransId, flow } = outcome ?? {};
  return present({
    version,
    challengeIndicator,
    exemptionFlag,
    flow,
    eci,
    authenticationStatus: status,
    transactionStatusReason: statusReason,
    dsTransactionId: dsTransId,
    acsTransactionId: acsTransId,
  }) as Echo;
}

/** What the timeline tells of a session: the word of the access control server, or what is waited for. */
export function decisionOf({ plan, step }: Session): GateDecision {
  const version = `version ${plan.version}`;
  if (step.name !== 'done') return { detail: `${step.name}, ${version}` };
  const { status, flow, eci, refusal: code } = step.outcome;
  const detail = [flow, version, ...(eci === undefined ? [] : [`ECI ${eci}`])].join(', ');
  const said = status === undefined ? {} : { by: 'access control server', rule: status };
  return { ...said, ...present({ code }), detail };
}

/** What the payment proves to the issuer with an authentication of ours. */
export function proofOf(plan: Plan, outcome: Outcome, amount: Money): AcquirerAuthentication {
  const { eci, verificationId, dsTransId: dsTransactionId, status } = outcome;
  const { version, exemptionFlag, challengeInd: challengeIndicator } = plan;
  return {
    amount: plan.category === '02' ? NOTHING : amount,
    ...present({ eci, verificationId, dsTransactionId, status, version, exemptionFlag, challengeIndicator }),
  };
}

/** Whether what was authenticated is enough for a payment. Pure. */
export function covers(authenticated: Money, paid: Money): boolean {
  return paid.currency === authenticated.currency && paid.minor <= authenticated.minor;
}

const NOTHING: Money = { minor: 0, currency: '' };

/** What a merchant brings along: the proof of another 3D Secure server, or a wish for an exemption (spec 2.8). */
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
