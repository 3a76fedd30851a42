import { decideFollowUp } from '@tillbridge/protocol/payment/decide-follow-up.js';
import { STATE_REFUSALS, UNKNOWN_REFERENCE } from '@tillbridge/protocol/payment/lifecycle.js';
import type { AcquirerRequest, AcquirerRequestKind } from '../acquirers/acquirer.js';
import type { IntentRow, PaymentRow } from '../store/rows.js';
import type { Change } from '../store/store.js';
import { askAcquirer } from './ask-acquirer.js';
import type { NewIds } from './authorize-flow.js';
import type { BridgeOrigin, FollowUpRequest, FollowUpType, PaymentResult } from './desk.js';
import { type DeskContext, newId } from './desk-context.js';
import { draftFollowUp } from './drafts.js';
import type { FoundTarget } from './find-target.js';
import {
  approvedAs,
  detailOf,
  type FollowUpDetail,
  type IntentDetail,
  type Recovery,
} from './intent-detail.js';
import { echoOf, followedPayment, isChargedBack, lifecycleIdOf, paymentTypeOf } from './lifecycle-facts.js';
import { answerChanges, messageGuards, placeOf } from './message-changes.js';
import { commitBareResult, commitRefusal } from './refuse-payment.js';
import { followUpRequest } from './resolve-intent.js';
import { bareResult } from './results.js';
import { explanationsOf, type Forgotten, undoForgotten } from './undo-forgotten.js';

type Found = Extract<FoundTarget, { state: 'found' }>;

/** Code of a follow-up whose payment has no outcome yet. */
const PENDING_CODE = '700.400.570';
/** Code of a follow-up that needs the card of a payment of which none is kept. */
const NO_CARD_CODE = '700.300.100';
/** Code of a reversal that had been carried out before. */
const REVERSED_CODE = '000.100.110';

/** Stands where none was sent: the answer shows none. */
const NO_AMOUNT = { minor: 0, currency: '' };

/** What the acquirer is asked for. */
const KINDS: Readonly<Record<FollowUpType, AcquirerRequestKind>> = {
  CP: 'capture',
  RF: 'refund',
  RV: 'reversal',
  RB: 'authorization',
  RC: 'receipt',
  CD: 'credit',
  REAUTHORIZATION: 'authorization',
  INCREMENTAL_AUTH: 'increment',
};

/** Follow-ups for which the issuer is asked again, with the card of the payment. */
const WITH_CARD: ReadonlySet<FollowUpType> = new Set(['RB', 'CD', 'REAUTHORIZATION', 'INCREMENTAL_AUTH']);

/**
 * One round of a follow-up whose target is known: decide, then lock the root with an intent, or refuse.
 * @returns the refusal, or the intent that was committed
 * @throws CommitConflict when another commit came first
 */
export async function beginFollowUp(
  context: DeskContext,
  request: FollowUpRequest,
  found: Found,
  ids: NewIds,
): Promise<PaymentResult | IntentRow> {
  const verdict = decide(context, request, found);
  if (!verdict.ok) return refuseFollowUp(context, request, found, verdict.resultCode, ids);
  const { root } = found;
  const intent = intentOf(context, request, found, verdict.amountMinor, ids);
  await context.store.commit([
    ...messageGuards(request.origin),
    { op: 'insert', table: 'intents', row: intent },
    { op: 'update', table: 'payments', row: { ...root, lockedBy: intent.id } },
  ]);
  return intent;
}

/** The decision of the tables, and what the desk knows beside them. */
function decide(context: DeskContext, request: FollowUpRequest, { target, root, otherChannel }: Found) {
  const { type, verdict, amount, brand, testMode, echo = {} } = request;
  if (verdict?.kind === 'refused') return { ok: false, resultCode: verdict.resultCode } as const;
  const undoesMessage = request.target.by === 'message';
  const decided = decideFollowUp({
    followUp: type,
    target: { ...followedPayment(target), brand: target.brand ?? root.brand },
    root: followedPayment(root),
    // Whatever amount a till remembers of its own message, what is left is undone.
    amountMinor: type === 'RV' && undoesMessage ? undefined : amount?.minor,
    currency: amount?.currency,
    brand,
    lifecycleId: lifecycleIdOf(echo),
    rootLifecycleId: lifecycleIdOf(echoOf(root)),
    nowMs: context.clock.nowMs(),
    chargedBack: isChargedBack(root),
    otherChannel: otherChannel === true,
    otherMode: testMode === 'EXTERNAL',
    undoesMessage,
  });
  const lacksCard = decided.ok && WITH_CARD.has(type) && root.vaultId === null;
  return lacksCard ? ({ ok: false, resultCode: NO_CARD_CODE } as const) : decided;
}

/** Carries a committed follow-up to the acquirer. @throws TryLaterError when the acquirer is silent */
export function askFollowUp(context: DeskContext, intent: IntentRow): Promise<PaymentResult> {
  return askAcquirer(context, intent, () => requestOf(context, intent));
}

/** The acquirer request of an intent, with the card out of the vault where the issuer is asked again. */
async function requestOf({ vault }: DeskContext, intent: IntentRow): Promise<AcquirerRequest> {
  const detail = detailOf(intent);
  const request = followUpRequest(intent, detail);
  const { vaultId, type } = detail.followUp ?? {};
  if (vaultId === undefined) return request;
  const { pan, expiryMonth, expiryYear } = await vault.open(vaultId, intent.entityId);
  const account = { pan, expiryMonth, expiryYear };
  return { ...request, account, ...(type === 'RB' && { captureNow: true }) };
}

/**
 * The answer to a follow-up without a payment to follow. A reversal by message id leaves a tombstone where the message was never
 * seen, in the same commit as its answer.
 * @throws CommitConflict when the original came in between
 */
export async function answerWithoutTarget(
  context: DeskContext,
  request: FollowUpRequest,
  state: 'unknown' | 'no-payment' | 'open',
  ids: NewIds,
): Promise<PaymentResult> {
  const { origin, type, target } = request;
  const code = state === 'open' ? PENDING_CODE : UNKNOWN_REFERENCE[type];
  if (type === 'RV' && target.by === 'message' && origin.kind === 'bridge') {
    if (state === 'no-payment') {
      // Looked up one after the other, the answer may be newer than the look for its payment.
      const guards = (['intents', 'payments'] as const).map((table) =>
        neverMade(table, origin.agentId, target.messageId),
      );
      return commitBareResult(context, origin, 'nothing-to-reverse', code, guards);
    }
    const nothing = { result: bareResult('nothing-to-reverse', code), references: [] };
    const forgotten = await undoForgotten(context, request, origin, target.messageId, ids);
    return commitTombstone(context, origin, target.messageId, forgotten ?? nothing);
  }
  return recordRefusal(context, request, { target: undefined, root: undefined }, code, ids);
}

function neverMade(table: 'intents' | 'payments', agentId: string, messageId: string): Change {
  return { op: 'require-absent', table, index: 'message', values: [agentId, messageId] };
}

async function commitTombstone(
  { store, clock }: DeskContext,
  origin: BridgeOrigin,
  messageId: string,
  { result, references }: Forgotten,
): Promise<PaymentResult> {
  const { agentId } = origin;
  const nowMs = clock.nowMs();
  const known = await store.get('tombstones', [agentId, messageId]);
  await store.commit([
    ...messageGuards(origin),
    neverMade('intents', agentId, messageId),
    { op: 'require-absent', table: 'inbox', index: 'primary', values: [agentId, messageId] },
    ...(known
      ? []
      : [
          {
            op: 'insert',
            table: 'tombstones',
            row: { agentId, messageId, createdAtMs: nowMs, version: 1 },
          } as const,
        ]),
    ...(await explanationsOf(store, references, messageId, nowMs)),
    ...answerChanges(placeOf(origin), result, nowMs),
  ]);
  return result;
}

/** A till's reversal of what is already undone, or was never approved, has come true: it is no error. */
function refuseFollowUp(
  context: DeskContext,
  request: FollowUpRequest,
  found: Found,
  resultCode: string,
  ids: NewIds,
): Promise<PaymentResult> {
  if (request.type === 'RV' && request.target.by === 'message') {
    if (resultCode === STATE_REFUSALS.declined) {
      return commitBareResult(context, request.origin, 'nothing-to-reverse', resultCode);
    }
    if (found.target.state === 'reversed') {
      return commitBareResult(context, request.origin, 'reversed', REVERSED_CODE);
    }
  }
  return recordRefusal(context, request, found, resultCode, ids);
}

function recordRefusal(
  context: DeskContext,
  request: FollowUpRequest,
  followed: { readonly target: PaymentRow | undefined; readonly root: PaymentRow | undefined },
  resultCode: string,
  ids: NewIds,
): Promise<PaymentResult> {
  const amount = request.amount ?? NO_AMOUNT;
  const { acquirer, clock } = context;
  const made = { id: ids.paymentId, acquirer: acquirer.name, acquirerReference: null, nowMs: clock.nowMs() };
  const draft = draftFollowUp(request, made, followed, amount);
  return commitRefusal(context, request.origin, draft, { resultCode, responseCode: null });
}

function intentOf(
  context: DeskContext,
  request: FollowUpRequest,
  { target, root }: Found,
  amountMinor: number,
  ids: NewIds,
): IntentRow {
  const { origin, type } = request;
  const nowMs = context.clock.nowMs();
  const made = { id: ids.paymentId, acquirer: root.acquirer, acquirerReference: ids.intentId, nowMs };
  const place = placeOf(origin);
  const detail: IntentDetail = {
    draft: draftFollowUp(request, made, { target, root }, { minor: amountMinor, currency: root.currency }),
    recovery: recoveryOf(request),
    fenceReference: newId(context.random),
    ...(place && { place }),
    ...approvedAs(request.verdict),
    followUp: {
      type,
      targetId: target.id,
      amountMinor,
      final: request.final === true,
      ...followedAtAcquirer(context, type, target, root),
      ...(WITH_CARD.has(type) && root.vaultId !== null && { vaultId: root.vaultId }),
    },
  };
  return {
    id: ids.intentId,
    paymentId: ids.paymentId,
    entityId: origin.entityId,
    agentId: place?.agentId ?? null,
    messageId: place?.messageId ?? null,
    state: 'open',
    kind: KINDS[type],
    rootId: root.id,
    detail: JSON.stringify(detail),
    createdAtMs: nowMs,
    version: 1,
  };
}

/** What the acquirer knows the followed payment by; a PA.CP is undone from its capture back. */
function followedAtAcquirer(
  { random }: DeskContext,
  type: FollowUpType,
  target: PaymentRow,
  root: PaymentRow,
): Pick<FollowUpDetail, 'originalReference' | 'release'> {
  const originalReference = (type === 'RV' ? target : root).acquirerReference ?? '';
  if (type !== 'RV' || paymentTypeOf(target) !== 'PA.CP') return { originalReference };
  const release = { originalReference, acquirerReference: newId(random) };
  return { originalReference: target.captureReference ?? '', release };
}

/** A reversal must come true, and a message in a stream is promised to; a merchant's lost capture or refund is asked for again by the merchant. */
function recoveryOf({ type, origin }: FollowUpRequest): Recovery {
  if (WITH_CARD.has(type)) return 'fence';
  return type === 'RV' || (origin.kind === 'bridge' && origin.sequence > 0) ? 'resend' : 'fence';
}
