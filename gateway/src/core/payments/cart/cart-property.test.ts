import { systemRandom } from '@tillbridge/platform/system-random.js';
import { propertyRuns } from '@tillbridge/wire/seams/testing/property-runs.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newId } from '../../../kernel/store/new-id.js';
import type { CartPaymentRow } from '../../../kernel/store/rows.js';
import type { Change } from '../../../kernel/store/store.js';
import { MemoryStore } from '../../../kernel/store/testing/memory-store.js';
import type { ClaimLoop } from '../../../kernel/workers/claim-loop.js';
import { entityRow } from '../../entities/entities.js';
import {
  ENTITY,
  FailingStore,
  MASTERCARD_DECLINED,
  NOW_MS,
  OTHER_ENTITY,
  openPaymentHarness,
  type PaymentHarness,
  restPayment,
} from '../payment-harness.test.support.js';
import { GatewayPaymentService } from '../service.js';
import { cartReversalLoop } from './cart-reversal-loop.js';

const GIFT_CARD = { kind: 'gift-card', brand: 'GIFTCARD', number: '6036280000000011', pin: '1234' } as const;
/** What is loaded before each history. */
const LOADED_MINOR = 10_000;
const CHANNEL = 'c'.repeat(32);
/** Who makes payments; the first two are one merchant. */
const ENTITIES = [ENTITY, CHANNEL, OTHER_ENTITY];
const merchantOf = (entity: number): number => (entity === 2 ? 2 : 0);
const USED = '700.300.300';
const DECLINED_CARD = { number: MASTERCARD_DECLINED, expiryMonth: '12', expiryYear: '2031', cvv: '123' };

const GIFT = fc.record({
  entity: fc.constantFrom(0, 0, 1, 2),
  minor: fc.integer({ min: 100, max: 500 }),
  type: fc.constantFrom('DB' as const, 'DB' as const, 'PA' as const),
});
/** What another client does to a part of an order after the order has read it and before its commit. */
const MEANWHILE = fc.record({
  do: fc.constantFrom('refund' as const, 'reverse' as const, 'order' as const),
  part: fc.nat(2),
});
const parts = fc.uniqueArray(fc.constantFrom<number>(0, 1, 1, 2, 2, 3), { minLength: 1, maxLength: 3 });
const ORDER = fc.record({
  entity: fc.constantFrom(0, 0, 0, 1, 2),
  parts,
  isDeclined: fc.constantFrom(false, false, true),
});
const STEP = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('gift' as const), gift: GIFT }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('orders' as const),
      orders: fc.array(ORDER, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('race' as const), order: ORDER, meanwhile: MEANWHILE }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('refund' as const, 'reverse' as const), part: fc.nat(3) }),
  },
);
type Meanwhile = typeof MEANWHILE extends fc.Arbitrary<infer T> ? T : never;
type Order = typeof ORDER extends fc.Arbitrary<infer T> ? T : never;

/** A payment with a gift card as the reference has it. */
interface Gift {
  readonly id: string;
  readonly entity: 0 | 1 | 2;
  readonly minor: number;
  readonly type: 'DB' | 'PA';
  givenBack: number;
  /** The order that it pays for. */
  order: string | undefined;
}

interface Gateway {
  readonly harness: PaymentHarness;
  readonly disk: FailingStore;
}

async function openGateway(): Promise<Gateway> {
  const disk = new FailingStore(new MemoryStore());
  const harness = await openPaymentHarness(() => disk);
  const row = entityRow(CHANNEL, 'Channel', ENTITY, NOW_MS);
  await harness.store.commit([{ op: 'insert', table: 'entities', row }]);
  return { harness, disk };
}

class Shop {
  readonly gifts: Gift[] = [];
  readonly #harness: PaymentHarness;
  readonly #disk: FailingStore;
  readonly #services: readonly GatewayPaymentService[];
  readonly #reversals: ClaimLoop<CartPaymentRow>;

  readonly #openingMinor: number;

  private constructor({ harness, disk }: Gateway, openingMinor: number) {
    this.#harness = harness;
    this.#disk = disk;
    this.#openingMinor = openingMinor;
    this.#services = [harness.service, new GatewayPaymentService(harness.context)];
    const { store, clock, context, alerts } = harness;
    this.#reversals = cartReversalLoop({
      store,
      clock,
      random: systemRandom,
      fingerprint: context.fingerprint,
      alerts,
      followUp: (request) => harness.service.followUp(request),
      onFault: (error) => harness.faults.push(String(error)),
    });
  }

  static async open(gateway: Gateway): Promise<Shop> {
    const { card: _, ...load } = restPayment({
      type: 'CD',
      amount: { minor: LOADED_MINOR, currency: 'EUR' },
      instrument: GIFT_CARD,
    });
    await gateway.harness.service.authorize(load);
    return new Shop(gateway, await balanceOf(gateway.harness));
  }

  #origin(at: number) {
    return { kind: 'rest', entityId: ENTITIES[at] ?? '' } as const;
  }

  async gift({ entity, minor, type }: Pick<Gift, 'entity' | 'minor' | 'type'>): Promise<void> {
    const { card: _, ...request } = restPayment({
      type,
      origin: this.#origin(entity),
      amount: { minor, currency: 'EUR' },
      instrument: GIFT_CARD,
    });
    const { paymentId = '', disposition } = await this.#harness.service.authorize(request);
    expect(disposition).toBe('approved');
    this.gifts.push({ id: paymentId, entity, minor, type, givenBack: 0, order: undefined });
  }

  /** Gives a part back by itself; what it gives is what the reference adds. */
  async giveBack(at: number, how: 'refund' | 'reverse'): Promise<void> {
    const gift = this.gifts[at];
    if (!gift) return;
    const minor = how === 'refund' ? 50 : undefined;
    const { disposition } = await this.#harness.service.followUp({
      origin: this.#origin(gift.entity),
      type: how === 'refund' ? 'RF' : 'RV',
      target: { by: 'payment', paymentId: gift.id },
      ...(minor !== undefined && { amount: { minor, currency: 'EUR' } }),
    });
    if (disposition === 'declined' || disposition === 'refused') return;
    gift.givenBack = minor === undefined ? gift.minor : gift.givenBack + minor;
  }

  async orders(all: readonly Order[], wanted?: Meanwhile): Promise<void> {
    const before = this.gifts.map(({ givenBack }) => givenBack);
    // What happens meanwhile happens once, before the commit that begins the order.
    const named = all[0]?.parts ?? [];
    let meanwhile = wanted && { do: wanted.do, at: named[wanted.part % named.length] ?? 0 };
    this.#disk.beforeCommit = async (changes) => {
      if (!meanwhile || !changes.some(isOrder)) return;
      const { do: what, at } = meanwhile;
      meanwhile = undefined;
      if (what === 'order') await this.#other(at);
      else await this.giveBack(at, what);
    };
    const ends = await Promise.all(all.map((order, at) => this.#pay(order, at)));
    this.#disk.beforeCommit = async () => undefined;
    for (const [at, { parts, entity }] of all.entries()) {
      const { paymentId = '', disposition, resultCode } = ends[at] ?? {};
      const gifts = parts.flatMap((part) => this.gifts[part] ?? []);
      if (disposition === 'approved') this.#approved(paymentId, gifts, entity);
      else if (resultCode === USED) this.#explained(gifts, entity, all);
    }
    this.#refused(
      all,
      ends.map((end) => end.disposition === 'approved'),
      before,
    );
    this.#reversals.wake();
    await this.#reversals.idle();
  }

  /** Another order takes the part in this moment. */
  async #other(part: number): Promise<void> {
    const gift = this.gifts[part];
    if (!gift) return;
    const order = { entity: gift.entity, parts: [part], isDeclined: false };
    const { paymentId = '', disposition } = await this.#pay(order, 1);
    if (disposition === 'approved') this.#approved(paymentId, [gift], gift.entity);
  }

  #pay({ entity, parts, isDeclined }: Order, at: number) {
    const cart = parts.flatMap((part) => this.gifts[part]?.id ?? []);
    const service = this.#services[at % 2] as GatewayPaymentService;
    return service.authorize(
      restPayment({
        type: 'DB',
        origin: this.#origin(entity),
        cart,
        ...(isDeclined && { card: DECLINED_CARD }),
      }),
    );
  }

  /** Each part is of the same merchant, whole, and pays for no other order. */
  #approved(order: string, gifts: readonly Gift[], entity: number): void {
    for (const gift of gifts) {
      expect(merchantOf(gift.entity), 'a gift card of another merchant pays').toBe(merchantOf(entity));
      expect(gift.order, 'a part of two orders').toBeUndefined();
      expect(gift.givenBack, 'a part that was given back pays').toBe(0);
      gift.order = order;
    }
  }

  #explained(gifts: readonly Gift[], entity: number, all: readonly Order[]): void {
    const isShared = ({ id }: Gift) =>
      all.filter(({ parts }) => parts.some((part) => this.gifts[part]?.id === id)).length > 1;
    const reasons = gifts.filter(
      (gift) =>
        merchantOf(gift.entity) !== merchantOf(entity) ||
        gift.order !== undefined ||
        gift.givenBack > 0 ||
        isShared(gift),
    );
    expect(reasons, 'an order was refused whose parts could all pay').not.toEqual([]);
  }

  /** What a refused order names is given back, where it was whole and pays for no other order. */
  #refused(all: readonly Order[], paid: readonly boolean[], before: readonly number[]): void {
    for (const [at, { parts, entity }] of all.entries()) {
      if (paid[at]) continue;
      for (const part of parts) {
        const gift = this.gifts[part];
        if (!gift || gift.order !== undefined || merchantOf(gift.entity) !== merchantOf(entity)) continue;
        if (before[part] === 0 && gift.givenBack === 0) gift.givenBack = gift.minor;
      }
    }
  }

  /** The gift card has what was on it, less what was paid, with what was given back; parts of paid orders stay. */
  async check(): Promise<void> {
    const left = this.gifts.reduce(
      (sum, { minor, givenBack }) => sum - minor + givenBack,
      this.#openingMinor,
    );
    expect(await balanceOf(this.#harness)).toBe(left);
    for (const { id, order } of this.gifts) {
      const row = await this.#harness.store.get('cartPayments', [id]);
      if (order === undefined) expect(row?.state ?? 'reversed').toBe('reversed');
      else expect(row).toMatchObject({ orderId: order, state: 'kept' });
    }
    expect(this.#harness.faults).toEqual([]);
  }

  async close(): Promise<void> {
    await this.#reversals.stop();
    await this.#services[1]?.stop();
  }
}

async function balanceOf({ record }: PaymentHarness): Promise<number> {
  const { balance } = await record.balance(newId(systemRandom), GIFT_CARD);
  if (balance?.currency !== 'EUR') throw new Error('the gift card has no balance in EUR');
  return balance.minor;
}

function isOrder(change: Change): boolean {
  return change.op === 'insert' && change.table === 'intents' && change.row.detail.includes('"cart"');
}

it('takes no part in another currency, and gives none of it back', async () => {
  const { harness } = await openGateway();
  const { card: _, ...gift } = restPayment({
    type: 'DB',
    amount: { minor: 100, currency: 'USD' },
    instrument: { ...GIFT_CARD, number: '6036280000000037' },
  });
  const { paymentId = '' } = await harness.service.authorize(gift);
  for (const order of [restPayment({ type: 'DB' }), restPayment({ type: 'DB', card: DECLINED_CARD })]) {
    const { resultCode } = await harness.service.authorize({ ...order, cart: [paymentId] });
    expect(resultCode).toBe(USED);
  }
  expect(await harness.store.get('cartPayments', [paymentId])).toBeUndefined();
  await harness.dispose();
});

it('have parts that pay once, for their own merchant, as long as they are whole', async () => {
  const gateway = await openGateway();
  await fc.assert(
    fc.asyncProperty(
      fc.array(GIFT, { minLength: 2, maxLength: 4 }),
      fc.array(STEP, { minLength: 1, maxLength: 6 }),
      async (gifts, steps) => {
        const shop = await Shop.open(gateway);
        for (const gift of gifts) await shop.gift(gift);
        for (const step of steps) {
          if (step.do === 'gift') await shop.gift(step.gift);
          else if (step.do === 'orders') await shop.orders(step.orders);
          else if (step.do === 'race') await shop.orders([step.order], step.meanwhile);
          else await shop.giveBack(step.part, step.do);
          await shop.check();
        }
        await shop.close();
      },
    ),
    propertyRuns(12),
  );
  await gateway.harness.dispose();
});
