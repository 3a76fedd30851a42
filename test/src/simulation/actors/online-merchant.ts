import { findByReference } from '@tillbridge/gateway/core/payments/lookup/find-by-reference.js';
import { TEST_CARDS } from '@tillbridge/wire/payment/test-cards.js';
import type { Order, Orders } from '../checks/order-check.js';
import { MAY_BEGIN_MS } from './absent-payment.js';
import { RestMerchant } from './rest-merchant.js';

const PAUSE_MS = { min: 2_000, max: 12_000 } as const;

/** What the gateway knows of a reference. */
type Known = 'absent' | 'pending' | 'paid' | 'declined';

/**
 * An honest merchant that pays over REST without idempotency keys. After no answer it looks its reference up, and pays once more where the
 * gateway knows no payment.
 */
export class OnlineMerchant extends RestMerchant implements Orders {
  readonly orders: Order[] = [];

  /** Whether it knows how every order ended. */
  override get isQuiet(): boolean {
    return this.orders.every(({ isPaid }) => isPaid !== undefined);
  }

  /** One order after the other, until the end. */
  override begin(): void {
    void this.#sell();
  }

  async #sell(): Promise<void> {
    const { random, trace } = this.deps;
    while (!this.ended) {
      const order: Order = { reference: `O-${this.orders.length + 1}`, minor: random.whole(100, 9_999) };
      this.orders.push(order);
      const known = await this.#order(order);
      order.isPaid = known === 'paid';
      trace.add('online', `${order.reference} is ${known}`);
      await this.pause(PAUSE_MS);
    }
  }

  async #order(order: Order): Promise<Known> {
    const { trace } = this.deps;
    let known: Known | undefined = 'absent';
    while (known !== 'paid' && known !== 'declined') {
      known = known === 'absent' ? await this.#pay(order) : await this.#lookUp(order);
      if (known !== 'paid' && known !== 'declined') {
        trace.add('online', `${order.reference} is ${known ?? 'without an answer'}`);
        await this.pause(PAUSE_MS);
      }
    }
    return known;
  }

  /** @returns undefined where there was no answer */
  #pay(order: Order): Promise<Known | undefined> {
    const { random, entityId, clock } = this.deps;
    const { reference, minor } = order;
    order.sentAtMs = clock.monotonicMs();
    const { pan } = random.pick(Object.values(TEST_CARDS));
    return this.call(`order ${reference}`, async ({ service }) => {
      const { disposition } = await service.authorize({
        origin: { kind: 'rest', entityId },
        type: 'DB',
        amount: { minor, currency: 'EUR' },
        reference,
        card: { number: pan, expiryMonth: '12', expiryYear: '2031' },
      });
      return disposition === 'approved' ? 'paid' : 'declined';
    });
  }

  /** As the query of the REST API does it. */
  #lookUp({ reference, sentAtMs = 0 }: Order): Promise<Known | undefined> {
    const { entityId } = this.deps;
    return this.call(`query ${reference}`, async ({ service, store }) => {
      const states: string[] = [];
      for (const { id } of await findByReference(store, [entityId], reference)) {
        const payment = await service.lookUp(id, entityId);
        if (payment) states.push(payment.state);
      }
      if (states.length === 0)
        return this.deps.clock.monotonicMs() - sentAtMs < MAY_BEGIN_MS ? undefined : 'absent';
      if (states.includes('pending')) return 'pending';
      return states.includes('captured') ? 'paid' : 'declined';
    });
  }
}
