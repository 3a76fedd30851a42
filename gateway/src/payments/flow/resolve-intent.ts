import type {
  Acquirer,
  AcquirerAnswer,
  AcquirerPending,
  AcquirerRequest,
  AcquirerRequestKind,
} from '../../acquirers/acquirer.js';
import type { IntentRow } from '../../store/rows.js';
import type { Change } from '../../store/store.js';
import type { IntentOutcome } from '../decide/intent-detail.js';
import { detailOf, type IntentDetail } from '../decide/intent-detail.js';
import type { PaymentResult } from '../decide/requests.js';
import { acquirerNamed } from '../find/acquirer-route.js';
import { ownerGuard } from '../ownership/own-intents.js';
import { completeIntent, moneyOf } from './complete-intent.js';
import { storedIntent, storedResult } from './finish.js';
import type { PaymentContext } from './payment-context.js';
import { recordAnswer } from './suspend.js';

/** Outcome of a fenced request: it timed out and was reversed. */
const FENCED: AcquirerAnswer = { approved: false, resultCode: '900.100.301', responseCode: '91' };

/**
 * Asks the acquirer for the outcome of an open intent and records it.
 * @returns the result, which may be that the payment waits; that of an intent which is done by now; or undefined when it cannot be known yet: the
 * acquirer is silent, the payment waits, or the agent has to send the message again
 * @throws StoreUnavailableError
 */
export async function resolveIntent(
  context: PaymentContext,
  intent: IntentRow,
): Promise<PaymentResult | undefined> {
  // It has ended since somebody found it open: nothing is asked, and nothing fenced.
  if (intent.state === 'done') return storedResult(context, intent.paymentId);
  if (intent.state === 'waiting') return undefined;
  const outcome = await learnOutcome(context, intent);
  return outcome && recordAnswer(context, intent, outcome);
}

/**
 * Ends an intent that nobody asks for any more: what the acquirer may have taken is reversed, and a late approval does not count.
 * @returns undefined while the acquirer has not acknowledged the reversal
 * @throws StoreUnavailableError
 */
export async function expireIntent(
  context: PaymentContext,
  intent: IntentRow,
  expiredCode: string,
): Promise<PaymentResult | undefined> {
  const detail = { ...detailOf(intent), fencing: true, expiredCode } as const;
  if (!detailOf(intent).fencing) await context.store.commit(fenced(context, intent, detail));
  const known = await storedIntent(context, intent.id);
  return resolveIntent(context, known);
}

/** From here on an approval of the request does not count: the reversal may have reversed it, or does so when it arrives. */
function fenced(context: PaymentContext, intent: IntentRow, detail: IntentDetail): readonly Change[] {
  const row = { ...intent, detail: JSON.stringify({ ...detail, fencing: true }) };
  return [...ownerGuard(context), { op: 'update', table: 'intents', row }];
}

async function learnOutcome(
  context: PaymentContext,
  intent: IntentRow,
): Promise<IntentOutcome | AcquirerPending | undefined> {
  const detail = detailOf(intent);
  try {
    const acquirer = acquirerNamed(context, detail.draft.acquirer);
    const first = detail.fencing
      ? await fence(acquirer, intent, detail)
      : await lookUp(context, acquirer, intent, detail);
    return first && (await completeIntent(acquirer, intent, first));
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
): Promise<AcquirerAnswer | undefined> {
  const status = await acquirer.status(intent.id);
  return status.state === 'answered' ? status.answer : recover(context, acquirer, intent, detail);
}

/** Recovers an intent that the acquirer has not seen. */
async function recover(
  context: PaymentContext,
  acquirer: Acquirer,
  intent: IntentRow,
  detail: IntentDetail,
): Promise<AcquirerAnswer | undefined> {
  const { store } = context;
  switch (detail.recovery) {
    case 'await-agent':
      return undefined;
    case 'resend':
      return acquirer.send(followUpRequest(intent, detail));
    case 'fence':
      await store.commit(fenced(context, intent, detail));
      return fence(acquirer, intent, detail);
  }
}

/** Fences a request that may still be on its way: the reversal makes the acquirer refuse it, or reverses it if it arrived in between. */
async function fence(
  acquirer: Acquirer,
  { id: originalReference }: IntentRow,
  { fenceReference: acquirerReference, expiredCode }: IntentDetail,
): Promise<AcquirerAnswer> {
  const reversal = { kind: 'reversal', acquirerReference, originalReference } as const;
  const { approved, responseCode } = await acquirer.send(reversal);
  // Without the reversal the request may still arrive: nothing is known.
  if (!approved) throw new Error(`the acquirer refused the reversal that fences (${responseCode})`);
  return expiredCode === undefined ? FENCED : { ...FENCED, resultCode: expiredCode };
}

/** Acquirer requests that follow another with an amount of their own. */
const FOLLOWING: ReadonlySet<string> = new Set<AcquirerRequestKind>([
  'capture',
  'refund',
  'increment',
  'receipt',
]);

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
    // A payment of its own on the same card has no original at the acquirer.
    ...(FOLLOWING.has(kind) && { originalReference }),
    ...caused,
  };
}
