import type { FollowUpRequest, PaymentRequest } from '@tillbridge/gateway/core/payments/rules/requests.js';
import type { Migration } from '@tillbridge/gateway/core/registrations/registrations.js';
import { minorDigits } from '@tillbridge/wire/payment/minor-digits.js';
import { TEST_CARDS } from '@tillbridge/wire/payment/test-cards.js';
import { SHARED_CURRENCIES, smallestStep } from '../sharing/settlement-terms.js';
import type { SharedCard, SharedKind, SharedRequest, SharedRequests } from '../sharing/shared-request.js';
import type { RareSituation } from '../situations/rare-situations.js';
import { RestClient, type RestClientDeps } from './rest-client.js';

const PAUSE_MS = { min: 10_000, max: 40_000 } as const;
const AT_ONCE = { min: 2, max: 12 } as const;
/** Runs of a settlement at once. */
const MOST_SETTLEMENTS = 3;

/** Amounts are sent with two digits: whole ones of a currency that has none. */
const HUNDREDTHS = { min: 100, max: 99_999 } as const;
const CARDS = [TEST_CARDS.visaCredit, TEST_CARDS.mastercardDebit, TEST_CARDS.mastercardDeclined] as const;

/** What happens at once. */
const RUSHES = {
  agreement: 3,
  agreementOfTwoCards: 1,
  registrations: 3,
  migrations: 2,
  captures: 2,
  refunds: 3,
  payments: 2,
  settlement: 3,
} as const;
type Rush = keyof typeof RUSHES;

/** What a merchant whose requests come at once is run with. */
interface SharingMerchantDeps extends Omit<RestClientDeps, 'name'> {
  readonly saw: (situation: RareSituation) => void;
}

/**
 * A merchant of many hands over REST: they use one card, one agreement, one registration and one payment at the same moment, in currencies with
 * 0, 2, 3 and 4 digits, while its back office settles. The judge compares the answers.
 */
export class SharingMerchant implements SharedRequests {
  readonly entityId: string;
  readonly requests: SharedRequest[] = [];
  readonly cards: SharedCard[] = [];
  readonly #with: SharingMerchantDeps;
  readonly #client: RestClient;
  #ended = false;
  #underWay = 0;
  #agreements = 0;

  constructor(deps: SharingMerchantDeps) {
    this.#with = deps;
    this.#client = new RestClient({ ...deps, name: 'sharing' });
    this.entityId = deps.entityId;
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
    const { random, trace } = this.#with;
    while (!this.#ended) {
      const rush = random.weighted(RUSHES);
      const hands = random.whole(AT_ONCE.min, AT_ONCE.max);
      trace.add('sharing', `${hands} at once: ${rush}`);
      this.#underWay += 1;
      void this.#rush(rush, hands).finally(() => {
        this.#underWay -= 1;
      });
      await this.#client.pause(PAUSE_MS);
    }
  }

  async #rush(rush: Rush, hands: number): Promise<void> {
    switch (rush) {
      case 'agreement':
        return this.#begin(hands, [this.#with.random.pick(CARDS)]);
      case 'agreementOfTwoCards':
        return this.#begin(hands, [TEST_CARDS.visaCredit, TEST_CARDS.mastercardDebit]);
      case 'registrations':
        return this.#register(hands);
      case 'migrations':
        return this.#register(hands, { references: [`M-${this.requests.length + 1}`], type: 'UNSCHEDULED' });
      case 'captures':
        return this.#follow(hands, 'hold', 'capture');
      case 'refunds':
        return this.#follow(hands, 'payment', 'refund');
      case 'payments':
        await this.#client.atOnce(hands, () =>
          this.#pay(this.#new('payment', this.#amount()), this.#with.random.pick(CARDS)),
        );
        return;
      case 'settlement':
        return this.#settle(Math.min(hands, MOST_SETTLEMENTS));
    }
  }

  /** Several runs of a settlement, while others pay. */
  async #settle(runs: number): Promise<void> {
    const written = await this.#client.atOnce(runs, () =>
      this.#client.backOffice('settlement', (office) => office.settle()),
    );
    if (this.#underWay > 1 && written.some((records) => records !== undefined && records > 0))
      this.#with.saw('settlement while others paid');
  }

  /** First payments of one agreement, with one card or with two. */
  async #begin(hands: number, cards: readonly (typeof CARDS)[number][]): Promise<void> {
    this.#agreements += 1;
    const id = `AGREEMENT-${this.#agreements}`;
    const made = await this.#client.atOnce(hands, (at) => {
      const card = cards[at % cards.length] ?? CARDS[0];
      return this.#pay(this.#new('payment', this.#amount(), { agreement: { id, pan: card.pan } }), card);
    });
    if (made.filter(({ outcome }) => outcome === 'approved').length > 1)
      this.#with.saw('payments of one agreement approved at once');
  }

  /** The same card of one customer, stored by several at once, some of them with a payment. */
  async #register(hands: number, migration?: Migration): Promise<void> {
    const { random, saw } = this.#with;
    const { pan, brand } = random.pick(CARDS);
    const customerId = `customer-${random.whole(1, 3)}`;
    const known = this.cards.find((each) => each.pan === pan && each.customerId === customerId);
    const shared = known ?? { pan, customerId, ids: [] };
    if (!known) this.cards.push(shared);
    const details = { kind: 'card', pan, expiryYear: '2031', expiryMonth: '12' } as const;
    const made = { entityId: this.entityId, details, brand, echo: {}, customerId };
    const rows = await this.#client.atOnce(hands, () =>
      this.#client.backOffice(`registration of ${customerId}`, ({ registrations }) =>
        registrations.create(made, migration),
      ),
    );
    for (const row of rows) if (row) shared.ids.push(row.id);
    if (rows.filter((row) => row !== undefined).length > 1) saw('one card registered at once');
  }

  /** Several requests at once capture a hold or refund a payment in parts: their sum may be too much. */
  async #follow(hands: number, kind: 'hold' | 'payment', then: 'capture' | 'refund'): Promise<void> {
    const { random, saw } = this.#with;
    const amount = this.#amount();
    const paid = await this.#pay(this.#new(kind, amount), TEST_CARDS.visaCredit);
    const { paymentId } = paid;
    if (paid.outcome !== 'approved' || paymentId === undefined) return;
    const payments = await this.#client.atOnce(hands, () => {
      const { currency } = amount;
      const minor =
        smallestStep(currency) * random.whole(1, Math.ceil(amount.minor / smallestStep(currency) / 2));
      return this.#client.send(
        this.#new(then, { minor, currency }, { of: paid }),
        (service, origin, reference) =>
          service.followUp({
            origin,
            type: then === 'capture' ? 'CP' : 'RF',
            target: { by: 'payment', paymentId },
            amount: { minor, currency },
            reference,
          } satisfies FollowUpRequest),
      );
    });
    if (payments.filter(({ outcome }) => outcome === 'approved').length > 1)
      saw(`${then}s of one payment at once`);
    if (!random.chance(0.3)) return;
    const { outcome } = await this.#client.send(
      this.#new('reversal', amount, { of: paid }),
      (service, origin, reference) =>
        service.followUp({ origin, type: 'RV', target: { by: 'payment', paymentId }, reference }),
    );
    if (outcome === 'approved') saw('shared payment reversed');
  }

  #pay(request: SharedRequest, { pan }: (typeof CARDS)[number]): Promise<SharedRequest> {
    const { agreement, amount, kind } = request;
    return this.#client.send(request, (service, origin, reference) =>
      service.authorize({
        origin,
        type: kind === 'hold' ? 'PA' : 'DB',
        amount,
        reference,
        card: { number: pan, expiryMonth: '12', expiryYear: '2031' },
        ...(agreement && {
          standing: { type: 'UNSCHEDULED', mode: 'INITIAL', source: 'CIT', agreementId: agreement.id },
        }),
      } satisfies PaymentRequest),
    );
  }

  #new(kind: SharedKind, amount: SharedRequest['amount'], about: Partial<SharedRequest> = {}): SharedRequest {
    const reference = `S-${this.requests.length + 1}`;
    const request: SharedRequest = { ...about, reference, kind, amount };
    this.requests.push(request);
    return request;
  }

  #amount(): SharedRequest['amount'] {
    const { random } = this.#with;
    const currency = random.pick(SHARED_CURRENCIES);
    const hundredths = random.whole(HUNDREDTHS.min, HUNDREDTHS.max);
    const minor = Math.max(
      1,
      Math.floor((hundredths * 10 ** minorDigits(currency)) / 100 / smallestStep(currency)),
    );
    return { minor: minor * smallestStep(currency), currency };
  }
}
