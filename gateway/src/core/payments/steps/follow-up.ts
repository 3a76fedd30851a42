import { STATE_REFUSALS } from '@tillbridge/wire/payment/lifecycle.js';
import { present } from '@tillbridge/wire/present.js';
import type { IntentRow, PaymentRow } from '../../../kernel/store/rows.js';
import type { AcquirerRequest } from '../../acquirers/acquirer.js';
import { merchantFor } from '../lookup/acquirer-route.js';
import { beginGuards } from '../ownership/begin-in-time.js';
import { FOLLOW_UP_ROWS, isReversal } from '../rules/follow-up-rows.js';
import { detailOf } from '../rules/intent-detail.js';
import { lifecycleIdOf } from '../rules/lifecycle-facts.js';
import type { FollowUpRequest, PaymentResult } from '../rules/requests.js';
import { REVERSED_CODE } from '../rules/results.js';
import { decideByRows } from '../story/next-steps.js';
import { askAcquirer } from './ask-acquirer.js';
import type { FoundTarget } from './find-target.js';
import { followUpIntent } from './follow-up-intent.js';
import type { NewIds } from './message-ids.js';
import type { PaymentContext } from './payment-context.js';
import { commitBareResult, commitFollowUpRefusal } from './refuse-payment.js';
import { followUpRequest } from './resolve-intent.js';

export type Found = Extract<FoundTarget, { state: 'found' }>;

/**
 * One round of a follow-up whose target is known: decide, then lock the root with an intent, or refuse.
 * @returns the refusal, or the intent that was committed
 * @throws CommitConflict when another commit came first
 */
export async function beginFollowUp(
  context: PaymentContext,
  request: FollowUpRequest,
  found: Found,
  ids: NewIds,
): Promise<PaymentResult | IntentRow> {
  const verdict = decideOn(context, request, found);
  if (!verdict.ok) return refuseFollowUp(context, request, found, verdict.resultCode, ids);
  const { root } = found;
  const intent = followUpIntent(context, request, found, verdict.amountMinor, ids);
  await context.store.commit([
    ...beginGuards(context, request.origin),
    { op: 'insert', table: 'intents', row: intent },
    { op: 'update', table: 'payments', row: { ...root, lockedBy: intent.id } },
  ]);
  return intent;
}

/** Decides by the tables of the lifecycle, then by facts that only the service has. */
export function decideOn(
  context: PaymentContext,
  request: FollowUpRequest,
  { target, root, otherChannel }: Found,
) {
  const { type, verdict, amount, brand, testMode, echo = {} } = request;
  if (verdict?.kind === 'refused') return { ok: false, resultCode: verdict.resultCode } as const;
  const reversesMessage = request.target.by === 'message';
  return decideByRows(target, root, {
    followUp: type,
    // A till's reversal of one of its messages always reverses what is left.
    amountMinor: isReversal(type) && reversesMessage ? undefined : amount?.minor,
    currency: amount?.currency,
    brand,
    lifecycleId: lifecycleIdOf(echo),
    nowMs: context.clock.nowMs(),
    otherChannel: otherChannel === true,
    otherMode: testMode !== undefined && testMode !== testModeOf(context, root),
    reversesMessage,
  });
}

/** The test mode that a payment was made in. */
function testModeOf({ acquirer }: PaymentContext, root: PaymentRow): 'INTERNAL' | 'EXTERNAL' {
  return root.acquirer === acquirer.name ? 'INTERNAL' : 'EXTERNAL';
}

/** Carries a committed follow-up to the acquirer; `silentMs` as in the request. @throws TryLaterError when the acquirer is silent */
export function askFollowUp(
  context: PaymentContext,
  intent: IntentRow,
  silentMs?: number,
): Promise<PaymentResult> {
  return askAcquirer(context, intent, async () => ({
    ...(await requestOf(context, intent)),
    ...(silentMs !== undefined && { silentMs }),
  }));
}

/** The acquirer request of an intent, with the card out of the vault where the issuer decides again. */
async function requestOf(context: PaymentContext, intent: IntentRow): Promise<AcquirerRequest> {
  const detail = detailOf(intent);
  const request = followUpRequest(intent, detail);
  const { vaultId, type } = detail.followUp ?? {};
  if (vaultId === undefined || request.kind === 'reversal') return request;
  const { pan, expiryMonth, expiryYear } = await context.vault.open(vaultId, intent.entityId);
  const instrument = { kind: 'card', pan, expiryMonth, expiryYear } as const;
  const merchant = await merchantFor(context, detail.draft);
  const captureNow = type && FOLLOW_UP_ROWS[type].becomes === 'captured' ? true : undefined;
  return { ...request, instrument, ...present({ merchant, captureNow }) };
}

/** A till's reversal of a payment that is already reversed, or was never approved, succeeds. */
function refuseFollowUp(
  context: PaymentContext,
  request: FollowUpRequest,
  found: Found,
  resultCode: string,
  ids: NewIds,
): Promise<PaymentResult> {
  if (isReversal(request.type) && request.target.by === 'message') {
    if (resultCode === STATE_REFUSALS.declined) {
      return commitBareResult(context, request.origin, 'nothing-to-reverse', resultCode);
    }
    if (found.target.state === 'reversed') {
      return commitBareResult(context, request.origin, 'reversed', REVERSED_CODE);
    }
  }
  return commitFollowUpRefusal(context, request, found, resultCode, ids);
}
