import { describe, expect, it } from 'vitest';
import type { StartOutcome } from '../../drivers/core/driver.js';
import { chipCard, SeededRandom } from '../../sale/sale.test.support.js';
import { NO_FAULTS } from '../../sale/wire.test.support.js';
import { type Answer, NexoHarness, paymentBody } from './nexo-harness.test.support.js';

// Payments, aborts, status requests, repeats, reversals and restarts in any order (P2). TILLBRIDGE_NEXO_SEQUENCES=10000 runs as many,
// TILLBRIDGE_NEXO_SEED begins with another seed.
const SEQUENCES = Number(process.env.TILLBRIDGE_NEXO_SEQUENCES ?? 30);
const FIRST_SEED = Number(process.env.TILLBRIDGE_NEXO_SEED ?? 1);
const STEPS = 25;
/** Longer than any wait of a sale that its gateway answers. */
const SETTLE_MS = 6 * 60_000;
const TILLS = ['till-1', 'till-2'];

interface Paid {
  readonly till: string;
  readonly serviceId: string;
  readonly amount: number;
  reversed?: Answer;
}

class Sequence {
  readonly random: SeededRandom;
  readonly agent: NexoHarness;
  readonly paid: Paid[] = [];
  readonly log: string[] = [];
  #next = 0;

  constructor(seed: number) {
    this.random = new SeededRandom(seed);
    this.agent = new NexoHarness({ seed });
  }

  async run(): Promise<void> {
    await this.agent.boot();
    this.#boot();
    for (let step = 0; step < STEPS; step += 1) await this.#step();
    await this.#settle();
    for (const paid of this.paid) await this.#check(paid);
    expect(this.agent.sale.faults).toEqual([]);
  }

  async #step(): Promise<void> {
    const { clock, wire } = this.agent.sale;
    const steps: Record<string, () => unknown> = {
      pay: () => this.#pay(this.#newRequest()),
      repeat: () => this.#known((paid) => this.#pay(paid)),
      abort: () =>
        this.#known(({ till, serviceId }) => {
          const body = { AbortReason: 'MerchantAbort', MessageReference: { ServiceID: serviceId } };
          return this.#send('Abort', body, till);
        }),
      status: () => this.#known((paid) => this.#status(paid)),
      reverse: () => this.#known((paid) => this.#reverse(paid)),
      crash: () => this.#crash(),
      link: () => wire.set(this.random.pick(['up', 'up', 'down'] as const)),
      jump: () => clock.jumpWall(this.random.pick([-3_600_000, 3 * 86_400_000])),
      wait: () => clock.advance(this.random.pick([5_000, 60_000])),
    };
    const [name, work] = this.random.pick(Object.entries(steps));
    this.log.push(name);
    await work();
    await clock.advance(this.random.pick([0, 1, 12, 25, 400]));
  }

  #boot(): void {
    const { sale } = this.agent;
    const chance = (of: number) => this.random.next() < of;
    sale.wire.faultRates = {
      dropRequest: () => chance(0.1),
      dropAnswer: () => chance(0.15),
      delayMs: () => this.random.pick([1, 10, 300, 5_000]),
    };
    const never = new Promise<StartOutcome>(() => undefined);
    sale.driver().reads = () => (chance(0.3) ? never : { kind: 'online-required', card: chipCard() });
  }

  async #crash(): Promise<void> {
    await this.agent.crash();
    this.#boot();
  }

  #newRequest(): Paid {
    this.#next += 1;
    const till = this.random.pick(TILLS);
    const paid = { till, serviceId: String(this.#next), amount: this.random.pick([1, 2.5, 7.77]) };
    this.paid.push(paid);
    return paid;
  }

  #known(work: (paid: Paid) => unknown): unknown {
    return this.paid.length === 0 ? undefined : work(this.random.pick(this.paid));
  }

  #pay({ till, serviceId, amount }: Paid): void {
    this.#send('Payment', paymentBody(`t-${serviceId}`, amount), till, serviceId);
  }

  async #reverse(paid: Paid): Promise<void> {
    const answer = await this.#status(paid);
    const payment = answer?.RepeatedMessageResponse?.RepeatedResponseMessageBody.PaymentResponse;
    if (payment?.Response.Result !== 'Success') return;
    const { POITransactionID } = payment.POIData;
    const body = { OriginalPOITransaction: { POITransactionID }, ReversalReason: 'CustCancel' };
    this.#send('Reversal', body, paid.till, `r${paid.serviceId}`);
  }

  async #status({ till, serviceId }: Paid): Promise<Answer> {
    const header = { SaleID: till, ServiceID: `s${serviceId}` };
    const body = { MessageReference: { ServiceID: serviceId } };
    return (await this.agent.send('TransactionStatus', body, header)).TransactionStatusResponse;
  }

  /** A till that disappears: no till waits for the answer. */
  #send(category: string, body: object, SaleID: string, ServiceID = '0'): void {
    void this.agent.send(category, body, { SaleID, ServiceID }).catch(() => undefined);
  }

  async #settle(): Promise<void> {
    const { sale } = this.agent;
    sale.wire.faultRates = NO_FAULTS;
    sale.wire.set('up');
    for (let wait = 0; wait < 10; wait += 1) await sale.clock.advance(SETTLE_MS / 10);
    await this.agent.crash();
    await sale.clock.advance(SETTLE_MS);
  }

  /** What the till receives is what the acquirer has recorded, once. */
  async #check(paid: Paid): Promise<void> {
    const { ledger, disk } = this.agent.sale;
    const references = new Set(
      disk.rows
        .filter(
          ({ kind, reference }) => kind === 'accepted' && reference.startsWith(`nexo-${paid.serviceId}-`),
        )
        .map(({ reference }) => reference),
    );
    expect(references.size, 'sales of one ServiceID').toBeLessThan(2);
    const [reference = ''] = references;
    const standing = ledger.standing(reference).length;
    const status = await this.#status(paid);
    if (references.size === 0) {
      expect(status.Response.ErrorCondition).toBe('NotFound');
      return;
    }
    expect(status.Response.Result, JSON.stringify(status.Response)).toBe('Success');
    const { Response } = status.RepeatedMessageResponse.RepeatedResponseMessageBody.PaymentResponse;
    expect(standing, Response.AdditionalResponse).toBe(Response.Result === 'Success' ? 1 : 0);
  }
}

describe('tills that speak nexo', () => {
  it(
    `never sell twice, and receive true results, in ${SEQUENCES} random sequences`,
    async () => {
      for (let seed = FIRST_SEED; seed < FIRST_SEED + SEQUENCES; seed += 1) {
        const sequence = new Sequence(seed);
        try {
          await sequence.run();
        } catch (error) {
          throw new Error(`TILLBRIDGE_NEXO_SEED=${seed}: ${sequence.log.join(' ')}`, { cause: error });
        }
      }
    },
    Math.max(60_000, SEQUENCES * 200),
  );
});
