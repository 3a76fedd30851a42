import type { FollowUpRequest, PaymentRequest } from '@tillbridge/gateway/core/payments/rules/requests.js';
import { TEST_CARDS } from '@tillbridge/wire/payment/test-cards.js';
import { TEST_GIFT_CARDS, type TestGiftCard } from '@tillbridge/wire/payment/test-gift-cards.js';
import type { CartRequest, CartRequests } from '../carts/cart-request.js';
import type { RareSituation } from '../situations/rare-situations.js';
import { RestClient, type RestClientDeps } from './rest-client.js';

const PAUSE_MS = { min: 8_000, max: 30_000 } as const;
const AT_ONCE = { min: 2, max: 5 } as const;
/** Orders that want the same parts at once. */
const ORDERS = { min: 1, max: 3 } as const;
const PART_SHARE = { min: 5, max: 60 } as const;
const ORDER_CENTS = { min: 100, max: 9_999 } as const;
/** The issuer refuses the last one: what a gift card paid for such an order is given back. */
const CARDS = [TEST_CARDS.visaCredit, TEST_CARDS.mastercardDebit, TEST_CARDS.mastercardDeclined] as const;
/** Share of the orders of which another merchant wants the parts at the same moment. */
const FOREIGN_SHARE = 0.3;
/** Share of the orders of which a part is given back at the same moment. */
const TAKEN_BACK_SHARE = 0.4;

/** What happens at once. */
const RUSHES = { orders: 5, parts: 2, loads: 1 } as const;

const GIFT_CARDS = TEST_GIFT_CARDS.filter(({ behaviour }) => behaviour.kind === 'pay');

/** What a merchant with gift cards is run with. */
interface CartMerchantDeps extends Omit<RestClientDeps, 'name' | 'entityId'> {
  /** Itself, and another merchant that knows ids of its payments. */
  readonly entityIds: readonly [own: string, other: string];
  readonly saw: (situation: RareSituation) => void;
}

/**
 * A merchant whose shoppers pay orders with gift cards, and the rest with a card. Many use one gift card, and the same parts, at the same moment;
 * another merchant wants to pay with them too.
 */
export class CartMerchant implements CartRequests {
  readonly requests: CartRequest[] = [];
  readonly entityIds: readonly string[];
  readonly #with: CartMerchantDeps;
  readonly #own: RestClient;
  readonly #other: RestClient;
  #ended = false;
  #underWay = 0;

  constructor(deps: CartMerchantDeps) {
    this.#with = deps;
    this.entityIds = deps.entityIds;
    const [own, other] = deps.entityIds;
    this.#own = new RestClient({ ...deps, entityId: own, name: 'cart' });
    this.#other = new RestClient({ ...deps, entityId: other, name: 'other cart' });
  }

  /** Whether it knows how every request ended. */
  get isQuiet(): boolean {
    return this.#ended && this.#underWay === 0;
  }

  begin(): void {
    void this.#work();
  }

  end(): void {
    this.#ended = true;
  }

  async #work(): Promise<void> {
    const { random } = this.#with;
    while (!this.#ended) {
      this.#underWay += 1;
      void this.#rush(random.weighted(RUSHES)).finally(() => {
        this.#underWay -= 1;
      });
      await this.#own.pause(PAUSE_MS);
    }
  }

  async #rush(rush: keyof typeof RUSHES): Promise<void> {
    const { random } = this.#with;
    const giftCard = random.pick(GIFT_CARDS);
    const hands = random.whole(AT_ONCE.min, AT_ONCE.max);
    if (rush === 'orders') await this.#orders(giftCard);
    else if (rush === 'parts') await this.#own.atOnce(hands, () => this.#part(giftCard));
    else await this.#own.atOnce(hands, () => this.#load(giftCard));
  }

  /** Orders that want the same parts at once; meanwhile another merchant wants them, or one of them is given back. */
  async #orders(giftCard: TestGiftCard): Promise<void> {
    const { random, saw } = this.#with;
    const paid = await this.#own.atOnce(random.whole(1, 2), () => this.#part(giftCard));
    const parts = paid.filter(({ outcome, paymentId }) => outcome === 'approved' && paymentId !== undefined);
    const [first] = parts;
    if (!first) return;
    const orders = this.#own.atOnce(random.whole(ORDERS.min, ORDERS.max), () =>
      this.#order(this.#own, this.#with.entityIds[0], parts),
    );
    const foreign = random.chance(FOREIGN_SHARE)
      ? this.#other.atOnce(1, () => this.#order(this.#other, this.#with.entityIds[1], parts))
      : [];
    const back = random.chance(TAKEN_BACK_SHARE) ? this.#own.atOnce(1, () => this.#takeBack(first)) : [];
    const [ended, [given]] = await Promise.all([orders, back, foreign]);
    if (ended.filter(({ outcome }) => outcome === 'declined').length > 0 && ended.length > 1)
      saw('orders with the same gift-card payment at once');
    if (given?.outcome === 'approved') saw('gift-card payment given back while orders wanted it');
  }

  #order(client: RestClient, entityId: string, parts: readonly CartRequest[]): Promise<CartRequest> {
    const { random } = this.#with;
    const amount = {
      minor: random.whole(ORDER_CENTS.min, ORDER_CENTS.max),
      currency: parts[0]?.amount.currency ?? 'EUR',
    };
    const { pan } = random.pick(CARDS);
    const cart = parts.flatMap(({ paymentId }) => paymentId ?? []);
    const request = this.#new({ kind: 'order', entityId, amount, parts });
    return client.send(request, (service, origin, reference) =>
      service.authorize({
        ...{ origin, type: 'DB', amount, reference, cart },
        card: { number: pan, expiryMonth: '12', expiryYear: '2031' },
      } satisfies PaymentRequest),
    );
  }

  /** A payment with a gift card; many of them want more than is left. */
  #part({ number, pin, currency, openingMinor }: TestGiftCard): Promise<CartRequest> {
    const share = this.#with.random.whole(PART_SHARE.min, PART_SHARE.max);
    const amount = { minor: Math.floor((openingMinor * share) / 100), currency };
    return this.#withGiftCard('part', { number, pin }, amount);
  }

  #load({ number, pin, currency, openingMinor }: TestGiftCard): Promise<CartRequest> {
    const amount = { minor: this.#with.random.whole(1, openingMinor), currency };
    return this.#withGiftCard('load', { number, pin }, amount);
  }

  #withGiftCard(
    kind: 'part' | 'load',
    { number, pin }: Pick<TestGiftCard, 'number' | 'pin'>,
    amount: CartRequest['amount'],
  ): Promise<CartRequest> {
    const request = this.#new({ kind, entityId: this.#with.entityIds[0], amount, giftCard: number });
    return this.#own.send(request, (service, origin, reference) =>
      service.authorize({
        ...{ origin, amount, reference, type: kind === 'load' ? 'CD' : 'DB' },
        brand: 'GIFTCARD',
        instrument: { kind: 'gift-card', brand: 'GIFTCARD', number, pin },
      } satisfies PaymentRequest),
    );
  }

  /** Refunds some of it, or reverses it. */
  #takeBack(part: CartRequest): Promise<CartRequest> {
    const { random, entityIds } = this.#with;
    const { paymentId = '', amount } = part;
    const kind = random.pick(['refund', 'reversal'] as const);
    const given = kind === 'reversal' ? amount : { ...amount, minor: random.whole(1, amount.minor) };
    const request = this.#new({ kind, entityId: entityIds[0], amount: given, of: part });
    return this.#own.send(request, (service, origin, reference) =>
      service.followUp({
        ...{ origin, reference, type: kind === 'refund' ? 'RF' : 'RV' },
        target: { by: 'payment', paymentId },
        ...(kind === 'refund' && { amount: given }),
      } satisfies FollowUpRequest),
    );
  }

  #new(about: Omit<CartRequest, 'reference'>): CartRequest {
    const request: CartRequest = { ...about, reference: `G-${this.requests.length + 1}` };
    this.requests.push(request);
    return request;
  }
}
