import { TryLaterError } from '../../../kernel/errors/try-later-error.js';
import { decideAgain, unlessConflict } from '../../../kernel/store/decide-again.js';
import type { ClaimRow, IntentRow, PaymentRow, RegistrationRow } from '../../../kernel/store/rows.js';
import { CommitConflict } from '../../../kernel/store/store.js';
import { sameRegistration } from '../cards/registered.js';
import { cartRows } from '../cart/cart-payments.js';
import { freesProof } from '../instruments/proof-use.js';
import type { IntentOutcome } from '../rules/intent-detail.js';
import { detailOf } from '../rules/intent-detail.js';
import { recordOutcome } from '../rules/record-outcome.js';
import type { PaymentResult } from '../rules/requests.js';
import { resultOf } from '../rules/results.js';
import type { PaymentContext } from './payment-context.js';

/**
 * Writes the outcome of an intent: payment, amounts, inbox answer and event in one commit. Finishing twice is the same as once. Money may have
 * moved: a lost race is decided again on what is stored by then, until the time for it is over.
 * @param known the intent as it was committed or read: a change since then is a conflict, and it is read again
 * @returns the result; undefined where another node fences the request by now
 * @throws TryLaterError when all races were lost, StoreUnavailableError: the intent stays open and the resolver finishes it later
 */
export function finishIntent(
  context: PaymentContext,
  known: IntentRow,
  answer: IntentOutcome,
): Promise<PaymentResult | undefined> {
  return onIntent(context, known, (intent) => commitOutcome(context, intent, answer));
}

/**
 * Does a round on an intent whose request may have been carried out, again where its commit loses a race, on the intent as it is by then.
 * @returns the round's result, or the stored one where the intent is done; undefined where another node fences the request by now
 * @throws TryLaterError when all races were lost; and what the round throws
 */
export async function onIntent(
  context: PaymentContext,
  known: IntentRow,
  round: (intent: IntentRow) => Promise<PaymentResult>,
): Promise<PaymentResult | undefined> {
  let stored: IntentRow | undefined;
  try {
    return await decideAgain(context, async () => {
      const intent = stored ?? known;
      if (intent.state === 'done') return storedResult(context, intent.paymentId);
      if (isFencedSince(known, intent)) return undefined;
      try {
        return await round(intent);
      } catch (error) {
        if (error instanceof CommitConflict) stored = await storedIntent(context, known.id);
        throw error;
      }
    });
  } catch (error) {
    if (!(error instanceof CommitConflict)) throw error;
    throw new TryLaterError('the outcome lost every race to be stored', known.paymentId);
  }
}

/**
 * Writes the outcome of an intent as {@link finishIntent} does, unless another request was faster.
 * @returns the result; undefined when a row has changed since it was read
 */
export async function finishOnce(
  context: PaymentContext,
  intent: IntentRow,
  answer: IntentOutcome,
): Promise<PaymentResult | undefined> {
  return unlessConflict(() => commitOutcome(context, intent, answer), undefined);
}

/** @throws CommitConflict when a row has changed since it was read; StoreUnavailableError */
async function commitOutcome(
  context: PaymentContext,
  intent: IntentRow,
  answer: IntentOutcome,
): Promise<PaymentResult> {
  const { store, clock, events } = context;
  const { draft, followUp, atc, mayWait, cart, registers, holds, proof } = detailOf(intent);
  const registrationId = registers ?? (answer.approved ? holds : undefined);
  const root = await paymentOf(context, intent.rootId);
  // Another process finished the intent: the root has moved on since.
  if (root && root.lockedBy !== intent.id)
    throw new CommitConflict({ kind: 'field', table: 'payments', on: 'lockedBy' });
  // A sale that is declined frees its reference, and so does the reversal of an approved one.
  const mayFree = followUp ? answer.approved : !answer.approved;
  const [target, claim, usedAtc, usedProof, wait, registrations, parts, eventOf] = await Promise.all([
    paymentOf(context, followUp?.targetId ?? null),
    mayFree ? claimOf(context, root ?? draft) : undefined,
    answer.approved && atc ? store.get('usedAtcs', [atc.card, atc.counter]) : undefined,
    proof && freesProof(answer) ? store.get('usedProofs', [proof.merchantId, proof.proof]) : undefined,
    mayWait && store.get('waits', [draft.id]),
    registrationsOf(context, registrationId, answer),
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
    ...registrations,
    cart: parts,
    nowMs,
    eventOf: (payment) => eventOf(payment, nowMs),
  });
  await store.commit(changes);
  return result;
}

/** The registration that an outcome makes, and the active one that has its details by now. */
async function registrationsOf(
  { store }: PaymentContext,
  id: string | undefined,
  { approved }: IntentOutcome,
): Promise<{ readonly registration?: RegistrationRow; readonly sameRegistration?: RegistrationRow }> {
  const registration = id === undefined ? undefined : await store.get('registrations', [id]);
  if (!registration) return {};
  const isToStore = approved && registration.state === 'pending';
  const same = isToStore ? await sameRegistration(store, registration) : undefined;
  return { registration, ...(same && { sameRegistration: same }) };
}

/**
 * Whether another node took the intent over and fences its request since it was read as `known`: the answer to the request counts no
 * more, because the reversal takes it back, now or later.
 */
function isFencedSince(known: IntentRow, now: IntentRow): boolean {
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
