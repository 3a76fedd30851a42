import type { PaymentService } from '../../core/payments/payment-service.js';
import type { CheckoutRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import type { PostedBefore } from './rules/posted-before.js';

/** What posts are looked up with. */
export interface PostedParts {
  readonly store: Pick<Store, 'get'>;
  readonly service: Pick<PaymentService, 'lookUp'>;
}

/** What was posted to a checkout last; undefined where nothing came of it. @throws StoreUnavailableError */
export async function postedBefore(
  { store, service }: PostedParts,
  { posted, postedId }: CheckoutRow,
): Promise<PostedBefore | undefined> {
  if (posted === null || postedId === null) return undefined;
  if (posted === 'registration') {
    const registration = await store.get('registrations', [postedId]);
    return registration && { state: 'done', registration };
  }
  const payment = await service.lookUp(postedId, async () => true);
  if (!payment) return undefined;
  const wait = payment.state === 'pending' ? await store.get('waits', [postedId]) : undefined;
  return { state: payment.state, payment, wait: wait && wait.untilMs !== null ? wait.kind : undefined };
}
