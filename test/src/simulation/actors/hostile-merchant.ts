import type { PaymentService } from '@tillbridge/gateway/core/payments/payment-service.js';
import { ACCOUNT_DATA_REFUSED } from '@tillbridge/gateway/core/payments/rules/account-data-error.js';
import type { PaymentRequest, PaymentResult } from '@tillbridge/gateway/core/payments/rules/requests.js';
import { StoreUnavailableError } from '@tillbridge/gateway/kernel/store/store.js';
import { ACCOUNT_FAILURE_LIMITS } from '@tillbridge/gateway/security/devices/account-failures.js';
import type { Envelope } from '@tillbridge/wire/bridge/messages.js';
import type { TracedDeps } from '../kernel/simulation-deps.js';
import { ATTACKS, type Attempt, type Stolen } from './attacks.js';
import { CounterTerminals } from './counter-terminals.js';

const PAUSE_MS = { min: 3_000, max: 20_000 } as const;
/** Messages that are remembered. */
const REMEMBERED = 16;
const AMOUNT = { minor: 99_999, currency: 'EUR' } as const;

/** What a hostile merchant is run with. */
interface HostileMerchantDeps extends TracedDeps {
  readonly entityId: string;
  /** The gateway's service, as REST calls it; undefined while it is down. */
  readonly service: () => PaymentService | undefined;
  /** Called with an answer that gives something away. */
  readonly breach: (text: string) => void;
}

/**
 * A merchant with its own token and terminals that pays over REST with what leaked from others' terminals, and with what its own
 * terminals encipher. No attempt may move money, and account data that are refused all have the same answer.
 */
export class HostileMerchant {
  readonly #with: HostileMerchantDeps;
  readonly #terminals = new CounterTerminals();
  #stolen: Stolen[] = [];
  #ended = false;

  constructor(deps: HostileMerchantDeps) {
    this.#with = deps;
  }

  /** A message of a store leaked. */
  saw({ kind, body }: Envelope): void {
    if (kind !== 'authorizationRequest' || !body.pos?.sred) return;
    this.#stolen = [structuredClone(body.pos), ...this.#stolen].slice(0, REMEMBERED);
  }

  /** Tries again and again, until the end. */
  begin(): void {
    const { clock, random } = this.#with;
    clock.setTimer(random.whole(PAUSE_MS.min, PAUSE_MS.max), () => {
      if (this.#ended) return;
      void this.#try();
      this.begin();
    });
  }

  end(): void {
    this.#ended = true;
  }

  async #try(): Promise<void> {
    const { random } = this.#with;
    if (this.#stolen.length === 0) return;
    const name = random.pick(Object.keys(ATTACKS) as (keyof typeof ATTACKS)[]);
    const attempts = ATTACKS[name](random.pick(this.#stolen), random, this.#terminals) ?? [];
    // An attempt that got no answer may not have happened: those that build on it would prove nothing.
    for (const attempt of attempts) if (!(await this.#attempt(name, attempt))) return;
  }

  /** @returns whether there was an answer */
  async #attempt(name: string, { isRefusedWhole, ...attempt }: Attempt): Promise<boolean> {
    const { service, trace, entityId, clock } = this.#with;
    const gateway = service();
    if (!gateway) return false;
    const request: PaymentRequest = {
      origin: { kind: 'rest', entityId },
      type: 'DB',
      amount: AMOUNT,
      ...attempt,
    };
    const sinceMs = clock.monotonicMs();
    try {
      const result = await gateway.authorize(request);
      trace.add('hostile', `${name}: ${result.disposition} ${result.resultCode}`);
      if (isRefusedWhole) this.#judge(name, result, clock.monotonicMs() - sinceMs);
      return true;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (!(error instanceof StoreUnavailableError)) trace.add('hostile', `${name}: ${error.name}`);
      return false;
    }
  }

  /** P8: neither the answer nor its time shows why account data were refused. */
  #judge(name: string, { disposition, resultCode }: PaymentResult, tookMs: number): void {
    const { breach } = this.#with;
    if (disposition !== 'refused' || resultCode !== ACCOUNT_DATA_REFUSED.resultCode)
      breach(`${name} was answered with ${disposition} ${resultCode}`);
    else if (tookMs < ACCOUNT_FAILURE_LIMITS.answerMs) breach(`${name} was answered after ${tookMs} ms`);
  }
}
