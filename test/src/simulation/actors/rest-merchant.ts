import { findByReference } from '@tillbridge/gateway/core/payments/lookup/find-by-reference.js';
import type { PaymentService } from '@tillbridge/gateway/core/payments/payment-service.js';
import { TryLaterError } from '@tillbridge/gateway/kernel/errors/try-later-error.js';
import type { PaymentRow } from '@tillbridge/gateway/kernel/store/rows.js';
import { type Store, StoreUnavailableError } from '@tillbridge/gateway/kernel/store/store.js';
import type { TracedDeps } from '../kernel/simulation-deps.js';
import type { GatewayMachine } from '../parts/gateway-machine.js';
import type { BackOffice } from '../sharing/back-office.js';

/** Longer than the gateway needs to commit a request: what it does not know then, it never got. */
const ANSWER_TIMEOUT_MS = 30_000;

/** What a merchant over REST is run with. */
export interface RestMerchantDeps extends TracedDeps {
  readonly entityId: string;
  /** The gateway that a request comes to now. */
  readonly gateway: () => GatewayMachine;
  /** Called with an error that the gateway should not have: to the merchant it is no answer. */
  readonly onFault: (error: unknown) => void;
}

/** What a merchant calls of a gateway that runs. */
interface OpenGateway {
  readonly service: PaymentService;
  readonly store: Store;
  readonly backOffice: BackOffice;
}

/** A merchant over REST: from {@link begin} to {@link end} it makes new requests. */
export abstract class RestMerchant<Deps extends RestMerchantDeps = RestMerchantDeps> {
  readonly entityId: string;
  protected readonly deps: Deps;
  protected ended = false;

  constructor(deps: Deps) {
    this.deps = deps;
    this.entityId = deps.entityId;
  }

  abstract begin(): void;

  /** Whether the merchant has the outcome of every request. */
  abstract get isQuiet(): boolean;

  end(): void {
    this.ended = true;
  }

  /** Whether the API answers with words in place of an error. */
  protected isAnswer(error: unknown): boolean {
    return error instanceof TryLaterError || error instanceof StoreUnavailableError;
  }

  /** @returns undefined where the gateway is down, answers that it does not know yet, or does not answer */
  protected async call<T>(what: string, work: (open: OpenGateway) => Promise<T>): Promise<T | undefined> {
    const { process, service, store, backOffice } = this.deps.gateway();
    if (!process || !service || !store || !backOffice) return undefined;
    const answer = process
      .call(what, () => work({ service, store, backOffice }))
      .catch((error: unknown) => {
        if (!this.isAnswer(error)) this.deps.onFault(error);
        return undefined;
      });
    const gone = new Promise<undefined>((resolve) => {
      process.onDeath(() => resolve(undefined));
    });
    return Promise.race([answer, gone, this.sleep(ANSWER_TIMEOUT_MS)]);
  }

  /** The first payment with a reference, looked up. @returns undefined where there was no answer */
  protected find(reference: string): Promise<PaymentRow | 'absent' | undefined> {
    return this.call(`query ${reference}`, async ({ service, store }) => {
      const [known] = await findByReference(store, [this.entityId], reference);
      return known ? service.lookUp(known.id, this.entityId) : 'absent';
    });
  }

  /** Waits for a time between the two. */
  protected pause({ min, max }: { readonly min: number; readonly max: number }): Promise<undefined> {
    return this.sleep(this.deps.random.whole(min, max));
  }

  protected sleep(ms: number): Promise<undefined> {
    return new Promise((resolve) => {
      this.deps.clock.setTimer(ms, () => resolve(undefined));
    });
  }
}
