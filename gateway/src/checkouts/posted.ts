import type { PaymentService } from '../payments/payment-service.js';
import type { CheckoutRow, PaymentRow } from '../store/rows.js';
import type { Store } from '../store/store.js';
import type { PostedBefore } from './decide-post.js';

/** What posts are looked up with. */
export interface PostedParts {
  readonly store: Pick<Store, 'get'>;
  readonly service: Pick<PaymentService, 'lookUp'>;
}

/** The payment that was posted to a checkout last, and what it waits for; undefined where nothing came of the post. */
export async function postedBefore(
  { store, service }: PostedParts,
  { posted, postedId }: CheckoutRow,
): Promise<(PostedBefore & { readonly payment: PaymentRow }) | undefined> {
  if (posted !== 'payment' || postedId === null) return undefined;
  const payment = await service.lookUp(postedId, async () => true);
  if (!payment) return undefined;
  const wait = payment.state === 'pending' ? await store.get('waits', [postedId]) : undefined;
  return { state: payment.state, payment, wait: wait && wait.dueAtMs !== null ? wait.kind : undefined };
}

/** Whether what was posted has an outcome with which the checkout ends. Pure. */
export function isFinal(before: PostedBefore | undefined): boolean {
  return before !== undefined && before.state !== 'declined' && before.state !== 'pending';
}
