import type { PaymentService } from '../../core/payments/payment-service.js';
import type { CheckoutRow, PaymentRow, RegistrationRow, WaitRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';

/** What posts are looked up with. */
export interface PostedParts {
  readonly store: Pick<Store, 'get'>;
  readonly service: Pick<PaymentService, 'lookUp'>;
}

/** What a browser posted to a checkout last, as it stands now. */
export interface PostedBefore {
  /** Of a registration `done`: it is there or it is not. */
  readonly state: PaymentRow['state'] | 'done';
  /** What its payment waits for; undefined where it does not wait. */
  readonly wait?: WaitRow['kind'] | undefined;
  readonly payment?: PaymentRow;
  readonly registration?: RegistrationRow;
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

/** Whether what was posted has an outcome with which the checkout ends. Pure. */
export function isFinal(before: PostedBefore | undefined): boolean {
  return before !== undefined && before.state !== 'declined' && before.state !== 'pending';
}
