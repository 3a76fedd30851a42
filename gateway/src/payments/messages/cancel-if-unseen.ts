import { UNKNOWN_REFERENCE } from '@tillbridge/protocol/payment/lifecycle.js';
import { answerChanges, messageGuards, placeOf } from '../decide/message-changes.js';
import type { FollowUpRequest, PaymentResult } from '../decide/requests.js';
import { bareResult, decodeResult } from '../decide/results.js';
import { commitTombstone } from '../flow/follow-up-without-target.js';
import type { PaymentContext } from '../flow/payment-context.js';

/**
 * A till has settled a message by hand that the gateway had not taken: from now on it is never taken, whoever tries it again. Where
 * somebody was faster, nothing is reversed: the till hears what came of it, and sees whether that is what it was told.
 * @throws CommitConflict when the message came in between
 */
export async function cancelIfUnseen(
  context: PaymentContext,
  { origin, target }: FollowUpRequest,
): Promise<PaymentResult> {
  if (origin.kind !== 'bridge' || target.by !== 'message')
    throw new Error('only an agent keeps a message out');
  const { store, clock } = context;
  const answer = await store.get('inbox', [origin.agentId, target.messageId]);
  if (!answer) {
    const result = bareResult('nothing-to-reverse', UNKNOWN_REFERENCE.RV);
    return commitTombstone(context, origin, target.messageId, { result, references: [] });
  }
  const result = decodeResult(answer.result);
  await store.commit([...messageGuards(origin), ...answerChanges(placeOf(origin), result, clock.nowMs())]);
  return result;
}
