import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { SeededRandom } from '../kernel/seeded-random.js';
import { type DeathKind, never, type SimProcess } from '../kernel/sim-process.js';
import type { Trace } from '../kernel/trace.js';

/** What may be wrong with a disk. `io-error` may have written what it reports as lost. */
export type DiskFault = 'none' | 'disk-full' | 'io-error';

/** `kept-failed-write`: it has a write that it reported as failed. `torn-by-power-loss`: a power loss took writes on their way. */
export type DiskOddity = 'kept-failed-write' | 'torn-by-power-loss';

/** How long a write takes at most while nothing is wrong with the disk. */
export const USUAL_SLOWEST_MS = 12;

/** One write on its way. */
interface Job {
  readonly process: SimProcess;
  /** Puts it on the diskImage; after a crash it may have got there or not. */
  readonly land: () => unknown;
}

/** A disk refused a write. */
export class DiskError extends Error {
  override readonly name = 'DiskError';
  readonly fault: Exclude<DiskFault, 'none'>;

  constructor(fault: Exclude<DiskFault, 'none'>) {
    super(`simulated disk: ${fault}`);
    this.fault = fault;
  }
}

/** The arm of a machine's disk: writes take time, land in their order, and are torn by a crash. */
export class SimulatedDisk {
  fault: DiskFault = 'none';
  /** Writes take up to so long. */
  slowestMs = USUAL_SLOWEST_MS;
  readonly #name: string;
  readonly #clock: Clock;
  readonly #random: SeededRandom;
  readonly #trace: Trace;
  readonly #jobs: Job[] = [];
  readonly #known = new WeakSet<SimProcess>();
  readonly #saw: (oddity: DiskOddity) => void;
  #busyUntilMs = 0;
  #strike: (() => void) | undefined;

  constructor(
    name: string,
    clock: Clock,
    random: SeededRandom,
    trace: Trace,
    saw: (oddity: DiskOddity) => void = () => undefined,
  ) {
    this.#name = name;
    this.#clock = clock;
    this.#random = random;
    this.#trace = trace;
    this.#saw = saw;
  }

  /**
   * Writes for a process; resolves when `land` has happened and the process has its answer.
   * @throws DiskError; what `land` throws
   */
  async write<T>(process: SimProcess, what: string, land: () => T | Promise<T>): Promise<T> {
    const { pause } = process;
    if (pause) await pause;
    if (!process.effect(`${what}, before`)) return never();
    this.#watch(process);
    const atMs =
      Math.max(this.#clock.monotonicMs(), this.#busyUntilMs) + this.#random.whole(1, this.slowestMs);
    this.#busyUntilMs = atMs;
    return new Promise<T>((resolve, reject) => {
      const job: Job = { process, land };
      this.#jobs.push(job);
      if (this.#strike) this.#clock.setTimer(0, this.#strike);
      this.#strike = undefined;
      this.#clock.setTimer(atMs - this.#clock.monotonicMs(), () => {
        if (!process.alive) return;
        this.#jobs.splice(this.#jobs.indexOf(job), 1);
        this.#land(land).then(
          (result) =>
            process.whenRunning(() => {
              if (process.effect(`${what}, after`)) resolve(result);
            }),
          (error: unknown) => process.whenRunning(() => reject(error)),
        );
      });
    });
  }

  /** Calls `strike` once, while the next write is on its way. */
  strikeInAWrite(strike: () => void): void {
    this.#strike = strike;
  }

  async #land<T>(land: () => T | Promise<T>): Promise<T> {
    if (this.fault === 'none') return land();
    if (this.fault === 'io-error' && this.#random.chance(0.5)) {
      await land();
      this.#saw('kept-failed-write');
    }
    throw new DiskError(this.fault);
  }

  #watch(process: SimProcess): void {
    if (this.#known.has(process)) return;
    this.#known.add(process);
    process.onDeath((how) => this.#tear(process, how));
  }

  /** What was under way when the process died: a prefix of it has reached the disk. */
  #tear(process: SimProcess, how: DeathKind): void {
    const mine = this.#jobs.filter((job) => job.process === process);
    this.#jobs.splice(0, this.#jobs.length, ...this.#jobs.filter((job) => job.process !== process));
    this.#busyUntilMs = 0;
    if (mine.length === 0) return;
    const kept = this.fault === 'none' ? this.#random.whole(0, mine.length) : 0;
    for (const { land } of mine.slice(0, kept)) {
      // What would have been refused anyway is not there either.
      Promise.resolve(land()).catch(() => undefined);
    }
    if (how === 'power' && kept < mine.length) this.#saw('torn-by-power-loss');
    this.#trace.add(this.#name, `${how}: ${kept} of ${mine.length} writes under way reached the disk`);
  }
}
