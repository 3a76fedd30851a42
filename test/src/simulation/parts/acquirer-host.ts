import type {
  Acquirer,
  AcquirerRecord,
  ChargebackFeed,
  ChargebackSimulator,
} from '@tillbridge/gateway/core/acquirers/acquirer.js';
import type { BankLink } from '@tillbridge/gateway/core/acquirers/internal/bank-link.js';
import { InternalAcquirer } from '@tillbridge/gateway/core/acquirers/internal/internal-acquirer.js';
import type { LedgerRow } from '@tillbridge/gateway/core/acquirers/internal/ledger-rows.js';
import {
  type MemoryLedger,
  newMemoryLedger,
} from '@tillbridge/gateway/core/acquirers/internal/testing/memory-ledger-store.js';
import type { SecurityModule } from '@tillbridge/gateway/security/module/security-module.js';
import { DiskImage } from '../disk/disk-image.js';
import { diskLedgerStore } from '../disk/disk-ledger-store.js';
import { SimulatedDisk } from '../disk/simulated-disk.js';
import { type DeathKind, SimProcess, type WallClock } from '../kernel/sim-process.js';
import type { TracedDeps } from '../kernel/simulation-deps.js';
import type { Secrets } from './secrets.js';

/** The host is back within this time. */
const LONGEST_RESTART_MS = 30_000;

/** What the acquirer's machine is made of. */
interface SimulatedHostDeps extends TracedDeps {
  readonly secrets: Secrets;
  readonly security: SecurityModule;
  /** Where shoppers approve what is no card payment. */
  readonly bank: BankLink;
}

/** Another company's machine: the INTERNAL acquirer with its own ledger. What stands there is what a simulation is judged by. */
export class AcquirerHost {
  readonly name = 'acquirer';
  readonly wall: WallClock = { offsetMs: 0 };
  readonly #parts: SimulatedHostDeps;
  readonly #diskImage = new DiskImage<MemoryLedger>(newMemoryLedger);
  readonly #simulatedDisk: SimulatedDisk;
  #boots = 0;
  #lastDeath: DeathKind = 'kill';
  #process: SimProcess | undefined;
  #acquirer: InternalAcquirer | undefined;

  constructor(parts: SimulatedHostDeps) {
    this.#parts = parts;
    this.#simulatedDisk = new SimulatedDisk(this.name, parts.clock, parts.random.branch('disk'), parts.trace);
  }

  get process(): SimProcess | undefined {
    return this.#process?.alive ? this.#process : undefined;
  }

  /** The acquirer, while its host is up. */
  get acquirer(): Acquirer | undefined {
    return this.process && this.#acquirer;
  }

  /** The acquirer's own record, while its host is up. */
  get record(): AcquirerRecord | undefined {
    return this.process && this.#acquirer;
  }

  /** What cardholders had taken back there, and where they have it taken back, while its host is up. */
  get chargebacks(): (ChargebackFeed & ChargebackSimulator) | undefined {
    return this.process && this.#acquirer;
  }

  /** Its own record: every row, in the order it was recorded. */
  get rows(): readonly LedgerRow[] {
    return [...this.#diskImage.state.rows.values()];
  }

  /** Starts the acquirer on what its disk holds. */
  boot(): void {
    if (this.process) return;
    const { clock, trace, secrets, security, bank } = this.#parts;
    if (this.#lastDeath === 'power') this.#diskImage.powerCut();
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
        bank,
      },
      diskLedgerStore(process, this.#diskImage, this.#simulatedDisk),
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
