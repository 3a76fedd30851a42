import { present } from '@tillbridge/wire/present.js';
import type { AcquirerInstrument } from '../../core/acquirers/acquirer.js';
import type { Gate, GateDecision, GatedPayment, GateVerdict } from '../../core/payments/gates/gate.js';
import type { VerificationRule } from '../../core/payments/rules/assess-risk.js';
import { RISK_CODES } from '../../core/payments/rules/assess-risk.js';
import type { PaymentRequest } from '../../core/payments/rules/requests.js';
import { type CheckedRisk, checkRisk, type RiskCheckDeps } from './risk-check.js';

/** What the gate keeps of a payment that waits for a person. */
interface ReviewState {
  readonly score: number;
}

/** Checks the risk of payments before their authorization. A payment that a person has to review waits here for that person's decision. */
export function riskGate(deps: RiskCheckDeps): Gate {
  return {
    name: 'risk',
    pass: async (payment) => verdictOf(payment.request, await checkRisk(deps, subjectOf(payment))),
    again: (payment, state) => reviewed(deps, payment, state as ReviewState),
  };
}

function subjectOf({ paymentId, request, instrument }: GatedPayment) {
  const { origin, amount, riskData } = request;
  const { email, ip, billingCountry, shippingCountry, parameters = {} } = riskData ?? {};
  return {
    paymentId,
    entityId: origin.entityId,
    amount,
    parameters,
    ...present({ pan: panOf(instrument), email, ip, billingCountry, shippingCountry }),
  };
}

function panOf(instrument: AcquirerInstrument): string | undefined {
  return instrument.kind === 'card' ? instrument.pan : undefined;
}

function verdictOf(request: PaymentRequest, checked: CheckedRisk): GateVerdict {
  const { score, verdict, resultCode, detail, rules, findings } = checked;
  const decisions = decisionsOf(checked);
  const isScored = rules !== undefined || findings.length > 0;
  const shown = isScored || verdict === 'refuse' ? { shown: { risk: { score: String(score) } } } : {};
  if (verdict === 'refuse')
    return {
      verdict,
      ...shown,
      decisions,
      resultCode: resultCode ?? RISK_CODES.refused,
      ...present({ detail }),
    };
  const state: ReviewState = { score };
  const next = weighed(request, checked);
  if (verdict === 'review')
    return { verdict: 'wait', ...shown, decisions, waiting: { kind: 'review' }, state, request: next };
  return { verdict: 'pass', ...shown, decisions, request: next };
}

/** The rules that fit, and what they came to where that is more than a pass. */
function decisionsOf({ findings, score, verdict, resultCode }: CheckedRisk): GateDecision[] {
  const found = findings.map(({ rule, points, resultCode: code }) => ({
    rule,
    detail: `points ${points}`,
    ...present({ code }),
  }));
  if (verdict === 'pass' && resultCode === undefined) return found;
  return [...found, { detail: `${verdict}, score ${score}`, ...present({ code: resultCode }) }];
}

/** The payment with what its risk is weighed by once the issuer has answered. */
function weighed(request: PaymentRequest, { score, rules, resultCode }: CheckedRisk): PaymentRequest {
  const isFlagged = resultCode !== undefined && request.verdict === undefined;
  const isOfIssuer = ({ kind }: { readonly kind: string }) => kind === 'avs' || kind === 'cvv';
  const own = rules && {
    rules: rules.rules.filter(isOfIssuer) as VerificationRule[],
    refuseFrom: rules.refuseFrom,
  };
  return {
    ...request,
    risk: { ...request.risk, ...(score !== 0 && { score }), ...own },
    ...(isFlagged && { verdict: { kind: 'approved' as const, resultCode } }),
  };
}

/** Looks for the word of a person. */
async function reviewed(
  { store }: RiskCheckDeps,
  { paymentId }: GatedPayment,
  state: ReviewState,
): Promise<GateVerdict> {
  const row = await store.get('reviewDecisions', [paymentId]);
  if (!row) return { verdict: 'wait', waiting: { kind: 'review' }, state };
  const decision = { by: row.actor, rule: 'review', detail: row.decision };
  if (row.decision === 'released') return { verdict: 'pass', decisions: [decision] };
  const { refused: code } = RISK_CODES;
  return { verdict: 'refuse', resultCode: code, decisions: [{ ...decision, code }] };
}
