import {
  type Acquirer,
  type AcquirerRecord,
  AcquirerUnreachableError,
  type ChargebackFeed,
} from '@tillbridge/gateway/core/acquirers/acquirer.js';
import { WatchedAcquirer } from '@tillbridge/gateway/core/acquirers/watched-acquirer.js';
import { Bridge } from '@tillbridge/gateway/core/bridge/bridge.js';
import type { BridgeLog } from '@tillbridge/gateway/core/bridge/bridge-log.js';
import { RETRY_LIMITS, retryParked } from '@tillbridge/gateway/core/bridge/retry-parked.js';
import { cartReversalLoop } from '@tillbridge/gateway/core/payments/cart/cart-reversal-loop.js';
import { CHARGEBACK_LIMITS, Chargebacks } from '@tillbridge/gateway/core/payments/chargebacks/chargebacks.js';
import { SnapshotEvents } from '@tillbridge/gateway/core/payments/events/snapshot-events.js';
import { standingGate } from '@tillbridge/gateway/core/payments/gates/standing-gate.js';
import type { PaymentService } from '@tillbridge/gateway/core/payments/payment-service.js';
import { GatewayPaymentService } from '@tillbridge/gateway/core/payments/service.js';
import { SHIPPED_BIN_TABLE } from '@tillbridge/gateway/core/payments/shipped-bin-table.js';
import { DISPATCHER_LIMITS, Dispatcher } from '@tillbridge/gateway/features/webhooks/worker.js';
import { Alerts } from '@tillbridge/gateway/kernel/alerts/alerts.js';
import { EntityEvents } from '@tillbridge/gateway/kernel/events/entity-events.js';
import { NodeLease, type Owner } from '@tillbridge/gateway/kernel/nodes/node-lease.js';
import type { Change, Store } from '@tillbridge/gateway/kernel/store/store.js';
import { MemoryStore } from '@tillbridge/gateway/kernel/store/testing/memory-store.js';
import { repeat } from '@tillbridge/gateway/kernel/workers/repeat.js';
import type { SecurityModule } from '@tillbridge/gateway/security/module/security-module.js';
import { keyedFingerprint } from '@tillbridge/gateway/security/tokens/fingerprint.js';
import { ShopperAddresses } from '@tillbridge/gateway/security/tokens/shopper-addresses.js';
import { MessageSeal } from '@tillbridge/gateway/security/vault/message-seal.js';
import { RowSeal } from '@tillbridge/gateway/security/vault/row-seal.js';
import { testKeyRing } from '@tillbridge/gateway/security/vault/testing/test-key-ring.js';
import { AesGcmVault } from '@tillbridge/gateway/security/vault/vault-aes-gcm.js';
import { WaitSeal } from '@tillbridge/gateway/security/vault/wait-seal.js';
import { StoredWalletTokens } from '@tillbridge/gateway/security/wallets/wallet-tokens.js';
import { StrangerLog } from '@tillbridge/platform/log/stranger-log.js';
import { DiskImage } from '../disk/disk-image.js';
import { diskStore } from '../disk/disk-store.js';
import { type DiskFault, SimulatedDisk } from '../disk/simulated-disk.js';
import type { AcquirerFaultRates } from '../kernel/fault-rates.js';
import type { SeededRandom } from '../kernel/seeded-random.js';
import { type DeathKind, SimProcess, WatchedWallClock } from '../kernel/sim-process.js';
import type { TracedDeps } from '../kernel/simulation-deps.js';
import type { Trace } from '../kernel/trace.js';
import type { Mutation } from '../mutations/mutation.js';
import type { WebhookReceivers } from '../notifications/webhook-receivers.js';
import { type BackOffice, openBackOffice } from '../sharing/back-office.js';
import { AcquirerLine, type AcquirerLineDeps } from './acquirer-line.js';
import { FailingMessages } from './failing-messages.js';
import { withLateCommits } from './late-commits.js';
import type { BridgeListener } from './network.js';
import { GATEWAY_KEY, GATEWAY_PINS, type Secrets } from './secrets.js';
import type { Shoppers } from './shoppers.js';

/** How often the service looks for what was left open. */
const RESOLVER_INTERVAL_MS = 10_000;

const BUILD_NUMBER = 'simulation';

/** The machine starts a dead gateway again within this time. */
const LONGEST_RESTART_MS = 15_000;

/** What the gateway's machine is made of. */
export interface GatewayMachineDeps extends TracedDeps {
  readonly secrets: Secrets;
  readonly security: SecurityModule;
  readonly mutation: Mutation;
  readonly faultRates: () => AcquirerFaultRates;
  readonly acquirer: () => Acquirer | undefined;
  /** What the acquirer has recorded; undefined while its host is down. */
  readonly record: () => AcquirerRecord | undefined;
  /** What cardholders had taken back; undefined while its host is down. Absent: they take nothing back. */
  readonly chargebacks?: (() => ChargebackFeed | undefined) | undefined;
  /** Whom payments over REST wait for. */
  readonly shoppers: Shoppers;
  /** What is in the store on the first day. */
  readonly seed: readonly Change[];
  /** Where notifications go; absent: no merchant wants any. */
  readonly receivers?: WebhookReceivers | undefined;
  /** Whether a merchant has gift cards. */
  readonly hasCarts: boolean;
  /** Called with every commit as it becomes durable. */
  readonly committed: (changes: readonly Change[]) => void;
  /** Between the bridge and the service: sees requests and answers. */
  readonly watch: (service: PaymentService) => PaymentService;
  readonly answerLost: AcquirerLineDeps['answerLost'];
  /** One of several gateways on one database, whose disk is another machine's; the first of them has made it. */
  readonly node?: {
    readonly name: string;
    readonly first?: GatewayMachine;
    /** Absent: its commits arrive at once. */
    readonly lateCommits?: { readonly hasFaults: () => boolean };
  };
}

/** The gateway's machine: its disk and clock outlive the process that runs on it. */
export class GatewayMachine {
  readonly name: string;
  readonly wall = new WatchedWallClock();
  readonly diskImage: DiskImage<MemoryStore>;
  readonly simulatedDisk: SimulatedDisk;
  readonly failing: FailingMessages;
  readonly #deps: GatewayMachineDeps;
  #boots = 0;
  #lastDeath: DeathKind = 'kill';
  #process: SimProcess | undefined;
  #bridge: Bridge | undefined;
  #service: PaymentService | undefined;
  #backOffice: BackOffice | undefined;
  #store: Store | undefined;

  constructor(deps: GatewayMachineDeps) {
    this.#deps = deps;
    const { node, clock, random, trace } = deps;
    this.name = node?.name ?? 'gateway';
    const { first } = node ?? {};
    this.failing = first?.failing ?? new FailingMessages();
    this.diskImage = first?.diskImage ?? new DiskImage(() => seededStore(deps.seed));
    this.simulatedDisk =
      first?.simulatedDisk ?? new SimulatedDisk(this.name, clock, random.branch('disk'), trace);
  }

  /** The running gateway's process. */
  get process(): SimProcess | undefined {
    return this.#process?.alive ? this.#process : undefined;
  }

  /** The store of the running gateway. */
  get store(): Store | undefined {
    return this.process && this.#store;
  }

  /** What the REST API calls, while it is up. */
  get service(): PaymentService | undefined {
    return this.process && this.#service;
  }

  /** What its merchants have in addition to payments, while it is up. */
  get backOffice(): BackOffice | undefined {
    return this.process && this.#backOffice;
  }

  /** Where agents connect, while it is up. */
  get bridgeListener(): BridgeListener | undefined {
    const { process } = this;
    const bridge = this.#bridge;
    const { bridgeSocket = (socket) => socket } = this.#deps.mutation;
    if (!process || !bridge || !this.#service) return undefined;
    const accept = (socket: Parameters<typeof bridge.accept>[0]): void =>
      process.whenRunning(() => bridge.accept(bridgeSocket(socket)));
    return { process, accept };
  }

  /** Starts the gateway on what the disk holds. */
  boot(): void {
    if (this.process) return;
    const { clock, trace, mutation, committed, node } = this.#deps;
    // The database of several gateways is on a separate machine.
    const lost = this.#lastDeath === 'power' && !node ? this.diskImage.powerCut() : 0;
    this.#boots += 1;
    const random = this.#deps.random.branch(`boot ${this.#boots}`);
    const process = new SimProcess(this.name, clock, this.wall, trace);
    this.#process = process;
    trace.add(this.name, `starts${lost > 0 ? `, ${lost} commits lost` : ''}`);
    process.onDeath((how) => {
      this.#lastDeath = how;
      clock.setTimer(random.whole(500, LONGEST_RESTART_MS), () => this.boot());
    });
    const { diskImage, simulatedDisk } = this;
    const disk = diskStore({
      process,
      diskImage,
      simulatedDisk,
      syncs: mutation.storeSyncs ?? true,
      committed,
    });
    const reached = node?.lateCommits
      ? withLateCommits(disk, {
          clock: process.clock,
          random: random.branch('late commits'),
          hasFaults: node.lateCommits.hasFaults,
          heldUp: (ms) => trace.add(this.name, `its commits arrive ${ms / 1_000} s late`),
        })
      : disk;
    const store: Store = mutation.store?.(reached) ?? reached;
    this.#service = undefined;
    if (!node) {
      this.#open({ process, random, store });
      return;
    }
    const onFault = (what: string, error: unknown): void =>
      trace.add(this.name, `${what}: ${reasonOf(error)}`);
    const lease = { store, clock: process.clock, random, isSingleNode: false, onFault };
    NodeLease.begin(lease).then(
      (owner) => {
        if (process.alive) this.#open({ process, random, store, owner: mutation.owner?.(owner) ?? owner });
      },
      (error: unknown) => {
        trace.add(this.name, `does not start: ${reasonOf(error)}`);
        process.die('kill');
      },
    );
  }

  /** Takes requests. */
  #open({ process, random, store, owner }: Opening): void {
    const { trace, secrets, security, mutation, faultRates, acquirer, watch, clock } = this.#deps;
    const wire = new AcquirerLine({
      name: 'INTERNAL',
      process,
      clock,
      random: random.branch('line'),
      trace,
      faultRates,
      host: acquirer,
      answerLost: this.#deps.answerLost,
    });
    const line = new WatchedAcquirer(wire, process.clock);
    const dataKeys = testKeyRing(secrets.dataKey, random);
    const vault = new AesGcmVault({ dataKeys, store, random, clock: process.clock });
    const log = traceLog(trace);
    const alerts = new Alerts({ store, clock: process.clock, log });
    const fingerprint = keyedFingerprint(secrets.fingerprintKey);
    const shopper = new ShopperAddresses(fingerprint, 'https://gateway.example');
    const gate = this.#deps.shoppers.gate(() => process.clock.nowMs());
    const registrationSeal = new RowSeal(dataKeys);
    const events = new EntityEvents(store, process.clock);
    const snapshots = new SnapshotEvents({
      events,
      random,
      bins: SHIPPED_BIN_TABLE,
      buildNumber: BUILD_NUMBER,
    });
    const service = new GatewayPaymentService({
      store,
      ...(owner && { node: owner }),
      acquirer: mutation.acquirer?.(line) ?? line,
      security: mutation.security?.(security) ?? security,
      wallets: new StoredWalletTokens({ store, dataKeys, clock: process.clock, mode: 'test' }),
      deviceKeySets: () => security.deviceKeySets(),
      vault,
      waitSeal: new WaitSeal(dataKeys),
      shopperPages: (paymentId) => shopper.pagesOf(paymentId),
      gates: [standingGate({ store, fingerprint, clock: process.clock }), mutation.gate?.(gate) ?? gate],
      fingerprint,
      registrationSeal,
      // Outages are seconds apart here: an agent that keeps its limits is believed.
      windowLimits: { shortestAbsenceMs: 0, longestMs: 0 },
      clock: process.clock,
      random,
      alerts,
      events: snapshots,
      onFault: (what, error) => trace.add(this.name, `${what}: ${reasonOf(error)}`),
    });
    service.startResolver(RESOLVER_INTERVAL_MS);
    const watched = watch(this.failing.around(mutation.paymentService?.(service) ?? service, store));
    const seal = new MessageSeal(dataKeys);
    const bridge = new Bridge({
      service: watched,
      store,
      clock: process.clock,
      random,
      alerts,
      log,
      strangers: new StrangerLog({ log, clock: process.clock }),
      seal,
      trust: {
        signingKey: GATEWAY_KEY,
        pins: () => GATEWAY_PINS,
        alert: ({ code, subject, detail }) => trace.add(this.name, `${code} ${subject}: ${detail}`),
      },
      limits: mutation.bridgeLimits ?? {},
      isAcquirerSilent: () => line.isSilent,
    });
    this.#bridge = bridge;
    this.#service = watched;
    this.#store = store;
    const bookChargebacks = this.#bookChargebacks({ process, random, store }, { alerts, events: snapshots });
    const backOffice = openBackOffice({
      bookChargebacks,
      ...{ store, registrationSeal, fingerprint, events, clock: process.clock },
      random: random.branch('back office'),
      buildNumber: BUILD_NUMBER,
      record: () => this.#recordOf(),
    });
    this.#backOffice = mutation.backOffice?.(backOffice) ?? backOffice;
    if (this.#deps.hasCarts)
      cartReversalLoop({
        ...{ store, fingerprint, alerts, clock: process.clock, node: owner },
        random: random.branch('carts'),
        followUp: (request) => watched.followUp(request),
        onFault: (error) => trace.add(this.name, `carts: ${reasonOf(error)}`),
      }).wake();
    this.#notify({ process, random, store, ...(owner && { owner }) });
    repeat({
      clock: process.clock,
      intervalMs: RETRY_LIMITS.intervalMs,
      work: () =>
        retryParked({
          store,
          service: watched,
          seal,
          clock: process.clock,
          log,
          acknowledge: (agentId, messageId, outcome) => bridge.acknowledge(agentId, messageId, outcome),
        }),
      onFault: (error) => trace.add(this.name, `parked messages: ${reasonOf(error)}`),
    });
  }

  /** Books what cardholders had taken back. @returns books at once what is new */
  #bookChargebacks(
    { process, random: own, store }: Opening,
    { alerts, events }: { readonly alerts: Alerts; readonly events: SnapshotEvents },
  ): () => Promise<void> {
    const { chargebacks, trace } = this.#deps;
    if (!chargebacks) return async () => undefined;
    const feed: ChargebackFeed = {
      chargebacksAfter: async (cursor, limit) => {
        const host = chargebacks();
        if (!host) throw new AcquirerUnreachableError('refused');
        return host.chargebacksAfter(cursor, limit);
      },
    };
    const random = own.branch('chargebacks');
    const { clock } = process;
    const { round } = new Chargebacks({
      feed,
      alerts,
      context: { store, random, clock, events, mode: 'test' },
    });
    const onFault = (error: unknown): void => trace.add(this.name, `chargebacks: ${reasonOf(error)}`);
    repeat({ clock, intervalMs: CHARGEBACK_LIMITS.intervalMs, work: round, onFault });
    return round;
  }

  /** Delivers notifications. */
  #notify({ process, random, store, owner }: Opening): void {
    const { receivers, mutation, trace } = this.#deps;
    if (!receivers) return;
    const egress = {
      send: (request: Parameters<typeof receivers.post>[0]) =>
        process.call('notification', () => receivers.post(request)),
    };
    const onFault = (error: unknown): void => trace.add(this.name, `notifications: ${reasonOf(error)}`);
    const dispatcher = new Dispatcher({
      ...{ store, onFault, keys: receivers.keys, clock: process.clock, node: owner },
      random: random.branch('notifications'),
      egress: mutation.egress?.(egress) ?? egress,
    });
    const { intervalMs } = DISPATCHER_LIMITS;
    repeat({ clock: process.clock, intervalMs, work: () => dispatcher.round(), onFault });
  }

  #recordOf(): AcquirerRecord {
    const record = this.#deps.record();
    if (!record) throw new AcquirerUnreachableError('refused');
    return record;
  }

  /** The gateway stands still for a while, from one of its next effects on. */
  freeze(forMs: number, after: number): void {
    this.process?.stopAfter(after, () => {
      const { process } = this;
      this.#deps.trace.add(this.name, `stands still for ${forMs / 1_000} s`);
      this.#deps.clock.setTimer(forMs, () => process?.goOn());
    });
  }

  /** The gateway ends without a word. */
  crash(how: DeathKind): void {
    if (!this.process) return;
    this.#deps.trace.add(this.name, how === 'kill' ? 'killed' : 'power cut');
    this.process.die(how);
  }

  /** The disk begins to fail, or works again. */
  setDisk(fault: DiskFault): void {
    this.#deps.trace.add(this.name, `disk ${fault}`);
    this.simulatedDisk.fault = fault;
  }
}

/** What a process of the gateway begins with. */
interface Opening {
  readonly process: SimProcess;
  readonly random: SeededRandom;
  readonly store: Store;
  readonly owner?: Owner;
}

function seededStore(seed: readonly Change[]): MemoryStore {
  const store = new MemoryStore();
  // Carried out before the call returns; the promise only reports it.
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
