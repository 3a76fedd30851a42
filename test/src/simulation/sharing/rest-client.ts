import { AcquirerUnreachableError } from '@tillbridge/gateway/core/acquirers/acquirer.js';
import { findByReference } from '@tillbridge/gateway/core/payments/lookup/find-by-reference.js';
import type { PaymentService } from '@tillbridge/gateway/core/payments/payment-service.js';
import type { PaymentResult, RestOrigin } from '@tillbridge/gateway/core/payments/rules/requests.js';
import { TryLaterError } from '@tillbridge/gateway/kernel/errors/try-later-error.js';
import { type Store, StoreUnavailableError } from '@tillbridge/gateway/kernel/store/store.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { MAY_BEGIN_MS } from '../actors/absent-payment.js';
import type { SeededRandom } from '../kernel/seeded-random.js';
import type { Trace } from '../kernel/trace.js';
import type { GatewayMachine } from '../parts/gateway-machine.js';
import type { BackOffice } from './back-office.js';
import type { SharedEnd } from './shared-request.js';

/** How far apart those are who come at once. */
const APART_MS = 40;
/** Longer than the gateway may take to begin a request: what it does not know then, it never carries out. */
const ANSWER_TIMEOUT_MS = 30_000;
const LOOK_MS = { min: 2_000, max: 15_000 } as const;

/** The answer to another card that wants an agreement or a migration which one has. */
const TAKEN_ERROR = 'AgreementInUseError';

/** A request over REST, and what is known of it. */
export interface RestRequest {
  readonly reference: string;
  readonly kind: string;
  /** When it was sent, by the monotonic clock in milliseconds. */
  sentAtMs?: number;
  /** By an answer or a query; it must stay so. */
  outcome?: SharedEnd;
  paymentId?: string;
  /** Of its answer; absent where it was looked up. */
  resultCode?: string;
}

/** The parts of a gateway that a client reaches. */
interface OpenGateway {
  readonly service: PaymentService;
  readonly store: Store;
  readonly backOffice: BackOffice;
}

/** What a client over REST is run with. */
export interface RestClientDeps {
  /** In the trace. */
  readonly name: string;
  readonly entityId: string;
  readonly clock: Clock;
  readonly random: SeededRandom;
  readonly trace: Trace;
  /** The gateway that a request comes to now. */
  readonly gateway: () => GatewayMachine;
  readonly breach: (text: string) => void;
  readonly onFault: (error: unknown) => void;
}

/** A merchant's program over REST, without idempotency keys: it requests once, and looks up what it got no answer to. */
export class RestClient {
  readonly #with: RestClientDeps;

  constructor(deps: RestClientDeps) {
    this.#with = deps;
  }

  /** Requests once; without an answer it looks the reference up until it knows. */
  async ask<R extends RestRequest>(
    request: R,
    work: (service: PaymentService, origin: RestOrigin, reference: string) => Promise<PaymentResult>,
  ): Promise<R> {
    const { random, trace, clock, entityId, name } = this.#with;
    const { reference } = request;
    request.sentAtMs = clock.monotonicMs();
    const result = await this.#call(reference, ({ service }) =>
      work(service, { kind: 'rest', entityId }, reference),
    );
    if (result) {
      if (result.paymentId !== undefined) request.paymentId = result.paymentId;
      request.resultCode = result.resultCode;
      this.#record(request, APPROVED.has(result.disposition) ? 'approved' : 'declined');
    }
    while (request.outcome === undefined) {
      await this.sleep(random.whole(LOOK_MS.min, LOOK_MS.max));
      await this.#lookUp(request);
    }
    trace.add(name, `${reference} ${request.kind} is ${request.outcome}`);
    return request;
  }

  /** @returns undefined where there was no answer */
  backOffice<T>(what: string, work: (office: BackOffice) => Promise<T>): Promise<T | undefined> {
    return this.#call(what, ({ backOffice }) => work(backOffice));
  }

  /** Several do the same within a moment. */
  atOnce<T>(hands: number, work: (at: number) => Promise<T>): Promise<T[]> {
    const { random } = this.#with;
    return Promise.all(
      Array.from({ length: hands }, async (_, at) => {
        await this.sleep(random.whole(0, APART_MS));
        return work(at);
      }),
    );
  }

  sleep(ms: number): Promise<undefined> {
    return new Promise((resolve) => {
      this.#with.clock.setTimer(ms, () => resolve(undefined));
    });
  }

  async #lookUp(request: RestRequest): Promise<void> {
    const { reference } = request;
    const { entityId, clock } = this.#with;
    const found = await this.#call(`query ${reference}`, async ({ service, store }) => {
      const [known] = await findByReference(store, [entityId], reference);
      return known ? service.lookUp(known.id, entityId) : 'absent';
    });
    const isFinal = clock.monotonicMs() - (request.sentAtMs ?? 0) >= MAY_BEGIN_MS;
    if (found === 'absent' && isFinal) this.#record(request, 'absent');
    if (found === undefined || found === 'absent' || found.state === 'pending') return;
    request.paymentId = found.id;
    this.#record(request, found.state === 'declined' ? 'declined' : 'approved');
  }

  #record(request: RestRequest, end: SharedEnd): void {
    if (request.outcome !== undefined && request.outcome !== end)
      this.#with.breach(`${request.reference} was reported as ${request.outcome}, and now as ${end}`);
    request.outcome = end;
  }

  /** @returns undefined where the gateway is down, answers that it does not know yet, or does not answer */
  async #call<T>(what: string, work: (open: OpenGateway) => Promise<T>): Promise<T | undefined> {
    const { process, service, store, backOffice } = this.#with.gateway();
    if (!process || !service || !store || !backOffice) return undefined;
    const answer = process
      .call(what, () => work({ service, store, backOffice }))
      .catch((error: unknown) => {
        if (!isAnswer(error)) this.#with.onFault(error);
        return undefined;
      });
    const gone = new Promise<undefined>((resolve) => {
      process.onDeath(() => resolve(undefined));
    });
    return Promise.race([answer, gone, this.sleep(ANSWER_TIMEOUT_MS)]);
  }
}

const APPROVED: ReadonlySet<PaymentResult['disposition']> = new Set(['approved', 'reversed']);

/** What a merchant is answered with words instead of a fault: 503, or 409 for what belongs to another card. */
function isAnswer(error: unknown): boolean {
  return (
    error instanceof TryLaterError ||
    error instanceof StoreUnavailableError ||
    error instanceof AcquirerUnreachableError ||
    (error instanceof Error && error.name === TAKEN_ERROR)
  );
}
