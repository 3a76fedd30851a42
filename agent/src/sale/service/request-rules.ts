import { formatAmount } from '@tillbridge/wire/payment/money.js';
import type { AcceptedSale } from '../machine/state/facts.js';
import { offlineRecordOf, reversalOf, voiceOf } from '../machine/state/messages.js';
import { approvedAmount, moneyMessageId, type SaleState } from '../machine/state/sale-state.js';
import { type CaptureRequest, capturedMinor, standingCapture } from '../machine/steps/captures.js';
import type { PolicyInForce, SetBy } from '../policy/policy-in-force.js';
import { SaleError, type SaleRequest } from './sale-service.js';

/** The till's reference: printable ASCII without spaces at its ends. */
const REFERENCE = /^[\x21-\x7e](?:[\x20-\x7e]{0,62}[\x21-\x7e])?$/;

/** @throws SaleError `bad-request` naming the field */
export function checkRequest(request: SaleRequest): void {
  const { reference, amount, type, originalReference } = request;
  if (!REFERENCE.test(reference)) {
    throw refuse('reference must be 1 to 64 printable ASCII characters, without spaces at its ends');
  }
  if (!Number.isSafeInteger(amount.minor) || amount.minor <= 0)
    throw refuse('amount must be greater than zero');
  if (!/^[A-Z]{3}$/.test(amount.currency)) throw refuse('currency must be an ISO 4217 code, such as EUR');
  if (originalReference !== undefined && type !== 'refund') {
    throw refuse('originalReference belongs to a refund; leave it out, or set type to refund');
  }
  const fault = partsFault(request);
  if (fault) throw refuse(`${fault.field} ${fault.problem}`);
}

/** What is wrong with tip and cash back, which are parts of the amount; undefined where nothing is. */
export function partsFault({
  type,
  amount,
  tip,
  cashBack,
}: Pick<SaleRequest, 'type' | 'amount' | 'tip' | 'cashBack'>):
  | { readonly field: 'tip' | 'cashBack'; readonly problem: string }
  | undefined {
  const parts = [
    ['tip', tip],
    ['cashBack', cashBack],
  ] as const;
  let sum = 0;
  for (const [field, part] of parts) {
    if (part === undefined) continue;
    const { minor, currency } = part;
    if (type !== 'sale') return { field, problem: `belongs to a sale; this is a ${type}` };
    if (currency !== amount.currency)
      return { field, problem: `must be in ${amount.currency}, as the amount` };
    if (!Number.isSafeInteger(minor) || minor <= 0) return { field, problem: 'must be more than zero' };
    sum += minor;
    if (sum < amount.minor) continue;
    const text = (of: number) => `${formatAmount({ minor: of, currency })} ${currency}`;
    return {
      field,
      problem: `must leave something of the amount, ${text(amount.minor)}, which includes tip and cash back, here ${text(sum)}: send the sum of purchase, tip and cash back as amount`,
    };
  }
  return undefined;
}

const SIDES: Readonly<Record<SetBy, string>> = {
  agent: 'the agent’s configuration',
  gateway: 'the gateway’s policy of the store',
  both: 'the agent’s configuration and the gateway’s policy of the store',
};

/** A new payment against the policy in force; a refund of an earlier sale is bounded by that sale. @throws SaleError `outside-policy` naming the rule and who set it */
export function checkPolicy(request: SaleRequest, { policy, values }: PolicyInForce): void {
  const { type, amount, originalReference } = request;
  if (originalReference !== undefined) return;
  const refuse = (rule: string, text: string, side: SetBy = 'agent'): never => {
    const setBy = values.find(({ name }) => name === rule)?.setBy ?? side;
    throw new SaleError('outside-policy', `${text}: ${rule} is set by ${SIDES[setBy]}`);
  };
  if (type === 'refund' && !policy.unlinkedRefunds)
    refuse('unlinkedRefunds', 'a refund needs the originalReference of a sale of this agent');
  const { currency, minor } = amount;
  const ceiling = Object.hasOwn(policy.ceilings, currency) ? policy.ceilings[currency] : undefined;
  if (ceiling !== undefined && minor > ceiling)
    refuse(
      `ceiling.${currency}`,
      `amount: a payment is at most ${formatAmount({ minor: ceiling, currency })} ${currency}`,
    );
  const beyond = partBeyondPolicy(request, policy);
  if (beyond) refuse(beyond.rule, beyond.text, 'gateway');
}

/** The rule of the store that tip or cash back breaks, and what it allows. */
function partBeyondPolicy(
  { amount: { minor, currency }, tip, cashBack }: SaleRequest,
  { maxTipPercent, cashBack: limits }: PolicyInForce['policy'],
): { readonly rule: string; readonly text: string } | undefined {
  const text = (of: number) => `${formatAmount({ minor: of, currency })} ${currency}`;
  if (tip) {
    const purchase = minor - tip.minor - (cashBack?.minor ?? 0);
    const most = Math.floor((purchase * maxTipPercent) / 100);
    const rule = 'tip.maxPercent';
    if (maxTipPercent === 0) return { rule, text: 'tip: this store takes no tips by card' };
    if (tip.minor > most)
      return {
        rule,
        text: `tip: at most ${maxTipPercent} % of the purchase of ${text(purchase)}, which is ${text(most)}, not ${text(tip.minor)}`,
      };
  }
  if (!cashBack) return undefined;
  const rule = `cashBack.${currency}`;
  const limit = Object.hasOwn(limits, currency) ? limits[currency] : undefined;
  if (limit === undefined) return { rule, text: `cashBack: this store gives no cash back in ${currency}` };
  if (cashBack.minor <= limit) return undefined;
  return { rule, text: `cashBack: at most ${text(limit)} of one sale, not ${text(cashBack.minor)}` };
}

/** @throws SaleError `reference-conflict` when a repeated reference has another request */
export function checkRepeated(
  request: SaleRequest,
  { request: known, terminalId, reference }: SaleState,
): void {
  if (request.till !== undefined && request.till !== known.till) {
    throw new SaleError(
      'reference-conflict',
      `reference ${reference} belongs to another till; a new sale needs a new reference`,
    );
  }
  const differs = [
    ['type', request.type !== known.type],
    ['amount', request.amount.minor !== known.minor],
    ['currency', request.amount.currency !== known.currency],
    ['tip', request.tip?.minor !== known.tipMinor],
    ['cashBack', request.cashBack?.minor !== known.cashBackMinor],
    ['originalReference', request.originalReference !== known.originalReference],
    ['onlineOnly', isOnlineOnly(request) !== known.onlineOnly],
    ['terminalId', request.terminalId !== undefined && request.terminalId !== terminalId],
  ].flatMap(([name, yes]) => (yes ? [name] : []));
  if (differs.length === 0) return;
  throw new SaleError(
    'reference-conflict',
    `reference ${reference} is already used with another ${differs.join(', ')}; a new sale needs a new reference`,
  );
}

/** @throws SaleError `reference-conflict` when the capture of this name differs from the requested one */
export function checkRepeatedCapture(state: SaleState, { minor, final, reference }: CaptureRequest): void {
  const known = standingCapture(state, reference);
  if (!known || (known.minor === minor && known.final === final) || (known.minor === minor && known.final))
    return;
  const name = reference === undefined ? 'the capture' : `capture ${reference}`;
  const text = `${name} of sale ${state.reference} was requested with another ${known.minor === minor ? 'final' : 'amount'}`;
  throw new SaleError(
    'reference-conflict',
    `${text}; name each of several captures with its own captureReference`,
  );
}

/**
 * What is journaled of a request; `original` is the sale a refund refers to, `refundedMinor` what earlier refunds of it gave back, or still may.
 * @throws SaleError `not-allowed` when that sale cannot be refunded
 */
export function toAccepted(
  request: SaleRequest,
  original: SaleState | undefined,
  refundedMinor = 0,
): AcceptedSale {
  const { type, amount, tip, cashBack, originalReference, till } = request;
  const accepted = {
    ...{ type, minor: amount.minor, currency: amount.currency, onlineOnly: isOnlineOnly(request) },
    ...(tip && { tipMinor: tip.minor }),
    ...(cashBack && { cashBackMinor: cashBack.minor }),
    ...(till !== undefined && { till }),
  };
  if (originalReference === undefined || !original) return accepted;
  return { ...accepted, originalReference, originalMessageId: refundable(original, request, refundedMinor) };
}

/** Cash leaves the till: only the issuer may approve that. */
function isOnlineOnly({ onlineOnly = false, cashBack }: SaleRequest): boolean {
  return onlineOnly || cashBack !== undefined;
}

function refundable(original: SaleState, { amount }: SaleRequest, refundedMinor: number): string {
  const messageId = moneyMessageId(original);
  const problem =
    original.outcome !== 'approved' || wasReversed(original) || messageId === undefined
      ? 'is not an approved sale'
      : original.request.type === 'refund'
        ? 'is a refund itself'
        : [offlineRecordOf(original), voiceOf(original)].some((each) => each?.deliveryStatus === 'queued')
          ? 'is not forwarded to the gateway yet; reverse it, or try again later'
          : original.request.currency !== amount.currency
            ? 'has another currency'
            : amountProblem(original, amount, refundedMinor);
  if (problem || messageId === undefined) {
    throw new SaleError('not-allowed', `originalReference ${original.reference} ${problem}`);
  }
  return messageId;
}

/** A preauthorization whose rest was released still has what was captured of it. */
function wasReversed(state: SaleState): boolean {
  const { reason } = state;
  return reversalOf(state) !== undefined && reason !== 'reversal-refused' && reason !== 'rest-released';
}

/** Only what was taken can be given back, once: of a preauthorization what was captured. */
function amountProblem(
  original: SaleState,
  { minor }: SaleRequest['amount'],
  refundedMinor: number,
): string | undefined {
  const { currency } = original.request;
  const takenMinor = takenOf(original);
  if (takenMinor === 0) return 'is not captured; reverse it';
  const most = Math.max(0, takenMinor - refundedMinor);
  if (minor <= most) return undefined;
  const text = (of: number) => formatAmount({ minor: of, currency });
  return refundedMinor === 0
    ? `has ${text(takenMinor)} ${currency}: at most that can be refunded, not ${text(minor)}`
    : `is already refunded: ${text(refundedMinor)} of ${text(takenMinor)} ${currency}; at most ${text(most)} is left, not ${text(minor)}`;
}

/** What a sale took, minor units: of a preauthorization what was captured. */
export function takenOf(original: SaleState): number {
  return original.request.type === 'preauthorization'
    ? capturedMinor(original)
    : approvedAmount(original).minor;
}

/** What a refund gave back, or still may, minor units; 0 where it ended in another way. */
export function refundedBy(refund: SaleState): number {
  if (refund.phase === 'done' && refund.outcome !== 'approved') return 0;
  return approvedAmount(refund).minor;
}

function refuse(message: string): SaleError {
  return new SaleError('bad-request', message);
}
