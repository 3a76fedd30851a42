import { TryLaterError } from '../../../kernel/errors/try-later-error.js';
import { decideAgain } from '../../../kernel/store/decide-again.js';
import { CommitConflict } from '../../../kernel/store/store.js';
import { answerChanges, placeOf, sessionGuard } from '../rules/message-changes.js';
import { type Origin, type PaymentResult, RunClaimedError, StaleSessionError } from '../rules/requests.js';
import { bareResult, decodeResult } from '../rules/results.js';
import type { PaymentContext } from './payment-context.js';

/** Code of a message that was reversed before it arrived. */
export const TOMBSTONED_CODE = '700.300.300';

/**
 * Runs read-decide-commit rounds until one is not overtaken, or the time for it is over. A newer session of the agent ends it, and so does a
 * tombstone: the message is then answered as refused.
 * @throws StaleSessionError, RunClaimedError, TryLaterError, StoreUnavailableError
 */
export async function retryOnConflict<T>(
  context: PaymentContext,
  origin: Origin,
  round: () => Promise<T>,
): Promise<T | PaymentResult> {
  const refusing = async () => {
    try {
      return await round();
    } catch (error) {
      if (!(error instanceof CommitConflict)) throw error;
      refuseStale(error);
      const { kind, table } = error.conflict;
      if (table === 'schedules' || table === 'scheduleRuns')
        throw new RunClaimedError('another worker has the schedule, or has made the run');
      if (kind === 'present' && table === 'tombstones') return await answerTombstoned(context, origin);
      if (isMadeElsewhere(error)) throw madeElsewhere(origin);
      throw error;
    }
  };
  try {
    return await decideAgain(context, refusing);
  } catch (error) {
    if (!(error instanceof CommitConflict)) throw error;
    throw new TryLaterError('every race was lost');
  }
}

/** Rows whose ids belong to one payment, and are the same in every round. */
const OF_ONE_PAYMENT: ReadonlySet<string> = new Set(['intents', 'payments', 'vault', 'waits']);

function isMadeElsewhere({ conflict: { kind, table, on } }: CommitConflict): boolean {
  return (
    (kind === 'unique' && OF_ONE_PAYMENT.has(table)) ||
    (kind === 'present' && table === 'payments' && on === 'primary')
  );
}

/** The payment of the request, or of its message, was begun at another node meanwhile. */
function madeElsewhere(origin: Origin): TryLaterError {
  const id = origin.kind === 'rest' ? origin.paymentId : undefined;
  return new TryLaterError('another node has begun the payment', id);
}

/** @throws StaleSessionError when the session was the conflict, TryLaterError when it was another post to the checkout or the lease of this node */
function refuseStale({ conflict: { kind, table } }: CommitConflict): void {
  if (kind === 'field' && table === 'checkouts')
    throw new TryLaterError('something else was posted to the checkout since');
  if (kind === 'field' && table === 'agents')
    throw new StaleSessionError('the agent has a newer session, or is not known any more');
  if (kind === 'field' && table === 'nodes')
    throw new TryLaterError('another node has taken over from this one, which was silent for too long');
}

async function answerTombstoned({ store, clock }: PaymentContext, origin: Origin): Promise<PaymentResult> {
  const result = bareResult('refused', TOMBSTONED_CODE);
  try {
    // A newer session may have begun since the tombstone was met.
    await store.commit([...sessionGuard(origin), ...answerChanges(placeOf(origin), result, clock.nowMs())]);
    return result;
  } catch (error) {
    if (!(error instanceof CommitConflict) || origin.kind === 'rest') throw error;
    refuseStale(error);
    const stored = await store.get('inbox', [origin.agentId, origin.messageId]);
    return stored ? decodeResult(stored.result) : result;
  }
}
