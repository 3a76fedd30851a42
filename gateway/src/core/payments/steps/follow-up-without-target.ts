import { LIFECYCLE } from '@tillbridge/wire/payment/lifecycle.js';
import type { Change } from '../../../kernel/store/store.js';
import { isReversal } from '../rules/follow-up-rows.js';
import { answerChanges, messageGuards, placeOf } from '../rules/message-changes.js';
import type { BridgeOrigin, FollowUpRequest, PaymentResult } from '../rules/requests.js';
import { bareResult } from '../rules/results.js';
import type { NewIds } from './message-ids.js';
import type { PaymentContext } from './payment-context.js';
import { commitBareResult, commitFollowUpRefusal } from './refuse-payment.js';
import { explanationsOf, type Forgotten, reverseForgotten } from './reverse-forgotten.js';

/** Code of a follow-up whose payment has no outcome yet. */
const PENDING_CODE = '700.400.570';

/**
 * Answers a follow-up without a payment to follow. A reversal of a message that was never received leaves a tombstone, in the same commit
 * as its answer.
 * @throws CommitConflict when the original arrived meanwhile
 */
export async function answerWithoutTarget(
  context: PaymentContext,
  request: FollowUpRequest,
  state: 'unknown' | 'no-payment' | 'open',
  ids: NewIds,
): Promise<PaymentResult> {
  const { origin, type, target } = request;
  const code = state === 'open' ? PENDING_CODE : LIFECYCLE[type].unknown;
  if (isReversal(type) && target.by === 'message' && origin.kind === 'bridge') {
    if (state === 'no-payment') {
      // The answer was read after the payment and may be newer: the guards check that there is still none.
      const guards = (['intents', 'payments'] as const).map((table) =>
        neverMade(table, origin.agentId, target.messageId),
      );
      return commitBareResult(context, origin, 'nothing-to-reverse', code, guards);
    }
    const nothing = { result: bareResult('nothing-to-reverse', code), references: [] };
    const forgotten = await reverseForgotten(context, origin, target.messageId, ids);
    return commitTombstone(context, origin, target.messageId, forgotten ?? nothing);
  }
  return commitFollowUpRefusal(context, request, { target: undefined, root: undefined }, code, ids);
}

function neverMade(table: 'intents' | 'payments', agentId: string, messageId: string): Change {
  return { op: 'require-absent', table, index: 'message', values: [agentId, messageId] };
}

/**
 * Writes the tombstone that refuses a message for ever, in one commit with the answer.
 * @throws CommitConflict when it arrived meanwhile
 */
export async function commitTombstone(
  { store, clock }: PaymentContext,
  origin: BridgeOrigin,
  messageId: string,
  { result, references }: Forgotten,
): Promise<PaymentResult> {
  const { agentId } = origin;
  const nowMs = clock.nowMs();
  const row = { agentId, messageId, createdAtMs: nowMs, version: 1 };
  const tombstone: Change = { op: 'insert', table: 'tombstones', row };
  const known = await store.get('tombstones', [agentId, messageId]);
  await store.commit([
    ...messageGuards(origin),
    neverMade('intents', agentId, messageId),
    { op: 'require-absent', table: 'inbox', index: 'primary', values: [agentId, messageId] },
    ...(known ? [] : [tombstone]),
    ...(await explanationsOf(store, references, messageId, nowMs)),
    ...answerChanges(placeOf(origin), result, nowMs),
  ]);
  return result;
}
