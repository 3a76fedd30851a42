import { withSecret } from '@tillbridge/wire/bytes.js';
import { present } from '@tillbridge/wire/present.js';
import { unlessConflict } from '../../../kernel/store/decide-again.js';
import type { IntentRow, WaitRow } from '../../../kernel/store/rows.js';
import { type Change, CommitConflict, StoreUnavailableError } from '../../../kernel/store/store.js';
import type { AcquirerAnswer } from '../../acquirers/acquirer.js';
import { holdAgreement } from '../cards/claim-agreement.js';
import type { GateRefusal } from '../gates/gate.js';
import { acquirerNamed, merchantFor } from '../lookup/acquirer-route.js';
import { isReceived } from '../lookup/transfers.js';
import { asOpen, ownerGuard } from '../ownership/own-intents.js';
import { type Continuation, decodeContinuation } from '../rules/continuation.js';
import { detailOf } from '../rules/intent-detail.js';
import { echoOf } from '../rules/lifecycle-facts.js';
import type { PaymentResult } from '../rules/requests.js';
import { goOn, waitingRows, withDetail } from '../rules/wait-changes.js';
import { WAITS, type WaitCause } from '../rules/waits.js';
import { askAcquirer } from '../steps/ask-acquirer.js';
import { finishOnce } from '../steps/finish.js';
import { askAgain, type GatesVerdict, withShown } from '../steps/gates.js';
import { acquirerRequest, ofGates, wayBack } from '../steps/new-payment.js';
import type { PaymentContext } from '../steps/payment-context.js';
import { resolveIntent } from '../steps/resolve-intent.js';
import { sealedFor, shownRedirect } from '../steps/suspend.js';

/**
 * Looks at a payment that waits, and ends the wait where it can end: at a gate by its verdict, otherwise by what the acquirer knows by now.
 * At the deadline it always ends, unless the acquirer cannot be reached. One caller at a time in a process; the versions of intent and wait
 * guard against other processes.
 * @returns the outcome; undefined while the payment waits on
 * @throws TryLaterError when the acquirer is silent once the wait is over, StoreUnavailableError
 */
export async function lookAtWait(
  context: PaymentContext,
  intent: IntentRow,
  why: WaitCause,
): Promise<PaymentResult | undefined> {
  const wait = await context.store.get('waits', [intent.paymentId]);
  // Another caller was faster: the next look-up reads the intent again.
  if (intent.state !== 'waiting' || !wait || wait.untilMs === null) return undefined;
  return unlessConflict(
    () =>
      wait.sealed === null
        ? lookAtAcquirer(context, intent, wait, why)
        : lookAtGate(context, intent, wait, why),
    undefined,
  );
}

/** The payment waits at the acquirer, whose status decides. */
async function lookAtAcquirer(
  context: PaymentContext,
  intent: IntentRow,
  wait: WaitRow,
  why: WaitCause,
): Promise<PaymentResult | undefined> {
  const { store, onFault } = context;
  let answer: AcquirerAnswer | undefined;
  try {
    const { draft } = detailOf(intent);
    if (wait.kind === 'receipt' && (await isReceived(store, draft)))
      await context.transfers?.receive(intent.id);
    const status = await acquirerNamed(context, draft.acquirer).status(intent.id);
    answer = status.state === 'answered' ? status.answer : undefined;
  } catch (error) {
    // Its shopper may have approved it: without the acquirer's status nothing ends.
    onFault(`payment ${intent.paymentId} waits, and the acquirer cannot be reached`, error);
    return undefined;
  }
  if (answer && !answer.pending) {
    // The rest of the work is that of an open intent: after a crash the resolver does it.
    const open = asOpen(context, intent);
    await store.commit([...(await goingOn(context, wait)), { op: 'update', table: 'intents', row: open }]);
    return resolveIntent(context, { ...open, version: intent.version + 1 });
  }
  if (why !== 'deadline') return undefined;
  const detail = { ...detailOf(intent), fencing: true as const, expiredCode: WAITS[wait.kind].expiredCode };
  const fenced = withDetail(asOpen(context, intent), detail);
  await store.commit([...(await goingOn(context, wait)), { op: 'update', table: 'intents', row: fenced }]);
  return resolveIntent(context, { ...fenced, version: intent.version + 1 });
}

/** The payment waits at a gate, before its authorization. */
async function lookAtGate(
  context: PaymentContext,
  intent: IntentRow,
  wait: WaitRow,
  why: WaitCause,
): Promise<PaymentResult | undefined> {
  const continuation = await opened(context, wait);
  const gated = await verdictOf(context, wait, continuation, why);
  if (!gated) return undefined;
  const detail = detailOf(intent);
  const draft = {
    ...detail.draft,
    echo: JSON.stringify(withShown(echoOf(detail.draft), gated.shown)),
  };
  const atMs = context.clock.nowMs();
  const decisions = [...(detail.decisions ?? []), ...gated.decisions.map((each) => ({ ...each, atMs }))];
  // A wait that goes on as it was is nothing new.
  const isSame = gated.verdict === 'wait' && isAsBefore(gated, continuation);
  const added = gated.verdict === 'refuse' ? {} : ofGates(gated.request);
  const shown = withDetail(intent, { ...detail, draft, ...added, ...(!isSame && { decisions }) });
  const refuse = ({ resultCode, detail }: Pick<GateRefusal, 'resultCode' | 'detail'>) =>
    finishOnce(context, shown, { approved: false, resultCode, responseCode: '', ...present({ detail }) });
  // Another request that let it go on meanwhile decides: its acquirer request may have left.
  if (gated.verdict === 'refuse') return refuse(gated);
  if (gated.verdict === 'wait') {
    await waitOn(context, shown, wait, continuation, gated);
    return undefined;
  }
  const held = await holdAgreement(context.store, detailOf(shown).agreement, {
    paymentId: intent.paymentId,
    nowMs: atMs,
  });
  if (held.refusal) return refuse(held.refusal);
  // From here on the request may be on its way: a crash is fenced, as that of any other payment.
  const open = asOpen(context, shown);
  await context.store.commit([
    ...(await goingOn(context, wait)),
    { op: 'update', table: 'intents', row: open },
    ...held.changes,
  ]);
  const { instrument } = continuation;
  return askAcquirer(context, { ...open, version: intent.version + 1 }, async () => {
    const merchant = await merchantFor(context, draft);
    const returnUrl = wayBack(context, intent.paymentId, instrument);
    return acquirerRequest(gated.request, intent.id, { instrument }, { merchant, returnUrl });
  });
}

async function verdictOf(
  context: PaymentContext,
  { paymentId, kind }: WaitRow,
  { request, instrument, gate, state }: Continuation,
  why: WaitCause,
): Promise<GatesVerdict | undefined> {
  const isOver = why === 'deadline';
  const expired = {
    verdict: 'refuse',
    resultCode: WAITS[kind].expiredCode,
    shown: {},
    decisions: [],
  } as const;
  try {
    const payment = { paymentId, request, instrument };
    const gated = await askAgain(context.gates ?? [], payment, { gate, state }, why);
    // A later gate may let it wait anew: that wait has its own deadline.
    return isOver && gated.verdict === 'wait' && gated.gate === gate ? expired : gated;
  } catch (error) {
    // An event came at this moment, or cannot be read at the deadline: the next reader finds it.
    if (error instanceof CommitConflict || (isOver && error instanceof StoreUnavailableError)) throw error;
    context.onFault(`payment ${paymentId} waits at gate ${gate}, which has failed`, error);
    return isOver ? expired : undefined;
  }
}

/** Stores what the gate keeps now, and where it sends the shopper; the deadline stays unless the gate names another. */
async function waitOn(
  context: PaymentContext,
  intent: IntentRow,
  wait: WaitRow,
  continuation: Continuation,
  gated: Extract<GatesVerdict, { verdict: 'wait' }>,
): Promise<void> {
  const { store, clock } = context;
  const { instrument, gate: before } = continuation;
  const { waiting, request, gate, state } = gated;
  if (
    isAsBefore(gated, continuation) &&
    JSON.stringify(waiting.redirect ?? null) === (wait.redirect ?? 'null')
  )
    return;
  const untilMs = waiting.untilMs ?? (gate === before ? (wait.untilMs ?? undefined) : undefined);
  const rows = waitingRows({
    intent,
    wait: await storedWait(context, wait),
    waiting: { ...waiting, ...(untilMs !== undefined && { untilMs }) },
    shown: shownRedirect(context, intent.paymentId, waiting.redirect),
    sealed: sealedFor(context, intent.paymentId, { request, instrument, gate, state }),
    nowMs: clock.nowMs(),
  });
  await store.commit([
    { op: 'update', table: 'intents', row: rows.intent },
    { op: 'update', table: 'waits', row: rows.wait },
  ]);
}

/** The changes of a wait that is over while this node goes on with its payment. */
async function goingOn(context: PaymentContext, wait: WaitRow): Promise<readonly Change[]> {
  return [...ownerGuard(context), goOn(await storedWait(context, wait))];
}

/**
 * The wait with its latest version: the lease on its deadline is renewed while it is looked at. Whatever else changes it changes the intent too,
 * whose version guards both.
 */
async function storedWait({ store }: PaymentContext, wait: WaitRow): Promise<WaitRow> {
  return (await store.get('waits', [wait.paymentId])) ?? wait;
}

/** Whether it waits at the same gate, which keeps the same. */
function isAsBefore(
  { gate, state }: Pick<Continuation, 'gate' | 'state'>,
  before: Pick<Continuation, 'gate' | 'state'>,
): boolean {
  return gate === before.gate && JSON.stringify(state) === JSON.stringify(before.state);
}

async function opened({ waitSeal }: PaymentContext, wait: WaitRow): Promise<Continuation> {
  const { paymentId, sealed, keyId } = wait;
  if (sealed === null || keyId === null) throw new Error(`payment ${paymentId} keeps nothing`);
  return withSecret(await waitSeal.open(paymentId, { sealed, keyId }), decodeContinuation);
}
