import type { IntentRow } from '../../../kernel/store/rows.js';
import type { Acquirer, AcquirerAnswer, AcquirerPending, AcquirerRequest } from '../../acquirers/acquirer.js';
import { type AcquirerRequestKind, REQUEST_KINDS } from '../../acquirers/request-kinds.js';
import { acquirerNamed } from '../lookup/acquirer-route.js';
import { ownerGuard } from '../ownership/own-intents.js';
import type { IntentOutcome } from '../rules/intent-detail.js';
import { detailOf, type IntentDetail } from '../rules/intent-detail.js';
import type { PaymentResult } from '../rules/requests.js';
import { withDetail } from '../rules/wait-changes.js';
import { completeIntent, moneyOf } from './complete-intent.js';
import { storedIntent, storedResult } from './finish.js';
import type { PaymentContext } from './payment-context.js';
import { recordAnswer } from './suspend.js';

/** Outcome of a fenced request: it timed out and was reversed. */
const FENCED: AcquirerAnswer = { approved: false, resultCode: '900.100.301', responseCode: '91' };

/**
 * Requests the outcome of an open intent from the acquirer and records it.
 * @returns the result, which may be that the payment waits; that of an intent which is done by now; or undefined when it cannot be known yet: the
 * acquirer is silent, the payment waits, or the agent has to send the message again
 * @throws StoreUnavailableError
 */
export async function resolveIntent(
  context: PaymentContext,
  intent: IntentRow,
): Promise<PaymentResult | undefined> {
  // It has ended since the caller found it open: no request to the acquirer, no fence.
  if (intent.state === 'done') return storedResult(context, intent.paymentId);
  if (intent.state === 'waiting') return undefined;
  const learnt = await learnOutcome(context, intent);
  return learnt && recordAnswer(context, learnt.intent, learnt.answer);
}

/**
 * Ends an intent whose caller is gone: what the acquirer may have taken is reversed, and a late approval does not count.
 * @returns undefined while the acquirer has not acknowledged the reversal
 * @throws StoreUnavailableError
 */
export async function expireIntent(
  context: PaymentContext,
  intent: IntentRow,
  expiredCode: string,
): Promise<PaymentResult | undefined> {
  if (!detailOf(intent).fencing) await commitFence(context, intent, { expiredCode });
  return resolveIntent(context, await storedIntent(context, intent.id));
}

/**
 * From here on an approval of the request does not count: the reversal may have reversed it, or does so when it arrives.
 * @returns the intent as it is then
 */
async function commitFence(
  context: PaymentContext,
  intent: IntentRow,
  more: Pick<IntentDetail, 'expiredCode'> = {},
): Promise<IntentRow> {
  const row = withDetail(intent, { ...detailOf(intent), ...more, fencing: true });
  await context.store.commit([...ownerGuard(context), { op: 'update', table: 'intents', row }]);
  return { ...row, version: row.version + 1 };
}

/** What became of an intent's request, and the intent as it was when that was learnt. */
interface Learnt<A> {
  readonly intent: IntentRow;
  readonly answer: A;
}

async function learnOutcome(
  context: PaymentContext,
  intent: IntentRow,
): Promise<Learnt<IntentOutcome | AcquirerPending> | undefined> {
  const detail = detailOf(intent);
  try {
    const acquirer = acquirerNamed(context, detail.draft.acquirer);
    const first = detail.fencing
      ? await fence(acquirer, intent)
      : await lookUp(context, acquirer, intent, detail);
    return first && { ...first, answer: await completeIntent(acquirer, first.intent, first.answer) };
  } catch (error) {
    context.onFault(`intent ${intent.id} cannot be resolved yet`, error);
    return undefined;
  }
}

async function lookUp(
  context: PaymentContext,
  acquirer: Acquirer,
  intent: IntentRow,
  detail: IntentDetail,
): Promise<Learnt<AcquirerAnswer> | undefined> {
  const status = await acquirer.status(intent.id);
  return status.state === 'answered'
    ? { intent, answer: status.answer }
    : recover(context, acquirer, intent, detail);
}

/** Recovers an intent that the acquirer has not seen. */
async function recover(
  context: PaymentContext,
  acquirer: Acquirer,
  intent: IntentRow,
  detail: IntentDetail,
): Promise<Learnt<AcquirerAnswer> | undefined> {
  switch (detail.recovery) {
    case 'await-agent':
      return undefined;
    case 'resend':
      return { intent, answer: await acquirer.send(followUpRequest(intent, detail)) };
    case 'fence':
      return fence(acquirer, await commitFence(context, intent));
  }
}

/** Fences a request that may still be on its way: the reversal makes the acquirer refuse it, or reverses it if it arrived in between. */
async function fence(acquirer: Acquirer, intent: IntentRow): Promise<Learnt<AcquirerAnswer>> {
  const { id: originalReference } = intent;
  const { fenceReference: acquirerReference, expiredCode } = detailOf(intent);
  const reversal = { kind: 'reversal', acquirerReference, originalReference } as const;
  const { approved, responseCode } = await acquirer.send(reversal);
  // Without the reversal the request may still arrive: nothing is known.
  if (!approved) throw new Error(`the acquirer refused the reversal that fences (${responseCode})`);
  return {
    intent,
    answer: expiredCode === undefined ? FENCED : { ...FENCED, resultCode: expiredCode },
  };
}

/** The acquirer request of a follow-up's intent, without a card; the same again after a crash. */
export function followUpRequest(intent: IntentRow, detail: IntentDetail): AcquirerRequest {
  if (!detail.followUp) throw new Error(`intent ${intent.id} is not a follow-up`);
  const { originalReference } = detail.followUp;
  const kind = intent.kind as AcquirerRequestKind;
  const acquirerReference = intent.id;
  const caused = detail.place && { messageId: detail.place.messageId };
  if (kind === 'reversal') return { kind, acquirerReference, originalReference, ...caused };
  return {
    kind,
    acquirerReference,
    amount: moneyOf(detail),
    // A separate payment on the same card has no original at the acquirer.
    ...(REQUEST_KINDS[kind].follows && { originalReference }),
    ...caused,
  };
}
