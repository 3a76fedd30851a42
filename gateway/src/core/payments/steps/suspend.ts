import { withSecret } from '@tillbridge/wire/bytes.js';
import type { IntentRow } from '../../../kernel/store/rows.js';
import type { Change } from '../../../kernel/store/store.js';
import type { AcquirerInstrument, AcquirerPending, AcquirerRedirect } from '../../acquirers/acquirer.js';
import { type Continuation, encodeContinuation } from '../rules/continuation.js';
import { detailOf, type IntentOutcome } from '../rules/intent-detail.js';
import type { PaymentRequest, PaymentResult } from '../rules/requests.js';
import { resultOf } from '../rules/results.js';
import {
  NOTHING_SEALED,
  newWait,
  referenceOf,
  type SealedColumns,
  waitingRows,
  withDetail,
} from '../rules/wait-changes.js';
import type { Waiting } from '../rules/waits.js';
import { finishIntent, onIntent } from './finish.js';
import type { GatesVerdict } from './gates.js';
import { isDecidedAtOnce } from './new-payment.js';
import type { PaymentContext } from './payment-context.js';

/**
 * Records the acquirer's answer: the outcome, or that the payment waits for its shopper.
 * @returns as {@link finishIntent}
 * @throws as {@link finishIntent}
 */
export function recordAnswer(
  context: PaymentContext,
  intent: IntentRow,
  answer: IntentOutcome | AcquirerPending,
): Promise<PaymentResult | undefined> {
  if (!answer.pending) return finishIntent(context, intent, answer);
  const { awaitsReceipt, ...pending } = answer.pending;
  return suspend(context, intent, { kind: awaitsReceipt ? 'receipt' : 'redirect', ...pending });
}

/**
 * Lets a payment wait that the acquirer knows. Doing it twice is the same as once.
 * @returns the result; undefined where another node fences the request by now
 * @throws TryLaterError, StoreUnavailableError
 */
function suspend(
  context: PaymentContext,
  known: IntentRow,
  waiting: Waiting,
): Promise<PaymentResult | undefined> {
  const { store, clock } = context;
  return onIntent(context, known, async (intent) => {
    if (intent.state === 'waiting') return resultOf(detailOf(intent).draft);
    const nowMs = clock.nowMs();
    const stored = await store.get('waits', [intent.paymentId]);
    const wait = stored ?? newWait(intent, {}, nowMs);
    const shown = shownRedirect(context, intent.paymentId, waiting.redirect);
    const rows = waitingRows({ intent, wait, waiting, shown, sealed: NOTHING_SEALED, nowMs });
    await store.commit([
      { op: 'update', table: 'intents', row: rows.intent },
      { op: stored ? 'update' : 'insert', table: 'waits', row: rows.wait },
      ...referenceOf(waiting, intent, nowMs),
    ]);
    return resultOf(detailOf(rows.intent).draft);
  });
}

/**
 * The intent of a new payment and what its commit adds: it waits from the start where a gate decides so, and may later where its means of
 * payment is approved elsewhere.
 */
export function waitingAtOnce(
  context: PaymentContext,
  open: IntentRow,
  request: PaymentRequest,
  instrument: AcquirerInstrument,
  gated: Exclude<GatesVerdict, { readonly verdict: 'refuse' }>,
): { readonly intent: IntentRow; readonly waits: readonly Change[] } {
  if (gated.verdict !== 'wait' && isDecidedAtOnce(instrument)) return { intent: open, waits: [] };
  const nowMs = context.clock.nowMs();
  const mayWait = withDetail(open, { ...detailOf(open), mayWait: true });
  const wait = newWait(open, request, nowMs);
  if (gated.verdict === 'wait') {
    const { waiting, gate, state } = gated;
    const shown = shownRedirect(context, open.paymentId, waiting.redirect);
    const sealed = sealedFor(context, open.paymentId, { request, instrument, gate, state });
    const rows = waitingRows({ intent: mayWait, wait, waiting, shown, sealed, nowMs });
    return { intent: rows.intent, waits: [{ op: 'insert', table: 'waits', row: rows.wait }] };
  }
  return { intent: mayWait, waits: [{ op: 'insert', table: 'waits', row: wait }] };
}

/** What a later step needs, sealed for its payment. */
export function sealedFor(
  { waitSeal }: PaymentContext,
  paymentId: string,
  continuation: Continuation,
): SealedColumns {
  return withSecret(encodeContinuation(continuation), (clear) => waitSeal.seal(paymentId, clear));
}

/** Longest value of a redirect's parameter. */
const MAX_VALUE_LENGTH = 255;

/**
 * What the answer names: the redirect itself, or our own page where a value is too long for the answer; undefined without either.
 * Our page sends the shopper on with the whole of it.
 */
export function shownRedirect(
  { shopperPages }: Pick<PaymentContext, 'shopperPages'>,
  paymentId: string,
  redirect: AcquirerRedirect | undefined,
): AcquirerRedirect | undefined {
  const fits = redirect?.parameters.every(
    ({ value }) => value.length >= 1 && value.length <= MAX_VALUE_LENGTH,
  );
  if (fits) return redirect;
  const url = redirect && shopperPages?.(paymentId)?.start;
  return url === undefined ? undefined : { url, method: 'GET', parameters: [] };
}
