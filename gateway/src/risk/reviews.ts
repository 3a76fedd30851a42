import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import { findAll } from '../store/all-rows.js';
import type { ReviewDecisionRow } from '../store/rows.js';
import { CommitConflict, type Store } from '../store/store.js';

/** Reviews of one list at most. */
export const REVIEW_LIMITS = { list: 500 } as const;

/** A payment that waits for a person. */
export interface ReviewView {
  readonly paymentId: string;
  readonly entityId: string;
  /** ISO 8601 UTC. */
  readonly since: string;
  /** When it is refused without a word. */
  readonly until: string;
  /** What was decided, where it is not carried out yet. */
  readonly decision?: ReviewDecisionRow['decision'];
}

/** A person's word. */
export interface ReviewWord {
  readonly paymentId: string;
  readonly decision: ReviewDecisionRow['decision'];
  readonly actor: string;
  readonly note: string;
}

/** Later than every deadline. */
const FAR_AHEAD_MS = 8.64e15;

/**
 * The payments that wait for a review, those that end first at the front.
 * @param owners entities whose payments are listed; absent: those of all
 * @throws StoreUnavailableError
 */
export async function listReviews(
  store: Pick<Store, 'get' | 'findRange'>,
  owners?: readonly string[],
): Promise<readonly ReviewView[]> {
  const range = { below: FAR_AHEAD_MS, limit: REVIEW_LIMITS.list };
  const found = owners
    ? owners.map((id) => store.findRange('waits', 'owner', { ...range, equals: [id, 'review'] }))
    : [store.findRange('waits', 'kind', { ...range, equals: ['review'] })];
  const views = (await Promise.all(found))
    .flat()
    .sort((a, b) => (a.dueAtMs ?? 0) - (b.dueAtMs ?? 0))
    .slice(0, REVIEW_LIMITS.list)
    .map(async ({ paymentId, entityId, createdAtMs, dueAtMs }) => {
      const decided = await store.get('reviewDecisions', [paymentId]);
      return {
        paymentId,
        entityId,
        since: new Date(createdAtMs).toISOString(),
        until: new Date(dueAtMs ?? 0).toISOString(),
        ...(decided && { decision: decided.decision }),
      };
    });
  return Promise.all(views);
}

/**
 * Stores a person's word on a payment that waits for a review. The first word counts.
 * @returns the word that counts; undefined for a payment that does not wait for one
 * @throws StoreUnavailableError
 */
export async function decideReview(
  { store, clock }: { readonly store: Pick<Store, 'get' | 'commit'>; readonly clock: Pick<Clock, 'nowMs'> },
  word: ReviewWord,
): Promise<ReviewDecisionRow | undefined> {
  const { paymentId } = word;
  const wait = await store.get('waits', [paymentId]);
  if (wait?.kind !== 'review' || wait.dueAtMs === null) return store.get('reviewDecisions', [paymentId]);
  const { entityId } = wait;
  const row = { ...word, entityId, state: 'made', createdAtMs: clock.nowMs(), version: 1 } as const;
  try {
    await store.commit([{ op: 'insert', table: 'reviewDecisions', row }]);
  } catch (error) {
    if (!(error instanceof CommitConflict)) throw error;
  }
  return store.get('reviewDecisions', [paymentId]);
}

/** What carries out decisions. */
export interface ReviewWork {
  readonly store: Pick<Store, 'find' | 'get' | 'commit'>;
  /** Looks at a payment that waits (`PaymentService.continueWaiting`). */
  readonly goOn: (paymentId: string) => Promise<unknown>;
  readonly onFault: (what: string, error: unknown) => void;
}

/** Carries out what was decided, in this process or by a command; what cannot be done is tried again in the next round. @throws StoreUnavailableError */
export async function carryOutReviews({ store, goOn, onFault }: ReviewWork): Promise<void> {
  // One that cannot be carried out holds up none behind it.
  for (const row of await findAll(store, 'reviewDecisions', 'state', ['made'])) {
    try {
      await goOn(row.paymentId);
      const wait = await store.get('waits', [row.paymentId]);
      // Its wait for this review is over, whatever has ended it.
      if (wait && wait.kind === 'review' && wait.dueAtMs !== null) continue;
      await store.commit([{ op: 'update', table: 'reviewDecisions', row: { ...row, state: 'carried-out' } }]);
    } catch (error) {
      onFault(`the review of payment ${row.paymentId} was not carried out`, error);
    }
  }
}
