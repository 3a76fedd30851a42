import type { AgreementRow, ClaimRow, IntentRow, PaymentRow } from '../../store/rows.js';
import { CommitConflict } from '../../store/store.js';
import { cartRows } from '../cart/cart-payments.js';
import type { IntentOutcome } from '../decide/intent-detail.js';
import { detailOf } from '../decide/intent-detail.js';
import { agreementOf, recordOutcome } from '../decide/record-outcome.js';
import type { PaymentResult } from '../decide/requests.js';
import { resultOf } from '../decide/results.js';
import { freesProof } from '../instruments/proof-use.js';
import { PAYMENT_LIMITS, type PaymentContext } from './payment-context.js';

/**
 * Writes the outcome of an intent: payment, amounts, inbox answer and event in one commit. Finishing twice is the same as once.
 * @param known the intent as it was committed or read: a change since then is a conflict, and it is read again
 * @returns the result; undefined where somebody else fences the request by now
 * @throws StoreUnavailableError: the intent stays open and the resolver finishes it later
 */
export async function finishIntent(
  context: PaymentContext,
  known: IntentRow,
  answer: IntentOutcome,
): Promise<PaymentResult | undefined> {
  let intent = known;
  for (let attempt = 0; attempt < PAYMENT_LIMITS.commitAttempts; attempt += 1) {
    if (intent.state === 'done') return storedResult(context, intent.paymentId);
    const result = await finishOnce(context, intent, answer);
    if (result) return result;
    intent = await storedIntent(context, known.id);
    if (isFencedSince(known, intent)) return undefined;
  }
  throw new Error(`intent ${known.id}: ${PAYMENT_LIMITS.commitAttempts} lost races in a row`);
}

/**
 * Writes the outcome of an intent as {@link finishIntent} does, unless somebody else was faster.
 * @returns the result; undefined when a row has changed since it was read
 */
export async function finishOnce(
  context: PaymentContext,
  intent: IntentRow,
  answer: IntentOutcome,
): Promise<PaymentResult | undefined> {
  const { store, clock, events } = context;
  const { draft, followUp, atc, mayWait, cart, registers, holds, proof } = detailOf(intent);
  const registrationId = registers ?? (answer.approved ? holds : undefined);
  const root = await paymentOf(context, intent.rootId);
  // Another process finished the intent: the root has moved on since.
  if (root && root.lockedBy !== intent.id) return undefined;
  // A sale that is declined frees its reference, and so does the reversal of an approved one.
  const mayFree = followUp ? answer.approved : !answer.approved;
  const [target, claim, usedAtc, usedProof, wait, registration, agreements, parts, eventOf] =
    await Promise.all([
      paymentOf(context, followUp?.targetId ?? null),
      mayFree ? claimOf(context, root ?? draft) : undefined,
      answer.approved && atc ? store.get('usedAtcs', [atc.card, atc.counter]) : undefined,
      proof && freesProof(answer) ? store.get('usedProofs', [proof.merchantId, proof.proof]) : undefined,
      mayWait && store.get('waits', [draft.id]),
      registrationId === undefined ? undefined : store.get('registrations', [registrationId]),
      agreementsOf(context, intent, answer),
      cartRows(store, cart),
      events.of(draft.entityId),
    ]);
  const nowMs = clock.nowMs();
  const { changes, result } = recordOutcome({
    intent,
    answer,
    ...(root && { root }),
    ...(target && { target }),
    ...(claim && { claim }),
    ...(usedAtc && { usedAtc }),
    ...(usedProof && { usedProof }),
    ...(wait && { wait }),
    ...(registration && { registration }),
    agreements,
    cart: parts,
    nowMs,
    eventOf: (payment) => eventOf(payment, nowMs),
  });
  try {
    await store.commit(changes);
    return result;
  } catch (error) {
    if (error instanceof CommitConflict) return undefined;
    throw error;
  }
}

/** What stands under the references of the agreement that the outcome makes. */
async function agreementsOf(
  { store }: PaymentContext,
  intent: IntentRow,
  answer: IntentOutcome,
): Promise<readonly AgreementRow[]> {
  const detail = detailOf(intent);
  const { merchantId } = detail.agreement ?? {};
  if (merchantId === undefined) return [];
  const references = Object.values(agreementOf(detail, answer) ?? {}) as string[];
  const rows = await Promise.all(references.map((each) => store.get('agreements', [merchantId, each])));
  return rows.filter((row) => row !== undefined);
}

/**
 * Whether somebody else took the intent over and fences its request since it was read as `known`: what the request was answered counts no
 * more, because the reversal takes it back, now or later.
 */
export function isFencedSince(known: IntentRow, now: IntentRow): boolean {
  return now.state !== 'done' && detailOf(now).fencing === true && !detailOf(known).fencing;
}

/** The intent as it is stored. @throws Error when it is gone */
export async function storedIntent({ store }: PaymentContext, id: string): Promise<IntentRow> {
  const intent = await store.get('intents', [id]);
  if (!intent) throw new Error(`intent ${id} is gone`);
  return intent;
}

/** The result of a payment whose intent is done. */
export async function storedResult({ store }: PaymentContext, paymentId: string): Promise<PaymentResult> {
  const payment = await store.get('payments', [paymentId]);
  if (!payment) throw new Error(`payment ${paymentId} is missing although its intent is done`);
  return resultOf(payment);
}

async function paymentOf({ store }: PaymentContext, id: string | null): Promise<PaymentRow | undefined> {
  return id === null ? undefined : store.get('payments', [id]);
}

async function claimOf({ store }: PaymentContext, payment: PaymentRow): Promise<ClaimRow | undefined> {
  const { agentId, reference } = payment;
  return agentId === null || reference === null ? undefined : store.get('claims', [agentId, reference]);
}
