import { toHex } from '@tillbridge/wire/bytes.js';
import { outcomeOf } from '@tillbridge/wire/payment/result-codes/result-classes.js';
import { resultDescription } from '@tillbridge/wire/payment/result-codes/result-codes.js';
import { addPresent, present } from '@tillbridge/wire/present.js';
import type {
  CartPaymentRow,
  ClaimRow,
  IntentRow,
  PaymentRow,
  RegistrationRow,
  UsedAtcRow,
  UsedProofRow,
  WaitRow,
} from '../../../kernel/store/rows.js';
import type { Change } from '../../../kernel/store/store.js';
import { type AgreementReferences, agreementChanges, referencesOf } from '../instruments/agreements.js';
import { endCart } from '../instruments/end-cart.js';
import { freeProof } from '../instruments/proof-use.js';
import { sellerPartChanges } from '../instruments/seller-parts.js';
import { lateDecline } from '../late-declines/late-decline.js';
import type { HeldAgreement } from '../registrations/held-agreement.js';
import { registrationChanges } from '../registrations/registration.js';
import { type Decision, decisionChanges } from '../timeline/decisions.js';
import { assertAmounts } from './amount-rules.js';
import { applyFollowUp } from './apply-follow-up.js';
import { checkAtcReplay } from './atc-replay.js';
import { releaseClaim } from './decide-claim.js';
import { FOLLOW_UP_ROWS, ROWS_BY_TYPE } from './follow-up-rows.js';
import type { IntentOutcome } from './intent-detail.js';
import { detailOf, doneIntent, type FollowUpDetail, type IntentDetail } from './intent-detail.js';
import { echoOf, paymentTypeOf } from './lifecycle-facts.js';
import { answerChanges } from './message-changes.js';
import type { FollowUpType, PaymentResult } from './requests.js';
import { resultOf } from './results.js';
import { verificationColumn, verificationResultsOf } from './verification-results.js';
import { endWait } from './wait-changes.js';

/** An outcome, and the rows that it changes as they are stored now. */
interface RecordedOutcome {
  readonly intent: IntentRow;
  readonly answer: IntentOutcome;
  /** Follow-ups: the payment at the root and the one that was named. */
  readonly root?: PaymentRow;
  readonly target?: PaymentRow;
  /** The till reference of the payment (or of the root), where the outcome may free it. */
  readonly claim?: ClaimRow;
  /** Who has used the card's counter by now, where an approval uses it. */
  readonly usedAtc?: UsedAtcRow;
  /** The use of its proof of authentication, where the outcome gives that free. */
  readonly usedProof?: UsedProofRow;
  /** The gift-card payments of the order. */
  readonly cart?: readonly CartPaymentRow[];
  /** What is known of its wait, where it had one. */
  readonly wait?: WaitRow;
  /** The registration that it makes, or that holds the agreement which it begins. */
  readonly registration?: RegistrationRow;
  /** The active one of the same details, where another request was faster. */
  readonly sameRegistration?: RegistrationRow;
  readonly nowMs: number;
  /** Makes the events that report the payment to its merchant. */
  readonly eventOf: (payment: PaymentRow) => readonly Change[];
}

/** The changes to commit for an intent's outcome, and the result to answer once they are committed. Pure. */
export function recordOutcome(outcome: RecordedOutcome): {
  readonly changes: Change[];
  readonly result: PaymentResult;
} {
  const { intent, nowMs, eventOf } = outcome;
  const detail = detailOf(intent);
  const { place, followUp, approvedAs } = detail;
  const answer = withForcedCode(outcome.answer, approvedAs);
  const payment = withOutcome(detail, answer, outcome);
  assertAmounts(payment);
  const result = resultOf(payment);
  const changes: Change[] = [
    { op: 'update', table: 'intents', row: doneIntent(intent) },
    { op: 'insert', table: 'payments', row: payment },
    ...(followUp ? followUpChanges(outcome, followUp) : claimAfterSale(outcome, payment)),
    ...usedAtcChanges(outcome, detail),
    ...freeProof(outcome.usedProof, payment.id),
    ...newAgreementChanges(outcome, detail),
    ...endCart(outcome.cart ?? [], answer.approved, nowMs),
    ...sellerPartChanges(payment, echoOf(payment), nowMs),
    ...decisionChanges(payment, decisionsOn(detail, answer, nowMs)),
    ...reviewOf(payment, nowMs),
    ...lateDecline(payment, nowMs),
    ...registrationChanges(outcome.registration, {
      paymentId: payment.id,
      isApproved: answer.approved,
      agreement: heldBy(detail, answer),
      same: outcome.sameRegistration,
      nowMs,
    }),
    ...(outcome.wait ? [endWait(outcome.wait, nowMs)] : []),
    ...answerChanges(place, result, nowMs),
    ...eventOf(payment),
  ];
  return { changes, result: place ? result : { ...result, payment } };
}

function withForcedCode(answer: IntentOutcome, approvedAs: string | undefined): IntentOutcome {
  return answer.approved && approvedAs !== undefined ? { ...answer, resultCode: approvedAs } : answer;
}

/** The draft with the acquirer's answer in it. */
function withOutcome(
  detail: IntentDetail,
  answer: IntentOutcome,
  { nowMs, registration, sameRegistration }: RecordedOutcome,
): PaymentRow {
  const { draft, registers } = detail;
  const { avsResponse, cvvResponse, riskScore, payee, balanceMinor, details } = answer;
  // Of a part no one knows how much of it is tip.
  const isWhole = answer.approved && answer.approvedMinor === undefined;
  const references = agreementOf(detail, answer);
  const registrationId = answer.approved ? (sameRegistration?.id ?? registers) : undefined;
  const { answer: results } = verificationColumn({
    avsResponse,
    cvvResponse,
    riskScore,
    registrationId,
    registrationIsNew:
      registrationId !== undefined && registration?.paymentId === draft.id && !sameRegistration
        ? true
        : undefined,
    extendedDescription: answer.detail,
    // The reference of a transfer stays.
    payee: payee && { ...verificationResultsOf(draft).payee, ...payee },
    balanceMinor,
    acquirerDetails: isWhole ? merged(verificationResultsOf(draft).acquirerDetails, details) : details,
    ...references,
  });
  const payment: PaymentRow = {
    ...draft,
    state: 'declined',
    resultCode: answer.resultCode,
    description: resultDescription(answer.resultCode),
    approvalCode: answer.approvalCode ?? null,
    responseCode: answer.responseCode,
    answer: results,
    iccDataResponse: answer.iccDataResponse ? toHex(answer.iccDataResponse) : null,
    createdAtMs: nowMs,
  };
  if (answer.approved) addPresent(payment, approvedFields(detail, answer.approvedMinor));
  return payment;
}

/** What was requested, and what the acquirer reports in its place. */
function merged<T extends object>(requested: T | undefined, reported: T | undefined): T | undefined {
  return requested && reported ? { ...requested, ...reported } : (reported ?? requested);
}

/** `amountMinor`: less than was requested, where the issuer approved a part. */
function approvedFields(
  { draft, followUp }: IntentDetail,
  amountMinor = draft.amountMinor,
): Partial<PaymentRow> {
  const taken = { amountMinor, authorizedMinor: amountMinor, capturedMinor: amountMinor };
  const row = followUp?.type ? FOLLOW_UP_ROWS[followUp.type] : ROWS_BY_TYPE.get(paymentTypeOf(draft));
  const isFinalCapture = row?.effect === 'captures' && followUp?.final;
  const ownCapture = draft.captureReference !== null && ({ captureCount: 1, capturesClosed: 1 } as const);
  switch (row?.becomes) {
    case 'authorized':
      return { state: 'authorized', amountMinor, authorizedMinor: amountMinor };
    case 'captured':
      return { state: 'captured', ...taken, ...ownCapture };
    case 'credited':
      return { state: 'credited', authorizedMinor: amountMinor };
    case 'collected':
      // Stored with a capture too: when it is reversed, another capture is allowed again.
      return { state: 'completed', ...taken, capturesClosed: isFinalCapture ? 1 : 0 };
    default:
      return { state: 'completed' };
  }
}

/** An approval whose code requires a review goes to a person. */
function reviewOf({ id: paymentId, entityId, state, resultCode }: PaymentRow, nowMs: number): Change[] {
  if (state === 'declined' || outcomeOf(resultCode) !== 'approved-review') return [];
  const row = { paymentId, entityId, resultCode, createdAtMs: nowMs, version: 1 };
  return [{ op: 'insert', table: 'approvalReviews', row }];
}

function claimAfterSale({ claim }: RecordedOutcome, payment: PaymentRow): Change[] {
  return payment.state === 'declined' ? releaseClaim(claim, payment.id) : [];
}

function followUpChanges(
  { root, target, claim, answer, intent }: RecordedOutcome,
  followUp: FollowUpDetail,
): Change[] {
  if (!root || !target) throw new Error(`intent ${intent.id}: the payment it follows is gone`);
  const unlocked = { ...root, lockedBy: null };
  if (!answer.approved) return [{ op: 'update', table: 'payments', row: unlocked }];
  const { amountMinor, final, type = detailOf(intent).draft.type as FollowUpType } = followUp;
  const named = target.id === root.id ? unlocked : target;
  const applied = applyFollowUp({ type, root: unlocked, target: named, amountMinor, final });
  return [
    { op: 'update', table: 'payments', row: applied.root },
    ...(applied.target ? [{ op: 'update', table: 'payments', row: applied.target } as const] : []),
    ...(applied.root.state === 'reversed' ? releaseClaim(claim, root.id) : []),
  ];
}

/** An approval uses the counter. Where another sale was faster, its use stays: the issuer has approved both. */
function usedAtcChanges({ answer, usedAtc, nowMs }: RecordedOutcome, { atc }: IntentDetail): Change[] {
  if (!answer.approved || !atc) return [];
  const verdict = checkAtcReplay(usedAtc, atc, nowMs);
  return verdict.free ? [verdict.change] : [];
}

/** The references of the agreement that an outcome makes; undefined where it makes none. */
function agreementOf(
  { agreement, draft }: IntentDetail,
  { approved, networkTransactionId }: IntentOutcome,
): AgreementReferences | undefined {
  if (!agreement || !approved || networkTransactionId === undefined) return undefined;
  return referencesOf(agreement, draft.brand, networkTransactionId);
}

/** The agreement that the registration of a first payment holds from now on; undefined where none begins. */
function heldBy(detail: IntentDetail, answer: IntentOutcome): HeldAgreement | undefined {
  if (!detail.agreement || !answer.approved) return undefined;
  const { type, expiry, standing } = detail.agreement;
  const about = present({ type: type ?? undefined, expiry: expiry ?? undefined });
  return { ...standing, ...about, ...agreementOf(detail, answer) };
}

function newAgreementChanges({ answer, nowMs }: RecordedOutcome, detail: IntentDetail): readonly Change[] {
  const references = agreementOf(detail, answer);
  if (!references || !detail.agreement) return [];
  return agreementChanges(detail.agreement, references, { paymentId: detail.draft.id, nowMs });
}

/** What was decided before the issuer answered, and by which rules since. */
function decisionsOn(
  { decisions = [] }: IntentDetail,
  { riskFound = [], resultCode }: IntentOutcome,
  atMs: number,
): Decision[] {
  const since = riskFound.map((rule) => ({ step: 'risk', by: 'gateway', rule, code: resultCode, atMs }));
  return [...decisions, ...since];
}
