import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { RISK_CODES } from '../../core/payments/rules/assess-risk.js';
import { WAITS } from '../../core/payments/rules/waits.js';
import { decisionChanges } from '../../core/payments/timeline/decisions.js';
import type { Alerts } from '../../kernel/alerts/alerts.js';
import { findAll } from '../../kernel/store/all-rows.js';
import { decideAgain } from '../../kernel/store/decide-again.js';
import type { ApprovalReviewRow, ReviewDecisionRow } from '../../kernel/store/rows.js';
import { type Change, CommitConflict, type Store } from '../../kernel/store/store.js';

/** Reviews of one list at most, and more. */
export const REVIEW_LIMITS = {
  list: 500,
} as const;

/** A payment that a person has to look at: it waits for that, or it is approved with a code that requires it. */
export interface ReviewView {
  readonly paymentId: string;
  readonly entityId: string;
  readonly resultCode: string;
  /** ISO 8601 UTC. */
  readonly since: string;
  /** When it is refused without a word; absent for an approval. */
  readonly until?: string;
  /** What was decided, where it is not carried out yet. */
  readonly decision?: ReviewDecisionRow['decision'];
}

/** Whose a payment is that a person has looked at, or has to; undefined where it is none of the owners', or needs no person. @throws StoreUnavailableError */
export async function reviewedEntity(
  store: Pick<Store, 'get'>,
  paymentId: string,
  owners: readonly string[] | undefined,
): Promise<string | undefined> {
  const { entityId } =
    (await store.get('approvalReviews', [paymentId])) ??
    (await store.get('reviewDecisions', [paymentId])) ??
    (await store.get('waits', [paymentId])) ??
    {};
  return entityId !== undefined && (owners?.includes(entityId) ?? true) ? entityId : undefined;
}

/** A person's word. */
interface ReviewWord {
  readonly paymentId: string;
  readonly decision: ReviewDecisionRow['decision'];
  readonly actor: string;
  readonly note: string;
}

/** Later than every deadline. */
const FAR_AHEAD_MS = 8.64e15;

/**
 * The payments that wait for a review, those that end first at the front, and behind them the approvals that ask for one, the oldest first.
 * @param owners entities whose payments are listed; absent: those of all
 * @throws StoreUnavailableError
 */
export async function listReviews(
  store: Pick<Store, 'get' | 'findRange'>,
  owners?: readonly string[],
): Promise<readonly ReviewView[]> {
  const range = { below: FAR_AHEAD_MS, limit: REVIEW_LIMITS.list };
  const waits = owners
    ? owners.map((id) => store.findRange('waits', 'owner', { ...range, equals: [id, 'review'] }))
    : [store.findRange('waits', 'until', { ...range, equals: ['review'] })];
  const approvals = owners
    ? owners.map((id) => store.findRange('approvalReviews', 'owner', { ...range, equals: [id] }))
    : [store.findRange('approvalReviews', 'age', range)];
  const waiting = (await Promise.all(waits))
    .flat()
    .sort((a, b) => (a.untilMs ?? 0) - (b.untilMs ?? 0))
    .map((wait) => ({ ...wait, resultCode: WAITS.review.pendingCode }));
  const approved = (await Promise.all(approvals))
    .flat()
    .sort((a, b) => a.createdAtMs - b.createdAtMs)
    .map((row) => ({ ...row, untilMs: null }));
  const views = [...waiting, ...approved]
    .slice(0, REVIEW_LIMITS.list)
    .map(async ({ paymentId, entityId, resultCode, createdAtMs, untilMs }) => {
      const decided = untilMs === null ? undefined : await store.get('reviewDecisions', [paymentId]);
      return {
        paymentId,
        entityId,
        resultCode,
        since: new Date(createdAtMs).toISOString(),
        ...(untilMs !== null && { until: new Date(untilMs).toISOString() }),
        ...(decided && { decision: decided.decision }),
      };
    });
  return Promise.all(views);
}

/**
 * Stores a person's decision on a payment that waits for a review, or on an approval that requires one. The first decision counts.
 * @returns the decision that counts; undefined for a payment that needs none
 * @throws StoreUnavailableError
 */
export function decideReview(
  deps: {
    readonly store: Pick<Store, 'get' | 'find' | 'commit'>;
    readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'setTimer'>;
  },
  word: ReviewWord,
): Promise<ReviewDecisionRow | undefined> {
  const { store, clock } = deps;
  const { paymentId } = word;
  const round = async (): Promise<ReviewDecisionRow | undefined> => {
    const [wait, approval, known] = await Promise.all([
      store.get('waits', [paymentId]),
      store.get('approvalReviews', [paymentId]),
      store.get('reviewDecisions', [paymentId]),
    ]);
    const isWaiting = wait?.kind === 'review' && wait.untilMs !== null;
    const intent = isWaiting && !approval && !known ? await store.get('intents', [wait.intentId]) : undefined;
    const reviewed = approval ?? (intent?.state === 'waiting' ? intent : undefined);
    if (!reviewed) return known;
    const { entityId } = reviewed;
    const row = { ...word, entityId, state: 'made', createdAtMs: clock.nowMs(), version: 1 } as const;
    await store.commit([
      // One that was released before its authorization may need a review again.
      known && approval
        ? { op: 'update', table: 'reviewDecisions', row: { ...row, version: known.version } }
        : { op: 'insert', table: 'reviewDecisions', row },
      ...(approval ? await wordOnApproval(store, approval, row) : []),
      // A reader that read the review before this change, and ends the wait at its deadline, must read again.
      ...(intent ? [{ op: 'update', table: 'intents', row: intent } as const] : []),
    ]);
    return row;
  };
  // Another word may come first, or the wait end, at the same moment.
  return decideAgain(deps, round, { key: `reviewDecisions/${paymentId}` });
}

/** Ends the review of an approval, and adds it to the timeline; a payment that waits adds it with its outcome. */
async function wordOnApproval(
  store: Pick<Store, 'find'>,
  approval: ApprovalReviewRow,
  { decision, actor: by, createdAtMs: atMs }: ReviewDecisionRow,
): Promise<readonly Change[]> {
  const { paymentId, entityId, version } = approval;
  const before = await store.find('decisions', 'payment', [paymentId]);
  const refused = decision === 'refused' && { code: RISK_CODES.refused };
  const entry = { step: 'risk', by, rule: 'review', detail: decision, atMs, ...refused };
  return [
    { op: 'delete', table: 'approvalReviews', key: [paymentId], version },
    ...decisionChanges({ id: paymentId, entityId }, [entry], before.length),
  ];
}

/** What carries out decisions. */
export interface ReviewWork {
  readonly store: Pick<Store, 'find' | 'get' | 'commit'>;
  /** Looks at a payment that waits (`PaymentService.continueWaiting`). */
  readonly goOn: (paymentId: string) => Promise<unknown>;
  /** Gives back what an approval took; whether that could be. */
  readonly reverse: (paymentId: string) => Promise<boolean>;
  readonly alerts: Pick<Alerts, 'raise'>;
  readonly onFault: (what: string, error: unknown) => void;
}

/** Carries out what was decided, in this process or by a command; what cannot be done is tried again in the next round. @throws StoreUnavailableError */
export async function carryOutReviews(work: ReviewWork): Promise<void> {
  // One that cannot be carried out holds up none behind it.
  for (const row of await findAll(work.store, 'reviewDecisions', 'state', ['made']))
    await carryOutReview(work, row);
}

/** Carries out one decision, once. */
export async function carryOutReview(work: ReviewWork, row: ReviewDecisionRow): Promise<void> {
  const { store, goOn, onFault } = work;
  const { paymentId } = row;
  if (row.state !== 'made') return;
  try {
    await goOn(paymentId);
    const wait = await store.get('waits', [paymentId]);
    // Its wait for this review is over, whatever has ended it.
    if (wait && wait.kind === 'review' && wait.untilMs !== null) return;
    if (row.decision === 'refused') await reverseApproval(work, row);
    await store.commit([{ op: 'update', table: 'reviewDecisions', row: { ...row, state: 'carried-out' } }]);
  } catch (error) {
    // Another process was faster.
    if (error instanceof CommitConflict) return;
    onFault(`the review of payment ${paymentId} was not carried out`, error);
  }
}

/** Nothing of a refused approval stands; one that waited for its review was declined. */
async function reverseApproval(
  { store, reverse, alerts }: ReviewWork,
  { paymentId, entityId }: ReviewDecisionRow,
): Promise<void> {
  const payment = await store.get('payments', [paymentId]);
  if (!payment || payment.state === 'declined' || (await reverse(paymentId))) return;
  const detail = 'neither a reversal nor a refund was approved';
  await alerts.raise({ code: 'review-not-reversed', subject: paymentId, entityId, detail });
}
