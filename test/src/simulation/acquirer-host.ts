import type { Acquirer } from '@tillbridge/gateway/acquirers/acquirer.js';
import { InternalAcquirer } from '@tillbridge/gateway/acquirers/internal/internal-acquirer.js';
import type { LedgerRow } from '@tillbridge/gateway/acquirers/internal/ledger-rows.js';
import {
  type MemoryLedger,
  newMemoryLedger,
} from '@tillbridge/gateway/acquirers/internal/testing/memory-ledger-book.js';
import type { SecurityModule } from '@tillbridge/gateway/security/security-module.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import { diskLedgerBook } from './disk-ledger-book.js';
import { Platter } from './platter.js';
import type { Secrets } from './secrets.js';
import type { SeededRandom } from './seeded-random.js';
import { type DeathKind, SimProcess, type WallClock } from './sim-process.js';
import { Spindle } from './spindle.js';
import type { Trace } from './trace.js';

/** The host is back within this time. */
const LONGEST_RESTART_MS = 30_000;

/** What the acquirer's machine is made of. */
export interface AcquirerHostParts {
  readonly clock: Clock;
  readonly random: SeededRandom;
  readonly trace: Trace;
  readonly secrets: Secrets;
  readonly security: SecurityModule;
}

/** Another company's machine: the INTERNAL acquirer with its own book. What stands there is what a world is judged by. */
export class AcquirerHost {
  readonly name = 'acquirer';
  readonly wall: WallClock = { offsetMs: 0 };
  readonly #parts: AcquirerHostParts;
  readonly #platter = new Platter<MemoryLedger>(newMemoryLedger);
  readonly #spindle: Spindle;
  #boots = 0;
  #lastDeath: DeathKind = 'kill';
  #process: SimProcess | undefined;
  #acquirer: InternalAcquirer | undefined;

  constructor(parts: AcquirerHostParts) {
    this.#parts = parts;
    this.#spindle = new Spindle(this.name, parts.clock, parts.random.branch('disk'), parts.trace);
  }

  get process(): SimProcess | undefined {
    return this.#process?.alive ? this.#process : undefined;
  }

  /** The acquirer, while its host is up. */
  get acquirer(): Acquirer | undefined {
    return this.process && this.#acquirer;
  }

  /** Its own record: every row, in the order it was recorded. */
  get rows(): readonly LedgerRow[] {
    return [...this.#platter.state.rows.values()];
  }

  /** Starts the acquirer on what its disk holds. */
  boot(): void {
    if (this.process) return;
    const { clock, trace, secrets, security } = this.#parts;
    if (this.#lastDeath === 'power') this.#platter.powerCut();
    this.#boots += 1;
    const process = new SimProcess(this.name, clock, this.wall, trace);
    this.#process = process;
    trace.add(this.name, 'starts');
    const random = this.#parts.random.branch(`boot ${this.#boots}`);
    process.onDeath((how) => {
      this.#lastDeath = how;
      clock.setTimer(random.whole(500, LONGEST_RESTART_MS), () => this.boot());
    });
    this.#acquirer = new InternalAcquirer(
      {
        hashKey: secrets.acquirerHashKey,
        security,
        clock: process.clock,
        random,
      },
      diskLedgerBook(process, this.#platter, this.#spindle),
    );
  }

  /** The host ends without a word. */
  crash(how: DeathKind): void {
    if (!this.process) return;
    this.#parts.trace.add(this.name, how === 'kill' ? 'killed' : 'power cut');
    this.process.die(how);
  }
}

/** Whether money still stands on a row. */
export function stands(row: LedgerRow): boolean {
  return row.approved === 1 && row.reversedMinor < row.amountMinor;
}
