import { AcquirerUnreachableError } from '@tillbridge/gateway/core/acquirers/acquirer.js';
import type { PaymentService } from '@tillbridge/gateway/core/payments/payment-service.js';
import type {
  FollowUpRequest,
  PaymentRequest,
  PaymentResult,
} from '@tillbridge/gateway/core/payments/rules/requests.js';
import type { Migration } from '@tillbridge/gateway/core/registrations/registrations.js';
import { minorDigits } from '@tillbridge/wire/payment/minor-digits.js';
import { TEST_CARDS } from '@tillbridge/wire/payment/test-cards.js';
import type { BackOffice } from '../sharing/back-office.js';
import type {
  SharedCard,
  SharedEnd,
  SharedKind,
  SharedRequest,
  SharedRequests,
} from '../sharing/shared-request.js';
import type { RareSituation } from '../situations/rare-situations.js';
import { MAY_BEGIN_MS } from './absent-payment.js';
import { RestMerchant, type RestMerchantDeps } from './rest-merchant.js';

const PAUSE_MS = { min: 10_000, max: 40_000 } as const;
/** How far apart those are who come at once. */
const APART_MS = 40;
const AT_ONCE = { min: 2, max: 12 } as const;
/** Runs of a settlement at once. */
const MOST_SETTLEMENTS = 3;
const LOOK_MS = { min: 2_000, max: 15_000 } as const;

/** Currencies with no digit, two, three and four. */
const CURRENCIES = ['EUR', 'USD', 'JPY', 'KWD', 'BHD', 'CLF'] as const;
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

/** The answer to another card that wants an agreement or a migration which one has. */
const TAKEN_ERROR = 'AgreementInUseError';

/** What a merchant whose requests come at once is run with. */
interface SharingMerchantDeps extends RestMerchantDeps {
  readonly saw: (situation: RareSituation) => void;
  readonly breach: (text: string) => void;
}

/**
 * A merchant of many hands over REST: they use one card, one agreement, one registration and one payment at the same moment, in currencies with
 * 0, 2, 3 and 4 digits, while its back office settles. The judge compares the answers.
 */
export class SharingMerchant extends RestMerchant<SharingMerchantDeps> implements SharedRequests {
  readonly requests: SharedRequest[] = [];
  readonly cards: SharedCard[] = [];
  #underWay = 0;
  #agreements = 0;

  /** Whether it knows how every request ended. */
  override get isQuiet(): boolean {
    return this.ended && this.#underWay === 0;
  }

  override begin(): void {
    void this.#work();
  }

  async #work(): Promise<void> {
    const { random, trace } = this.deps;
    while (!this.ended) {
      const rush = random.weighted(RUSHES);
      const hands = random.whole(AT_ONCE.min, AT_ONCE.max);
      trace.add('sharing', `${hands} at once: ${rush}`);
      this.#underWay += 1;
      void this.#rush(rush, hands).finally(() => {
        this.#underWay -= 1;
      });
      await this.pause(PAUSE_MS);
    }
  }

  async #rush(rush: Rush, hands: number): Promise<void> {
    switch (rush) {
      case 'agreement':
        return this.#begin(hands, [this.deps.random.pick(CARDS)]);
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
        await this.#atOnce(hands, () =>
          this.#pay(this.#new('payment', this.#amount()), this.deps.random.pick(CARDS)),
        );
        return;
      case 'settlement':
        return this.#settle(Math.min(hands, MOST_SETTLEMENTS));
    }
  }

  /** Several runs of a settlement, while others pay. */
  async #settle(runs: number): Promise<void> {
    const written = await this.#atOnce(runs, () =>
      this.#backOffice('settlement', (office) => office.settle()),
    );
    if (this.#underWay > 1 && written.some((records) => records !== undefined && records > 0))
      this.deps.saw('settlement while others paid');
  }

  /** First payments of one agreement, with one card or with two. */
  async #begin(hands: number, cards: readonly (typeof CARDS)[number][]): Promise<void> {
    this.#agreements += 1;
    const id = `AGREEMENT-${this.#agreements}`;
    const made = await this.#atOnce(hands, (at) => {
      const card = cards[at % cards.length] ?? CARDS[0];
      return this.#pay(this.#new('payment', this.#amount(), { agreement: { id, pan: card.pan } }), card);
    });
    if (made.filter(({ outcome }) => outcome === 'approved').length > 1)
      this.deps.saw('payments of one agreement approved at once');
  }

  /** The same card of one customer, stored by several at once, some of them with a payment. */
  async #register(hands: number, migration?: Migration): Promise<void> {
    const { random, saw } = this.deps;
    const { pan, brand } = random.pick(CARDS);
    const customerId = `customer-${random.whole(1, 3)}`;
    const known = this.cards.find((each) => each.pan === pan && each.customerId === customerId);
    const shared = known ?? { pan, customerId, ids: [] };
    if (!known) this.cards.push(shared);
    const details = { kind: 'card', pan, expiryYear: '2031', expiryMonth: '12' } as const;
    const made = { entityId: this.entityId, details, brand, echo: {}, customerId };
    const rows = await this.#atOnce(hands, () =>
      this.#backOffice(`registration of ${customerId}`, ({ registrations }) =>
        registrations.create(made, migration),
      ),
    );
    for (const row of rows) if (row) shared.ids.push(row.id);
    if (rows.filter((row) => row !== undefined).length > 1) saw('one card registered at once');
  }

  /** A hold that is captured in parts, or a payment that is given back in parts, by several at once: together they ask for too much. */
  async #follow(hands: number, kind: 'hold' | 'payment', then: 'capture' | 'refund'): Promise<void> {
    const { random, saw } = this.deps;
    const amount = this.#amount();
    const paid = await this.#pay(this.#new(kind, amount), TEST_CARDS.visaCredit);
    const { paymentId } = paid;
    if (paid.outcome !== 'approved' || paymentId === undefined) return;
    const payments = await this.#atOnce(hands, () => {
      const { currency } = amount;
      const minor = stepOf(currency) * random.whole(1, Math.ceil(amount.minor / stepOf(currency) / 2));
      return this.#ask(this.#new(then, { minor, currency }, { of: paid }), (service, origin, reference) =>
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
    const { outcome } = await this.#ask(
      this.#new('reversal', amount, { of: paid }),
      (service, origin, reference) =>
        service.followUp({ origin, type: 'RV', target: { by: 'payment', paymentId }, reference }),
    );
    if (outcome === 'approved') saw('shared payment reversed');
  }

  #pay(request: SharedRequest, { pan }: (typeof CARDS)[number]): Promise<SharedRequest> {
    const { agreement, amount, kind } = request;
    return this.#ask(request, (service, origin, reference) =>
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
    const { random } = this.deps;
    const currency = random.pick(CURRENCIES);
    const hundredths = random.whole(HUNDREDTHS.min, HUNDREDTHS.max);
    const minor = Math.max(
      1,
      Math.floor((hundredths * 10 ** minorDigits(currency)) / 100 / stepOf(currency)),
    );
    return { minor: minor * stepOf(currency), currency };
  }

  /** Asks once; without an answer it looks the reference up until it knows. */
  async #ask(
    request: SharedRequest,
    work: (
      service: PaymentService,
      origin: { readonly kind: 'rest'; readonly entityId: string },
      reference: string,
    ) => Promise<PaymentResult>,
  ): Promise<SharedRequest> {
    const { trace, clock } = this.deps;
    const { reference } = request;
    request.sentAtMs = clock.monotonicMs();
    const result = await this.call(reference, ({ service }) =>
      work(service, { kind: 'rest', entityId: this.entityId }, reference),
    );
    if (result) {
      if (result.paymentId !== undefined) request.paymentId = result.paymentId;
      this.#record(request, APPROVED.has(result.disposition) ? 'approved' : 'declined');
    }
    while (request.outcome === undefined) {
      await this.pause(LOOK_MS);
      await this.#lookUp(request);
    }
    trace.add('sharing', `${reference} ${request.kind} is ${request.outcome}`);
    return request;
  }

  async #lookUp(request: SharedRequest): Promise<void> {
    const found = await this.find(request.reference);
    const isFinal = this.deps.clock.monotonicMs() - (request.sentAtMs ?? 0) >= MAY_BEGIN_MS;
    if (found === 'absent' && isFinal) this.#record(request, 'absent');
    if (found === undefined || found === 'absent' || found.state === 'pending') return;
    request.paymentId = found.id;
    this.#record(request, found.state === 'declined' ? 'declined' : 'approved');
  }

  #record(request: SharedRequest, end: SharedEnd): void {
    if (request.outcome !== undefined && request.outcome !== end)
      this.deps.breach(`${request.reference} was reported as ${request.outcome}, and now as ${end}`);
    request.outcome = end;
  }

  async #backOffice<T>(what: string, work: (office: BackOffice) => Promise<T>): Promise<T | undefined> {
    return this.call(what, ({ backOffice }) => work(backOffice));
  }

  /** 409 answers for what belongs to another card, too. */
  protected override isAnswer(error: unknown): boolean {
    if (error instanceof AcquirerUnreachableError) return true;
    return super.isAnswer(error) || (error instanceof Error && error.name === TAKEN_ERROR);
  }

  /** Several do the same within a moment. */
  #atOnce<T>(hands: number, work: (at: number) => Promise<T>): Promise<T[]> {
    const { random } = this.deps;
    return Promise.all(
      Array.from({ length: hands }, async (_, at) => {
        await this.sleep(random.whole(0, APART_MS));
        return work(at);
      }),
    );
  }
}

const APPROVED: ReadonlySet<PaymentResult['disposition']> = new Set(['approved', 'reversed']);

/** The least that two digits behind the point show, in minor units. */
function stepOf(currency: string): number {
  return 10 ** Math.max(0, minorDigits(currency) - 2);
}
