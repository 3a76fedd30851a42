import type { PaymentResult } from '@tillbridge/gateway/core/payments/rules/requests.js';
import { WAITS } from '@tillbridge/gateway/core/payments/rules/waits.js';
import type { PaymentRow } from '@tillbridge/gateway/kernel/store/rows.js';
import type { WaitKind } from '@tillbridge/gateway/kernel/store/tables/wait-kinds.js';
import { TEST_CARDS } from '@tillbridge/wire/payment/test-cards.js';
import { wrongEnd } from '../checks/wait-check.js';
import { type Shoppers, waitReference } from '../parts/shoppers.js';
import type { WaitEnd, WaitingOrder } from '../parts/waiting-order.js';
import { MAY_BEGIN_MS } from './absent-payment.js';
import { RestMerchant, type RestMerchantDeps } from './rest-merchant.js';

const PAUSE_MS = { min: 4_000, max: 20_000 } as const;
/** How long a shopper takes to decide, and how far apart those are who look at the same payment. */
const THINKING_MS = { min: 0, max: 60_000 } as const;
const LATE_MS = 400;
/** From one look of the merchant to the next. */
const LOOK_MS = { min: 2_000, max: 15_000 } as const;

const KINDS: readonly WaitKind[] = ['redirect', 'redirect', 'challenge', 'mandate', 'review'];

/** What a merchant whose payments wait is run with. */
interface WaitingMerchantDeps extends RestMerchantDeps {
  readonly shoppers: Shoppers;
  readonly breach: (text: string) => void;
}

/**
 * A merchant over REST whose payments wait: for a bank, a challenge, a mandate or a review. Shoppers decide early, late or never, come back,
 * and the merchant looks at the same moment; an outcome that it received must stay so.
 */
export class WaitingMerchant extends RestMerchant<WaitingMerchantDeps> {
  readonly orders: WaitingOrder[] = [];

  /** Whether it knows how every payment ended. */
  override get isQuiet(): boolean {
    return this.orders.every(({ end }) => end !== undefined);
  }

  /** Begins one payment after the other, until the end; each then lives on its own. */
  override begin(): void {
    void this.#sell();
  }

  async #sell(): Promise<void> {
    const { random, clock } = this.deps;
    while (!this.ended) {
      const kind = random.pick(KINDS);
      const beganAtMs = clock.monotonicMs();
      const reference = waitReference(kind, this.orders.length + 1);
      const order: WaitingOrder = { reference, kind, minor: random.whole(100, 9_999), beganAtMs };
      this.orders.push(order);
      void this.#live(order);
      await this.pause(PAUSE_MS);
    }
  }

  async #live(order: WaitingOrder): Promise<void> {
    const { trace } = this.deps;
    await this.#pay(order);
    // The merchant keeps no idempotency key: without an answer it looks its reference up.
    while (order.paymentId === undefined && order.end === undefined) {
      await this.pause(LOOK_MS);
      await this.#lookFor(order);
    }
    const shopper = order.paymentId === undefined ? undefined : this.#shop(order, order.paymentId);
    while (order.end === undefined) {
      await this.pause(LOOK_MS);
      await this.#look(order);
      if (!this.ended) continue;
      if (order.kind === 'redirect') await this.#decideAtBank(order, 'refused');
      // A deadline that was set by a clock a day ahead is a day away.
      else if (this.deps.shoppers.clockWasOff) this.deps.shoppers.decide(order.paymentId ?? '', 'refused');
    }
    await shopper;
    trace.add('waiting', `${order.reference} is ${order.end}`);
    // A later query and a later return get the same answer.
    await this.#look(order);
    await this.#continue(order, 'return');
  }

  async #pay(order: WaitingOrder): Promise<void> {
    const { random, entityId } = this.deps;
    const { reference, minor, kind } = order;
    const { pan } = random.pick(Object.values(TEST_CARDS));
    const result = await this.call(`wait ${reference}`, ({ service }) =>
      service.authorize({
        origin: { kind: 'rest', entityId },
        type: 'DB',
        amount: { minor, currency: 'EUR' },
        reference,
        ...(kind === 'redirect'
          ? {
              instrument: { kind: 'virtual-account', brand: 'PAYPAL' },
              shopperResultUrl: 'https://shop.example/done',
            }
          : { card: { number: pan, expiryMonth: '12', expiryYear: '2031', cvv: '123' } }),
      }),
    );
    this.#recordResult(order, result);
  }

  /** What the shopper does, at a drawn time: approve, refuse or leave; then several look at the same moment. */
  async #shop(order: WaitingOrder, paymentId: string): Promise<void> {
    const { random, clock } = this.deps;
    await this.pause(THINKING_MS);
    const choice = random.pick(['approved', 'approved', 'refused', 'leaves'] as const);
    // A deadline that was set by a clock a day ahead is a day away: no process looks before it.
    const overdue =
      order.kind === 'redirect'
        ? choice === 'leaves' || random.chance(0.3)
        : random.chance(0.3) && !this.deps.shoppers.clockWasOff;
    const at = (): Promise<undefined> => this.sleep(random.whole(0, LATE_MS));
    await Promise.all([
      at().then(async () => {
        if (choice === 'leaves' || order.end !== undefined || order.waits === undefined) return;
        if (order.kind === 'redirect') await this.#decideAtBank(order, choice);
        else {
          order.decided ??= { decision: choice, atMs: clock.monotonicMs() };
          this.deps.shoppers.decide(paymentId, choice);
        }
        // The way back takes a moment; others may look meanwhile.
        await at();
        await this.#continue(order, 'return');
      }),
      at().then(() => this.#look(order)),
      at().then(async () => {
        if (overdue) await this.#continue(order, 'deadline');
      }),
    ]);
  }

  /** The shopper decides at the bank, where it knows the payment. */
  async #decideAtBank(order: WaitingOrder, decision: 'approved' | 'refused'): Promise<void> {
    const { shoppers, gateway, clock } = this.deps;
    const [intent] = await gateway().diskImage.state.find('intents', 'payment', [order.paymentId ?? '']);
    const payments = shoppers.bank.payments;
    if (!intent || payments.find(intent.id)?.state !== 'open') return;
    payments.decide(intent.id, decision);
    order.decided ??= { decision, atMs: clock.monotonicMs() };
  }

  async #continue(order: WaitingOrder, why: 'return' | 'deadline'): Promise<void> {
    const { paymentId = '', reference } = order;
    if (why === 'deadline') order.endedAtMs ??= this.deps.clock.monotonicMs();
    const result = await this.call(`${why} ${reference}`, ({ service }) =>
      service.continueWaiting(paymentId, why),
    );
    this.#recordResult(order, result);
  }

  async #look(order: WaitingOrder): Promise<void> {
    const { entityId } = this.deps;
    const { paymentId = '', reference } = order;
    this.#seen(
      order,
      await this.call(`look ${reference}`, ({ service }) => service.lookUp(paymentId, entityId)),
    );
  }

  async #lookFor(order: WaitingOrder): Promise<void> {
    const found = await this.find(order.reference);
    if (found !== 'absent') this.#seen(order, found);
    else if (this.deps.clock.monotonicMs() - order.beganAtMs >= MAY_BEGIN_MS) order.end = 'absent';
  }

  #recordResult(order: WaitingOrder, result: PaymentResult | undefined): void {
    if (!result) return;
    const { disposition, paymentId, resultCode } = result;
    if (paymentId !== undefined) order.paymentId ??= paymentId;
    if (disposition === 'pending') order.waits = true;
    else this.#record(order, disposition === 'approved' ? 'paid' : 'declined', resultCode);
  }

  #seen(order: WaitingOrder, payment: PaymentRow | undefined): void {
    if (!payment) return;
    order.paymentId ??= payment.id;
    const { state, resultCode } = payment;
    // Another code is that of a request which the acquirer has not answered yet.
    if (state === 'pending' && resultCode !== '000.200.001') order.waits = true;
    if (state !== 'pending') this.#record(order, state === 'captured' ? 'paid' : 'declined', resultCode);
  }

  #record(order: WaitingOrder, end: WaitEnd, code: string): void {
    const { breach } = this.deps;
    const { reference } = order;
    if (order.end === undefined) {
      order.end = end;
      this.#judge(order, end, code);
    } else if (order.end !== end)
      breach(`${reference} was reported as ${order.end}, and now as ${end} (${code})`);
  }

  /** A first outcome must agree with the shopper's decision and the deadline; not with one that a wrong clock of the gateway has set. */
  #judge(order: WaitingOrder, end: WaitEnd, code: string): void {
    const { breach, shoppers, clock } = this.deps;
    const { kind, beganAtMs, paymentId = '' } = order;
    const dueAtMs =
      kind === 'redirect' ? beganAtMs + WAITS.redirect.lifetimeMs : shoppers.deadlineOf(paymentId);
    const hasDeadline = order.waits !== undefined && !shoppers.clockWasOff;
    const wrong = wrongEnd(order, { end, code, dueAtMs, hasDeadline, nowMs: clock.monotonicMs() });
    if (wrong !== undefined) breach(wrong);
  }
}
