import { JOURNAL_LIMITS, type JournalRow, type JournalWrite } from '@tillbridge/agent/journal/journal.js';
import {
  type MemoryDisk,
  newMemoryDisk,
} from '@tillbridge/agent/journal/testing/memory-journal.test.support.js';
import type { SalePolicy } from '@tillbridge/agent/sale/machine/state/policy.js';
import { RecordAges } from '@tillbridge/agent/sale/offline/record-ages.js';
import { TimeFloor } from '@tillbridge/agent/sale/offline/time-floor.js';
import { SaleRunner } from '@tillbridge/agent/sale/runner.js';
import { SaleError, type SaleService } from '@tillbridge/agent/sale/service/sale-service.js';
import { BridgeUplink } from '@tillbridge/agent/uplink/bridge-uplink.js';
import { FIRST_GENERATION } from '@tillbridge/agent/uplink/generation.js';
import type { AgentIdentity } from '@tillbridge/agent/uplink/identity.js';
import { StorePolicyKeeper } from '@tillbridge/agent/uplink/store-policy-keeper.js';
import { BRIDGE_LIMITS } from '@tillbridge/wire/bridge/limits.js';
import { toHex } from '@tillbridge/wire/bytes.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { DiskImage } from '../disk/disk-image.js';
import { DiskJournal } from '../disk/disk-journal.js';
import { type DiskFault, type DiskOddity, SimulatedDisk } from '../disk/simulated-disk.js';
import type { SeededRandom } from '../kernel/seeded-random.js';
import { type DeathKind, SimProcess, type WallClock } from '../kernel/sim-process.js';
import type { TracedDeps } from '../kernel/simulation-deps.js';
import type { Mutation } from '../mutations/mutation.js';
import type { Network } from './network.js';
import { QUIET_LOG } from './quiet-log.js';
import { GATEWAY_PINS } from './secrets.js';
import type { SimulatedTerminals } from './simulated-terminals.js';
import { openDriver } from './terminal-driver.js';

/** The same at every start of an agent, as its key file is. */
const FINGERPRINT_KEY: Uint8Array = Buffer.alloc(32, 5);

/** What a store's machine is made of. */
interface AgentMachineDeps extends TracedDeps {
  readonly name: string;
  readonly identity: AgentIdentity;
  readonly policy: SalePolicy;
  readonly network: Network;
  readonly terminals: readonly SimulatedTerminals[];
  readonly mutation: Mutation;
  /** Called with faults that no caller sees. */
  readonly onFault: (error: unknown) => void;
  /** Called with every write of rows as the agent has decided it. */
  readonly decided: (write: JournalWrite) => void;
  /** Called with all rows that the disk has taken. */
  readonly landed: (rows: readonly JournalRow[]) => void;
  /** Called with what the disk of the journal did besides writing and refusing. */
  readonly onDiskOddity: (oddity: DiskOddity) => void;
  /** Called for every start of the agent, before it serves tills. */
  readonly onBoot: (service: SaleService, process: SimProcess) => void;
}

/** The machine starts a dead agent again within this time. */
const LONGEST_RESTART_MS = 20_000;

/** Nonces come from a separate stream: a handshake more or less changes nothing else of a simulation. */
function withOwnNonces(random: SeededRandom): Random {
  const nonces = random.branch('nonces');
  return { bytes: (length) => (length === BRIDGE_LIMITS.nonceBytes ? nonces : random).bytes(length) };
}

/** How a till's call over HTTP ended. */
export type TillCall<T> =
  | { readonly kind: 'answer'; readonly value: T }
  | { readonly kind: 'refused'; readonly refusal: SaleError }
  /** No agent, or it went away before it answered. */
  | { readonly kind: 'gone' };

/** A store's machine: its disk and clock outlive the agent that runs on it. */
export class AgentMachine {
  readonly name: string;
  readonly wall: WallClock = { offsetMs: 0 };
  readonly simulatedDisk: SimulatedDisk;
  readonly diskImage = new DiskImage<MemoryDisk>(newMemoryDisk);
  readonly #deps: AgentMachineDeps;
  readonly #memory = new Map<string, unknown>();
  /** The file of the store's policy; it is synced before its write returns. */
  #policyFile: Uint8Array | undefined;
  #boots = 0;
  #lastDeath: DeathKind = 'kill';
  #process: SimProcess | undefined;
  #journal: DiskJournal | undefined;
  #service: SaleService | undefined;

  constructor(deps: AgentMachineDeps) {
    this.#deps = deps;
    this.name = deps.name;
    this.simulatedDisk = new SimulatedDisk(
      deps.name,
      deps.clock,
      deps.random.branch('disk'),
      deps.trace,
      deps.onDiskOddity,
    );
  }

  get agentId(): string {
    return this.#deps.identity.agentId;
  }

  get terminals(): readonly SimulatedTerminals[] {
    return this.#deps.terminals;
  }

  get network(): Network {
    return this.#deps.network;
  }

  /** The running agent's process. */
  get process(): SimProcess | undefined {
    return this.#process?.alive ? this.#process : undefined;
  }

  /** Starts the agent on what the disk holds: journal, terminals, sales, uplink, in this order. */
  async boot(): Promise<void> {
    if (this.process) return;
    const { name, clock, trace, identity, network, mutation, onFault, onBoot, policy } = this.#deps;
    const { decided, landed } = this.#deps;
    const { recordAges } = mutation;
    // What a process had not even handed to the operating system goes with it, however it ends.
    const loses = this.#lastDeath === 'power' || mutation.journalDisk === 'answers-first';
    const lost = loses ? this.diskImage.powerCut() : 0;
    this.#boots += 1;
    const random = this.#deps.random.branch(`boot ${this.#boots}`);
    const process = new SimProcess(name, clock, this.wall, trace);
    this.#process = process;
    trace.add(name, `starts${lost > 0 ? `, ${lost} journal writes lost` : ''}`);
    process.onDeath((how) => {
      this.#lastDeath = how;
      // The service manager of the machine.
      clock.setTimer(random.whole(500, LONGEST_RESTART_MS), () => void this.boot());
    });
    const { diskImage, simulatedDisk } = this;
    const bug = mutation.journalDisk;
    const journal = new DiskJournal({ process, diskImage, simulatedDisk, bug, decided, landed });
    this.#journal = journal;
    const terminals = this.#deps.terminals.map((terminals) => {
      const driver = openDriver(terminals, process);
      return { terminals, driver: mutation.driver?.(driver, terminals.id) ?? driver };
    });
    const storePolicy = new StorePolicyKeeper({
      agentId: identity.agentId,
      pins: () => GATEWAY_PINS,
      storage: {
        read: () => this.#policyFile,
        write: (bytes) => {
          this.#policyFile = bytes;
        },
      },
      log: QUIET_LOG,
    });
    const runner = new SaleRunner({
      journal: mutation.journal?.(journal) ?? journal,
      clock: process.clock,
      random,
      policy,
      storePolicy: mutation.storePolicy?.(storePolicy) ?? storePolicy,
      fingerprintKey: FINGERPRINT_KEY,
      ...(recordAges && {
        ages: (time: TimeFloor) => recordAges(new RecordAges(process.clock, time), time),
      }),
      ...(mutation.timeFloor && { time: mutation.timeFloor(new TimeFloor(process.clock)) }),
      terminals: terminals.map(({ terminals, driver }) => ({
        profile: {
          id: terminals.id,
          deviceType: terminals.device.deviceType,
          deviceId: terminals.id,
          pinEntryAvailable: true,
        },
        driver,
      })),
      onFault,
    });
    const uplink = new BridgeUplink({
      speaker: {
        identity,
        bootId: toHex(random.bytes(16)),
        generation: FIRST_GENERATION,
        software: 'simulation',
      },
      connect: (listener) => network.connect(process, listener),
      trust: { pins: GATEWAY_PINS, replace: () => undefined },
      policy: storePolicy,
      queue: mutation.queue?.(runner.queue) ?? runner.queue,
      terminals: () =>
        terminals.map(({ terminals, driver }) => ({
          terminalId: terminals.id,
          deviceType: terminals.device.deviceType,
          state: driver.state,
        })),
      clock: process.clock,
      random: withOwnNonces(random),
      log: QUIET_LOG,
    });
    const service = mutation.saleService?.(runner.service) ?? runner.service;
    onBoot(service, process);
    await runner.start(mutation.uplink?.(uplink, this.#memory) ?? uplink);
    if (!process.alive) return;
    this.#service = service;
    uplink.start();
  }

  /** The agent ends without a word. */
  crash(how: DeathKind): void {
    if (!this.process) return;
    this.#deps.trace.add(this.name, how === 'kill' ? 'killed' : 'power cut');
    this.process.die(how);
  }

  /** The disk begins to fail, or works again; the agent finds out as a real one would. */
  setDisk(fault: DiskFault): void {
    this.#deps.trace.add(this.name, `disk ${fault}`);
    this.simulatedDisk.fault = fault;
    const { process } = this;
    if (fault !== 'none' || !process) return;
    process.clock.setTimer(JOURNAL_LIMITS.probeIntervalMs, () => {
      if (this.simulatedDisk.fault === 'none') this.#journal?.repair();
    });
  }

  /** A till calls the agent. */
  async call<T>(what: string, work: (service: SaleService) => Promise<T>): Promise<TillCall<T>> {
    const { process } = this;
    const service = this.#service;
    if (!process || !service) return { kind: 'gone' };
    const gone = new Promise<TillCall<T>>((resolve) => {
      process.onDeath(() => resolve({ kind: 'gone' }));
    });
    const answered = process
      .call(what, () => work(service))
      .then<TillCall<T>, TillCall<T>>(
        (value) => ({ kind: 'answer', value }),
        (error: unknown) => {
          if (error instanceof SaleError) return { kind: 'refused', refusal: error };
          throw error;
        },
      );
    return Promise.race([answered, gone]);
  }
}
