import { formatAmount } from '@tillbridge/wire/payment/money.js';
import type { AlertSourceDeps } from '../../core/inbox/alert-source.js';
import {
  INBOX_LIMITS,
  type InboxAction,
  type InboxCall,
  type InboxItem,
  type InboxSource,
  type InboxState,
} from '../../core/inbox/inbox-source.js';
import { detailOf } from '../../core/payments/rules/intent-detail.js';
import { RequestRefused } from '../../kernel/http/request/envelope.js';
import { needed } from '../../kernel/http/request/valid-values.js';
import type { PaymentRow, ReviewDecisionRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import {
  carryOutReview,
  decideReview,
  listReviews,
  type ReviewView,
  type ReviewWork,
  reviewedEntity,
} from './service.js';

/** Decisions by the word that a person sends. */
const DECISIONS = { release: 'released', refuse: 'refused' } as const satisfies Readonly<
  Record<string, ReviewDecisionRow['decision']>
>;

/** Payments that a person has to release or refuse. */
export function reviewSource(deps: AlertSourceDeps, reviews: ReviewWork): InboxSource {
  const { store } = deps;
  return {
    kind: 'review',
    list: async ({ owners }) => {
      const undecided = (await listReviews(store, owners)).filter(({ decision }) => decision === undefined);
      return Promise.all(undecided.slice(0, INBOX_LIMITS.perSource).map((view) => itemOf(store, view)));
    },
    resolve: (call) => resolve(deps, reviews, call),
  };
}

async function itemOf(store: Pick<Store, 'get'>, view: ReviewView): Promise<InboxItem> {
  const { paymentId, entityId, resultCode, since, until } = view;
  const payment = await paymentOf(store, paymentId);
  const amount =
    payment &&
    `${formatAmount({ minor: payment.amountMinor, currency: payment.currency })} ${payment.currency}`;
  return {
    kind: 'review',
    id: paymentId,
    severity: until === undefined ? 'warning' : 'critical',
    sinceMs: Date.parse(since),
    ...(until !== undefined && { untilMs: Date.parse(until) }),
    entityId,
    paymentId,
    text:
      until === undefined
        ? 'a payment is approved, and its result requires a review'
        : 'a payment waits for a review, and is refused without one',
    detail: `${amount === undefined ? '' : `${amount}, `}result code ${resultCode}`,
    action: actionOn(until === undefined, amount ?? 'the amount'),
  };
}

function actionOn(isApproved: boolean, amount: string): InboxAction {
  return {
    name: 'decide',
    text: 'Releases the payment or refuses it: the first word counts.',
    money: isApproved
      ? `Release lets ${amount} stay as approved. Refuse gives it back.`
      : `Release requests ${amount} from the acquirer. Refuse moves no money.`,
    right: 'administration',
    parameters: [
      { name: 'decision', required: true, values: Object.keys(DECISIONS) },
      { name: 'note', required: false },
    ],
  };
}

/** The payment of a review: one that waits stands in its intent. */
async function paymentOf(
  store: Pick<Store, 'get'>,
  paymentId: string,
): Promise<Pick<PaymentRow, 'amountMinor' | 'currency'> | undefined> {
  const wait = await store.get('waits', [paymentId]);
  const intent = wait && (await store.get('intents', [wait.intentId]));
  return intent ? detailOf(intent).draft : store.get('payments', [paymentId]);
}

async function resolve(
  { clock }: AlertSourceDeps,
  reviews: ReviewWork,
  { id: paymentId, owners, store, values, actor }: InboxCall,
): Promise<InboxState | undefined> {
  if ((await reviewedEntity(store, paymentId, owners)) === undefined) return undefined;
  const word = needed(values, 'decision');
  const decision = word === 'release' || word === 'refuse' ? DECISIONS[word] : undefined;
  if (!decision) throw refusal(word, 'must be release or refuse');
  const note = values.get('note') ?? '';
  const counted = await decideReview({ store, clock }, { paymentId, decision, actor, note });
  if (!counted) return undefined;
  await carryOutReview(reviews, counted);
  if (counted.decision !== decision)
    throw refusal(
      word,
      `the payment was ${counted.decision} before, by ${counted.actor}: the first word counts`,
    );
  return counted.decision;
}

function refusal(value: string, message: string): RequestRefused {
  return new RequestRefused('inbox-refused', [{ name: 'decision', value, message }]);
}
