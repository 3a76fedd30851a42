import { AcquirerUnreachableError } from '@tillbridge/gateway/core/acquirers/acquirer.js';
import type { PaymentService } from '@tillbridge/gateway/core/payments/payment-service.js';
import type { PaymentResult, RestOrigin } from '@tillbridge/gateway/core/payments/rules/requests.js';
import type { BackOffice } from '../sharing/back-office.js';
import type { RestRequest, SharedEnd } from '../sharing/rest-request.js';
import { MAY_BEGIN_MS } from './absent-payment.js';
import { RestMerchant, type RestMerchantDeps } from './rest-merchant.js';

/** How far apart those are who come at once. */
const APART_MS = 40;
const LOOK_MS = { min: 2_000, max: 15_000 } as const;

/** The answer to another card that wants an agreement or a migration which one has. */
const TAKEN_ERROR = 'AgreementInUseError';

/** What a client over REST is run with. */
export interface RestClientDeps extends RestMerchantDeps {
  /** In the trace. */
  readonly name: string;
  readonly breach: (text: string) => void;
}

/** A merchant's program over REST, without idempotency keys: it requests what it is given once, and looks up what it got no answer to. */
export class RestClient extends RestMerchant<RestClientDeps> {
  /** It begins nothing by itself. */
  override begin(): void {}

  override get isQuiet(): boolean {
    return true;
  }

  /** Requests once; without an answer it looks the reference up until it knows. */
  async send<R extends RestRequest>(
    request: R,
    work: (service: PaymentService, origin: RestOrigin, reference: string) => Promise<PaymentResult>,
  ): Promise<R> {
    const { trace, clock, entityId, name } = this.deps;
    const { reference } = request;
    request.sentAtMs = clock.monotonicMs();
    const result = await this.call(reference, ({ service }) =>
      work(service, { kind: 'rest', entityId }, reference),
    );
    if (result) {
      if (result.paymentId !== undefined) request.paymentId = result.paymentId;
      request.resultCode = result.resultCode;
      this.#record(request, APPROVED.has(result.disposition) ? 'approved' : 'declined');
    }
    while (request.outcome === undefined) {
      await this.pause(LOOK_MS);
      await this.#lookUp(request);
    }
    trace.add(name, `${reference} ${request.kind} is ${request.outcome}`);
    return request;
  }

  /** @returns undefined where there was no answer */
  backOffice<T>(what: string, work: (office: BackOffice) => Promise<T>): Promise<T | undefined> {
    return this.call(what, ({ backOffice }) => work(backOffice));
  }

  /** Several do the same within a moment. */
  atOnce<T>(hands: number, work: (at: number) => Promise<T>): Promise<T[]> {
    const { random } = this.deps;
    return Promise.all(
      Array.from({ length: hands }, async (_, at) => {
        await this.sleep(random.whole(0, APART_MS));
        return work(at);
      }),
    );
  }

  override pause(between: { readonly min: number; readonly max: number }): Promise<undefined> {
    return super.pause(between);
  }

  /** 409 answers for what belongs to another card, too. */
  protected override isAnswer(error: unknown): boolean {
    if (error instanceof AcquirerUnreachableError) return true;
    return super.isAnswer(error) || (error instanceof Error && error.name === TAKEN_ERROR);
  }

  async #lookUp(request: RestRequest): Promise<void> {
    const found = await this.find(request.reference);
    const isFinal = this.deps.clock.monotonicMs() - (request.sentAtMs ?? 0) >= MAY_BEGIN_MS;
    if (found === 'absent' && isFinal) this.#record(request, 'absent');
    if (found === undefined || found === 'absent' || found.state === 'pending') return;
    request.paymentId = found.id;
    this.#record(request, found.state === 'declined' ? 'declined' : 'approved');
  }

  #record(request: RestRequest, end: SharedEnd): void {
    if (request.outcome !== undefined && request.outcome !== end)
      this.deps.breach(`${request.reference} was reported as ${request.outcome}, and now as ${end}`);
    request.outcome = end;
  }
}

const APPROVED: ReadonlySet<PaymentResult['disposition']> = new Set(['approved', 'reversed']);
