import { propertyRuns } from '@tillbridge/wire/seams/testing/property-runs.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AT } from '../sale.test.support.js';
import { type AgedRecord, RecordAges } from './record-ages.js';
import { CLOCK_TOLERANCE_MS, TimeFloor } from './time-floor.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const passes = fc.record({
  do: fc.constant('passes' as const),
  ms: fc.oneof(fc.nat({ max: 2 * MINUTE_MS }), fc.nat({ max: 3 * HOUR_MS })),
});
const contact = fc.record({ do: fc.constant('contact' as const) });
const record = fc.record({ do: fc.constant('record' as const) });
const restart = fc.record({ do: fc.constant('restart' as const), awayMs: fc.nat({ max: HOUR_MS }) });
const size = fc.oneof(
  fc.integer({ min: -HOUR_MS, max: HOUR_MS }),
  fc.integer({ min: -DAY_MS, max: DAY_MS }),
  fc.constantFrom(-MINUTE_MS, MINUTE_MS, 365 * DAY_MS),
);
const wall = fc.record({ do: fc.constant('wall' as const), ms: size });
const gateway = fc.record({ do: fc.constant('gateway' as const), ms: size });
const steps = (...jumps: fc.Arbitrary<Step>[]): fc.Arbitrary<Step[]> =>
  fc.array(fc.oneof(passes, contact, record, restart, ...jumps), { maxLength: 25 });
type Step =
  | { readonly do: 'passes' | 'wall' | 'gateway'; readonly ms: number }
  | { readonly do: 'restart'; readonly awayMs: number }
  | { readonly do: 'contact' | 'record' };

/** A record, and what is true of it. */
interface StampedRecord extends AgedRecord {
  readonly trueMs: number;
  readonly process: number;
  /** The clock that stamped it was right. */
  readonly isRight: boolean;
}

/** An agent whose clocks may be wrong, and the true time, which the agent cannot read. */
class Life {
  #clock = new VirtualClock(AT);
  #time = new TimeFloor(this.#clock);
  #ages = new RecordAges(this.#clock, this.#time);
  readonly records: StampedRecord[] = [];
  trueMs = AT;
  /** What the agent's wall clock and the gateway's clock are ahead of the true time. */
  wallAheadMs = 0;
  gatewayAheadMs = 0;
  process = 0;
  /** How long it has run since its last contact. */
  ranMs = 0;
  contact: { readonly trueMs: number; readonly wallAheadMs: number; readonly process: number } | undefined;

  constructor() {
    this.#ages.booted([]);
  }

  get time(): TimeFloor {
    return this.#time;
  }

  ageMs(stamped: StampedRecord): number {
    return this.#ages.sureMs(stamped);
  }

  /** What the agent counts by itself, and sends with the record. */
  ownAgeMs(stamped: StampedRecord): number {
    return this.#ages.ownMs(stamped);
  }

  async do(step: Step): Promise<void> {
    switch (step.do) {
      case 'passes':
        this.trueMs += step.ms;
        this.ranMs += step.ms;
        return this.#clock.advance(step.ms);
      case 'contact':
        this.#time.noteGatewayTime(this.trueMs + this.gatewayAheadMs);
        this.contact = { trueMs: this.trueMs, wallAheadMs: this.wallAheadMs, process: this.process };
        this.ranMs = 0;
        return;
      case 'record':
        return this.#record();
      case 'wall':
        this.wallAheadMs += step.ms;
        return this.#clock.jumpWall(step.ms);
      case 'gateway':
        this.gatewayAheadMs += step.ms;
        return;
      case 'restart':
        return this.#restart(step.awayMs);
    }
  }

  /** Nothing is sold without the gateway before a contact, or by a clock that is behind what is known. */
  #record(): void {
    if (this.contact === undefined || this.#time.isBehind()) return;
    const { trueMs, process } = this;
    const atMs = this.#time.wallMs();
    const stamped = {
      messageId: `r${this.records.length}`,
      atMs,
      trueMs,
      process,
      isRight: this.wallAheadMs === 0,
    };
    this.records.push(stamped);
    this.#time.journaled(atMs);
    this.#ages.keep(this.records);
  }

  /** The clock that only grows begins anew. */
  #restart(awayMs: number): void {
    const stored = this.#time.kept();
    this.process += 1;
    this.trueMs += awayMs;
    this.#clock = new VirtualClock(this.trueMs + this.wallAheadMs);
    this.#time = new TimeFloor(this.#clock);
    if (stored) this.#time.restore(stored);
    for (const { atMs } of this.records) this.#time.journaled(atMs);
    this.#ages = new RecordAges(this.#clock, this.#time);
    this.#ages.booted(this.records);
  }
}

async function live(history: readonly Step[], judge: (life: Life) => void): Promise<void> {
  const life = new Life();
  for (const step of history) {
    await life.do(step);
    judge(life);
  }
}

/** An agent that does not know better may be wrong by what it tolerates of a clock. */
const isAtMost = (ms: number, most: number): boolean => ms <= most + CLOCK_TOLERANCE_MS;

describe.each([
  ['the wall clock here jumps', steps(wall)],
  ['the gateway’s clock jumps', steps(gateway)],
])('where %s', (_, history) => {
  it('no record is older than it is', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (each) => {
        await live(each, (life) => {
          for (const stamped of life.records) {
            const [age, truly] = [life.ageMs(stamped), life.trueMs - stamped.trueMs];
            if (!isAtMost(age, truly)) expect(age, stamped.messageId).toBeLessThanOrEqual(truly);
          }
        });
      }),
      propertyRuns(150),
    );
  });

  it('the last contact is no younger than it is', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (each) => {
        await live(each, ({ time, trueMs, ranMs, wallAheadMs, contact: last }) => {
          const age = time.contactAgeMs();
          expect(age === undefined).toBe(last === undefined);
          if (age === undefined || last === undefined) return;
          // While the agent was away its clock may have been set back, and nothing else shows how long that was.
          const atLeast = wallAheadMs === last.wallAheadMs ? trueMs - last.trueMs : ranMs;
          if (!isAtMost(atLeast, age)) expect(age).toBeGreaterThanOrEqual(atLeast);
        });
      }),
      propertyRuns(150),
    );
  });
});

describe('what the agent counts by itself of a record', () => {
  it('is right in the process that journaled it, and never above it by more than clocks that agree differ', async () => {
    await fc.assert(
      fc.asyncProperty(steps(wall), async (each) => {
        await live(each, (life) => {
          for (const stamped of life.records) {
            const [age, truly] = [life.ownAgeMs(stamped), life.trueMs - stamped.trueMs];
            if (stamped.process === life.process) expect(age, stamped.messageId).toBe(truly);
            else if (!isAtMost(age, truly + HOUR_MS))
              expect(age, stamped.messageId).toBeLessThanOrEqual(truly);
          }
        });
      }),
      propertyRuns(150),
    );
  });
});

describe('a record of this process that a right clock stamped', () => {
  it('is as old as it is, whatever the wall clock here does, once the gateway’s time was received', async () => {
    await fc.assert(
      fc.asyncProperty(steps(wall), async (each) => {
        await live(each, (life) => {
          if (life.contact?.process !== life.process) return;
          for (const stamped of life.records)
            if (stamped.isRight && stamped.process === life.process)
              expect(life.ageMs(stamped), stamped.messageId).toBe(life.trueMs - stamped.trueMs);
        });
      }),
      propertyRuns(150),
    );
  });
});

describe('the time of an agent', () => {
  it('goes back by the gateway’s word alone: to the gateway’s time, or that of a clock ahead of it', async () => {
    await fc.assert(
      fc.asyncProperty(steps(wall, gateway), async (each) => {
        const life = new Life();
        let before = life.time.nowMs();
        for (const step of each) {
          await life.do(step);
          const nowMs = life.time.nowMs();
          const [wallMs, gatewayMs] = [life.wallAheadMs, life.gatewayAheadMs].map(
            (ms) => life.trueMs + ms,
          ) as [number, number];
          if (step.do === 'contact') {
            expect(nowMs).toBeGreaterThanOrEqual(gatewayMs);
            expect(nowMs).toBeLessThanOrEqual(Math.max(wallMs, gatewayMs + CLOCK_TOLERANCE_MS));
          }
          // What a clock ahead showed before it was set back was never journaled.
          if (step.do === 'record' || step.do === 'passes') expect(nowMs).toBeGreaterThanOrEqual(before);
          before = nowMs;
        }
      }),
      propertyRuns(150),
    );
  });
});
