import { BankInProcess } from '@tillbridge/gateway/core/acquirers/internal/bank-in-process.test.support.js';
import type { Gate } from '@tillbridge/gateway/core/payments/gates/gate.js';
import type { WaitKind } from '@tillbridge/gateway/kernel/store/tables/wait-kinds.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { SeededRandom } from '../kernel/seeded-random.js';
import type { SimulationDeps } from '../kernel/simulation-deps.js';

/** Kinds of wait at a gate: their deadlines are short, so that simulations see them pass. */
const GATE_LIFETIME_MS = { min: 45_000, max: 240_000 } as const;

/** Share of the questions to the bank that get no answer while there are faults. */
const BANK_SILENT = 0.05;

/** Code of a payment whose shopper, payer or reviewer refused at a gate. */
const REFUSED_AT_GATE = '100.380.401';

/** How a payment that waits at a gate begins: its reference names what it waits for. */
export function waitReference(kind: WaitKind, number: number): string {
  return `W-${kind}-${number}`;
}

/** What shoppers are made with. */
interface ShoppersDeps extends SimulationDeps {
  readonly hasFaults: () => boolean;
  /** The wall clock of the gateway is wrong now. */
  readonly isClockOff: () => boolean;
}

/**
 * Shoppers, payers and reviewers, and the bank at which they decide: other people's, which no process of ours takes down. What they have
 * decided once stays.
 */
export class Shoppers {
  readonly bank = new BankInProcess();
  readonly #random: SeededRandom;
  readonly #clock: Clock;
  readonly #decided = new Map<string, 'approved' | 'refused'>();
  readonly #deadlines = new Map<string, number>();

  /** The gateway looked at a deadline with a clock that was wrong: its deadlines are its own since. */
  clockWasOff = false;
  readonly #isClockOff: () => boolean;

  constructor({ random, clock, hasFaults, isClockOff }: ShoppersDeps) {
    this.#isClockOff = isClockOff;
    this.#random = random;
    this.#clock = clock;
    this.bank.beforeCall = () => {
      this.#watchClock();
      this.bank.isCut = hasFaults() && random.chance(BANK_SILENT);
    };
  }

  #watchClock(): void {
    this.clockWasOff ||= this.#isClockOff();
  }

  /** Decides on a payment that waits at the gate; nothing for one that is decided. */
  decide(paymentId: string, decision: 'approved' | 'refused'): void {
    if (!this.#decided.has(paymentId)) this.#decided.set(paymentId, decision);
  }

  /** When the wait of a payment at the gate is over, by the time of the simulation. */
  deadlineOf(paymentId: string): number | undefined {
    return this.#deadlines.get(paymentId);
  }

  /** The gate at which payments of a merchant over REST wait for them. @param nowMs the wall clock of the gateway */
  gate(nowMs: () => number): Gate {
    const wait = (kind: WaitKind, untilMs: number) =>
      ({ verdict: 'wait', waiting: { kind, untilMs }, state: untilMs }) as const;
    return {
      name: 'shoppers',
      pass: async ({ request, paymentId }) => {
        const kind = /^W-(challenge|mandate|review)-/.exec(request.reference ?? '')?.[1] as
          | WaitKind
          | undefined;
        if (!kind) return { verdict: 'pass' };
        this.#watchClock();
        const lifetimeMs = this.#random.whole(GATE_LIFETIME_MS.min, GATE_LIFETIME_MS.max);
        this.#deadlines.set(paymentId, this.#clock.monotonicMs() + lifetimeMs);
        return wait(kind, nowMs() + lifetimeMs);
      },
      again: async ({ paymentId, request }, state) => {
        this.#watchClock();
        const decision = this.#decided.get(paymentId);
        if (decision === 'approved') return { verdict: 'pass' };
        if (decision === 'refused') return { verdict: 'refuse', resultCode: REFUSED_AT_GATE };
        const kind = (request.reference ?? '').split('-')[1] as WaitKind;
        return wait(kind, Number(state));
      },
    };
  }
}
