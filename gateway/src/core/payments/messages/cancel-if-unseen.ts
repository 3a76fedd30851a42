import { LIFECYCLE } from '@tillbridge/wire/payment/lifecycle.js';
import { answerChanges, messageGuards, placeOf } from '../rules/message-changes.js';
import type { FollowUpRequest, PaymentResult } from '../rules/requests.js';
import { bareResult, decodeResult } from '../rules/results.js';
import { commitTombstone } from '../steps/follow-up-without-target.js';
import type { PaymentContext } from '../steps/payment-context.js';

/**
 * Refuses a message for ever that the gateway has not received, because the store resolved it manually. Where the message was answered
 * first, nothing is reversed: the agent gets that answer, and compares it with the manual resolution.
 * @throws CommitConflict when the message arrived meanwhile
 */
export async function cancelIfUnseen(
  context: PaymentContext,
  { origin, target }: FollowUpRequest,
): Promise<PaymentResult> {
  if (origin.kind !== 'bridge' || target.by !== 'message')
    throw new Error('a cancel-if-unseen must come from an agent and name a message');
  const { store, clock } = context;
  const answer = await store.get('inbox', [origin.agentId, target.messageId]);
  if (!answer) {
    const result = bareResult('nothing-to-reverse', LIFECYCLE.RV.unknown);
    return commitTombstone(context, origin, target.messageId, { result, references: [] });
  }
  const result = decodeResult(answer.result);
  await store.commit([...messageGuards(origin), ...answerChanges(placeOf(origin), result, clock.nowMs())]);
  return result;
}
