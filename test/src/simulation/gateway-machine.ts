import type { Acquirer } from '@tillbridge/gateway/acquirers/acquirer.js';
import { WatchedAcquirer } from '@tillbridge/gateway/acquirers/watched-acquirer.js';
import { Bridge } from '@tillbridge/gateway/bridge/bridge.js';
import type { BridgeLog } from '@tillbridge/gateway/bridge/bridge-log.js';
import { RETRY_LIMITS, retryParked } from '@tillbridge/gateway/bridge/retry-parked.js';
import type { PaymentDesk } from '@tillbridge/gateway/payments/desk.js';
import { GatewayPaymentDesk } from '@tillbridge/gateway/payments/payment-desk.js';
import { keyedFingerprint } from '@tillbridge/gateway/security/fingerprint.js';
import { MessageSeal } from '@tillbridge/gateway/security/message-seal.js';
import type { SecurityModule } from '@tillbridge/gateway/security/security-module.js';
import { AesGcmVault } from '@tillbridge/gateway/security/vault-aes-gcm.js';
import type { Change, Store } from '@tillbridge/gateway/store/store.js';
import { MemoryStore } from '@tillbridge/gateway/store/testing/memory-store.js';
import { repeat } from '@tillbridge/gateway/workers/repeat.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import { AcquirerLine, type AcquirerLineParts } from './acquirer-line.js';
import { diskStore } from './disk-store.js';
import { FailingMessages } from './failing-messages.js';
import type { Door } from './network.js';
import { Platter } from './platter.js';
import type { Sabotage } from './sabotage.js';
import type { Secrets } from './secrets.js';
import type { SeededRandom } from './seeded-random.js';
import { type DeathKind, SimProcess, type WallClock } from './sim-process.js';
import { type DiskFault, Spindle } from './spindle.js';
import type { Trace } from './trace.js';
import type { AcquirerWeather } from './weather.js';

/** How often the desk looks for what was left open. */
const RESOLVER_INTERVAL_MS = 10_000;

/** The machine starts a dead gateway again within this time. */
const LONGEST_RESTART_MS = 15_000;

/** What the gateway's machine is made of. */
export interface GatewayMachineParts {
  readonly clock: Clock;
  readonly random: SeededRandom;
  readonly trace: Trace;
  readonly secrets: Secrets;
  readonly security: SecurityModule;
  readonly sabotage: Sabotage;
  readonly weather: () => AcquirerWeather;
  readonly acquirer: () => Acquirer | undefined;
  /** What is in the store on the first day. */
  readonly seed: readonly Change[];
  /** Told of every commit as it becomes durable. */
  readonly committed: (changes: readonly Change[]) => void;
  /** Between the bridge and the desk: sees what is asked and answered. */
  readonly watch: (desk: PaymentDesk) => PaymentDesk;
  readonly answerLost: AcquirerLineParts['answerLost'];
}

/** The gateway's machine: its disk and clock outlive the process that runs on it. */
export class GatewayMachine {
  readonly name = 'gateway';
  readonly wall: WallClock = { offsetMs: 0 };
  readonly platter: Platter<MemoryStore>;
  readonly spindle: Spindle;
  readonly failing = new FailingMessages();
  readonly #parts: GatewayMachineParts;
  #boots = 0;
  #lastDeath: DeathKind = 'kill';
  #process: SimProcess | undefined;
  #bridge: Bridge | undefined;
  #store: Store | undefined;

  constructor(parts: GatewayMachineParts) {
    this.#parts = parts;
    this.platter = new Platter(() => seededStore(parts.seed));
    this.spindle = new Spindle(this.name, parts.clock, parts.random.branch('disk'), parts.trace);
  }

  /** The running gateway's process. */
  get process(): SimProcess | undefined {
    return this.#process?.alive ? this.#process : undefined;
  }

  /** The store of the running gateway. */
  get store(): Store | undefined {
    return this.process && this.#store;
  }

  /** Where agents connect, while it is up. */
  get door(): Door | undefined {
    const { process } = this;
    const bridge = this.#bridge;
    return process && bridge && { process, accept: (socket) => bridge.accept(socket) };
  }

  /** Starts the gateway on what the disk holds. */
  boot(): void {
    if (this.process) return;
    const { clock, trace, secrets, security, sabotage, weather, acquirer, committed, watch } = this.#parts;
    const lost = this.#lastDeath === 'power' ? this.platter.powerCut() : 0;
    this.#boots += 1;
    const random = this.#parts.random.branch(`boot ${this.#boots}`);
    const process = new SimProcess(this.name, clock, this.wall, trace);
    this.#process = process;
    trace.add(this.name, `starts${lost > 0 ? `, ${lost} commits lost` : ''}`);
    process.onDeath((how) => {
      this.#lastDeath = how;
      clock.setTimer(random.whole(500, LONGEST_RESTART_MS), () => this.boot());
    });
    const { platter, spindle } = this;
    const disk = diskStore({ process, platter, spindle, syncs: sabotage.storeSyncs ?? true, committed });
    const store: Store = sabotage.store?.(disk) ?? disk;
    const wire = new AcquirerLine({
      name: 'INTERNAL',
      process,
      clock,
      random: random.branch('line'),
      trace,
      weather,
      host: acquirer,
      answerLost: this.#parts.answerLost,
    });
    const line = new WatchedAcquirer(wire, process.clock);
    const vault = new AesGcmVault({ key: secrets.vaultKey, store, random, clock: process.clock });
    const desk = new GatewayPaymentDesk({
      store,
      acquirer: sabotage.acquirer?.(line) ?? line,
      security,
      vault,
      fingerprint: keyedFingerprint(secrets.fingerprintKey),
      clock: process.clock,
      random,
      onFault: (what, error) => trace.add(this.name, `${what}: ${reasonOf(error)}`),
    });
    desk.startResolver(RESOLVER_INTERVAL_MS);
    const watched = watch(this.failing.around(sabotage.paymentDesk?.(desk) ?? desk, store));
    const log = traceLog(trace);
    const seal = new MessageSeal(secrets.vaultKey, random);
    const bridge = new Bridge({
      desk: watched,
      store,
      clock: process.clock,
      random,
      log,
      seal,
      limits: sabotage.bridgeLimits ?? {},
      isAcquirerSilent: () => line.isSilent,
    });
    this.#bridge = bridge;
    this.#store = store;
    repeat({
      clock: process.clock,
      intervalMs: RETRY_LIMITS.intervalMs,
      work: () =>
        retryParked({
          store,
          desk: watched,
          seal,
          log,
          acknowledge: (agentId, messageId, outcome) => bridge.acknowledge(agentId, messageId, outcome),
        }),
      onFault: (error) => trace.add(this.name, `parked messages: ${reasonOf(error)}`),
    });
  }

  /** The gateway ends without a word. */
  crash(how: DeathKind): void {
    if (!this.process) return;
    this.#parts.trace.add(this.name, how === 'kill' ? 'killed' : 'power cut');
    this.process.die(how);
  }

  /** The disk begins to fail, or works again. */
  setDisk(fault: DiskFault): void {
    this.#parts.trace.add(this.name, `disk ${fault}`);
    this.spindle.fault = fault;
  }
}

function seededStore(seed: readonly Change[]): MemoryStore {
  const store = new MemoryStore();
  // Carried out before the call returns; the promise only tells of it.
  store.commit(seed).catch(() => undefined);
  return store;
}

/** What the bridge complains of; what it merely reports stands in the trace already. */
function traceLog(trace: Trace): BridgeLog {
  const complain = (about: object, text: string): void => {
    const { messageId = '', err } = about as { messageId?: string; err?: unknown };
    trace.add('gateway', `${text} ..${messageId.slice(-6)}: ${reasonOf(err)}`);
  };
  return { info: () => undefined, warn: complain, error: complain };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? `${error.name} ${error.message}` : String(error);
}
