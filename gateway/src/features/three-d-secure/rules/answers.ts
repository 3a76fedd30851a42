import type { Money } from '@tillbridge/wire/payment/money.js';
import { present } from '@tillbridge/wire/present.js';
import type { AcquirerAuthentication } from '../../../core/acquirers/authentication.js';
import type { GateDecision } from '../../../core/payments/gates/gate.js';
import type { Echo } from '../../../kernel/api/echo.js';
import type { Plan } from './plan.js';
import type { Outcome, Session } from './session.js';

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

/** What the timeline shows of a session: the decision of the access control server, or what is waited for. */
export function decisionOf({ plan, step }: Session): GateDecision {
  const version = `version ${plan.version}`;
  if (step.name !== 'done') return { detail: `${step.name}, ${version}` };
  const { status, flow, eci, refusal: code } = step.outcome;
  const detail = [flow, version, ...(eci === undefined ? [] : [`ECI ${eci}`])].join(', ');
  const source = status === undefined ? {} : { by: 'access control server', rule: status };
  return { ...source, ...present({ code }), detail };
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
