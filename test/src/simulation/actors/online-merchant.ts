import { findByReference } from '@tillbridge/gateway/core/payments/lookup/find-by-reference.js';
import type { PaymentService } from '@tillbridge/gateway/core/payments/payment-service.js';
import { TryLaterError } from '@tillbridge/gateway/kernel/errors/try-later-error.js';
import { type Store, StoreUnavailableError } from '@tillbridge/gateway/kernel/store/store.js';
import { TEST_CARDS } from '@tillbridge/wire/payment/test-cards.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Order, Orders } from '../checks/order-check.js';
import type { SeededRandom } from '../kernel/seeded-random.js';
import type { Trace } from '../kernel/trace.js';
import type { GatewayMachine } from '../parts/gateway-machine.js';
import { MAY_BEGIN_MS } from './absent-payment.js';

const PAUSE_MS = { min: 2_000, max: 12_000 } as const;
/** Longer than the gateway needs to commit a request: what it does not know then, it never got. */
const ANSWER_TIMEOUT_MS = 30_000;

/** What a merchant over REST is run with. */
interface OnlineMerchantDeps {
  readonly entityId: string;
  readonly clock: Clock;
  readonly random: SeededRandom;
  readonly trace: Trace;
  /** The gateway that a request comes to now. */
  readonly gateway: () => GatewayMachine;
  /** Called with an error that the gateway should not have: to the merchant it is no answer. */
  readonly onFault: (error: unknown) => void;
}

/** What the gateway knows of a reference. */
type Known = 'absent' | 'pending' | 'paid' | 'declined';

/**
 * An honest merchant that pays over REST without idempotency keys. After no answer it looks its reference up, and pays once more where the
 * gateway knows no payment.
 */
export class OnlineMerchant implements Orders {
  readonly orders: Order[] = [];
  readonly entityId: string;
  readonly #with: OnlineMerchantDeps;
  #ended = false;

  constructor(deps: OnlineMerchantDeps) {
    this.#with = deps;
    this.entityId = deps.entityId;
  }

  /** Whether it knows how every order ended. */
  get isQuiet(): boolean {
    return this.orders.every(({ isPaid }) => isPaid !== undefined);
  }

  /** One order after the other, until the end. */
  begin(): void {
    void this.#sell();
  }

  end(): void {
    this.#ended = true;
  }

  async #sell(): Promise<void> {
    const { random, trace } = this.#with;
    while (!this.#ended) {
      const order: Order = { reference: `O-${this.orders.length + 1}`, minor: random.whole(100, 9_999) };
      this.orders.push(order);
      const known = await this.#order(order);
      order.isPaid = known === 'paid';
      trace.add('online', `${order.reference} is ${known}`);
      await this.#pause();
    }
  }

  async #order(order: Order): Promise<Known> {
    const { trace } = this.#with;
    let known: Known | undefined = 'absent';
    while (known !== 'paid' && known !== 'declined') {
      known = known === 'absent' ? await this.#pay(order) : await this.#lookUp(order);
      if (known !== 'paid' && known !== 'declined') {
        trace.add('online', `${order.reference} is ${known ?? 'without an answer'}`);
        await this.#pause();
      }
    }
    return known;
  }

  /** @returns undefined where there was no answer */
  #pay(order: Order): Promise<Known | undefined> {
    const { random, entityId, clock } = this.#with;
    const { reference, minor } = order;
    order.sentAtMs = clock.monotonicMs();
    const { pan } = random.pick(Object.values(TEST_CARDS));
    return this.#call(`order ${reference}`, async (service) => {
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
    const { entityId } = this.#with;
    return this.#call(`query ${reference}`, async (service, store) => {
      const states: string[] = [];
      for (const { id } of await findByReference(store, [entityId], reference)) {
        const payment = await service.lookUp(id, entityId);
        if (payment) states.push(payment.state);
      }
      if (states.length === 0)
        return this.#with.clock.monotonicMs() - sentAtMs < MAY_BEGIN_MS ? undefined : 'absent';
      if (states.includes('pending')) return 'pending';
      return states.includes('captured') ? 'paid' : 'declined';
    });
  }

  /** @returns undefined where the gateway is down, answers that it does not know yet, or does not answer */
  async #call<T>(
    what: string,
    work: (service: PaymentService, store: Store) => Promise<T>,
  ): Promise<T | undefined> {
    const { process, service, store } = this.#with.gateway();
    if (!process || !service || !store) return undefined;
    const answer = process
      .call(what, () => work(service, store))
      .catch((error: unknown) => {
        if (!(error instanceof TryLaterError || error instanceof StoreUnavailableError))
          this.#with.onFault(error);
        return undefined;
      });
    const gone = new Promise<undefined>((resolve) => {
      process.onDeath(() => resolve(undefined));
    });
    return Promise.race([answer, gone, this.#sleep(ANSWER_TIMEOUT_MS)]);
  }

  #pause(): Promise<undefined> {
    return this.#sleep(this.#with.random.whole(PAUSE_MS.min, PAUSE_MS.max));
  }

  #sleep(ms: number): Promise<undefined> {
    return new Promise((resolve) => {
      this.#with.clock.setTimer(ms, () => resolve(undefined));
    });
  }
}
