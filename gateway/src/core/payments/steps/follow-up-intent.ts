import { newId } from '../../../kernel/store/new-id.js';
import type { IntentRow, PaymentRow } from '../../../kernel/store/rows.js';
import { draftFollowUp } from '../rules/drafts.js';
import { FOLLOW_UP_ROWS, isReversal } from '../rules/follow-up-rows.js';
import {
  approvedAs,
  type FollowUpDetail,
  type IntentDetail,
  openIntent,
  type Recovery,
} from '../rules/intent-detail.js';
import { paymentTypeOf } from '../rules/lifecycle-facts.js';
import { placeOf } from '../rules/message-changes.js';
import type { FollowUpRequest, FollowUpType } from '../rules/requests.js';
import type { NewIds } from './message-ids.js';
import type { PaymentContext } from './payment-context.js';

/** The intent of an allowed follow-up: the request to the acquirer, and what its outcome changes. */
export function followUpIntent(
  context: PaymentContext,
  request: FollowUpRequest,
  { target, root }: { readonly target: PaymentRow; readonly root: PaymentRow },
  amountMinor: number,
  ids: NewIds,
): IntentRow {
  const { origin, type } = request;
  const { request: requestKind, withCard } = FOLLOW_UP_ROWS[type];
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
      ...(withCard && root.vaultId !== null && { vaultId: root.vaultId }),
    },
  };
  return openIntent(ids.intentId, requestKind, root.id, detail, context.node?.id ?? null);
}

/** The acquirer reference of the followed payment. Of a PA.CP the capture is reversed first, then its authorization. */
function followedAtAcquirer(
  { random }: PaymentContext,
  type: FollowUpType,
  target: PaymentRow,
  root: PaymentRow,
): Pick<FollowUpDetail, 'originalReference' | 'release'> {
  const originalReference = (isReversal(type) ? target : root).acquirerReference ?? '';
  if (!isReversal(type) || paymentTypeOf(target) !== 'PA.CP') return { originalReference };
  const release = { originalReference, acquirerReference: newId(random) };
  return { originalReference: target.captureReference ?? '', release };
}

/** Reversals and messages of a stream must be carried out: they are sent again. A merchant repeats a lost capture or refund. */
function recoveryOf({ type, origin }: FollowUpRequest): Recovery {
  if (FOLLOW_UP_ROWS[type].withCard) return 'fence';
  return isReversal(type) || (origin.kind === 'bridge' && origin.sequence > 0) ? 'resend' : 'fence';
}
