import type { SalePolicy } from '@tillbridge/agent/sale/machine/state/policy.js';
import type { SaleService } from '@tillbridge/agent/sale/service/sale-service.js';
import type { PaymentService } from '@tillbridge/gateway/core/payments/payment-service.js';
import type { Change, Store } from '@tillbridge/gateway/kernel/store/store.js';
import { SoftwareSecurityModule } from '@tillbridge/gateway/security/module/software-security-module.js';
import { memorySlot } from '@tillbridge/hardware-sim/state/state-slot.js';
import type { StoredTables } from '@tillbridge/hardware-sim/terminals/gertec/emv-tables.js';
import type { StorePolicy } from '@tillbridge/wire/payment/store-policy.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { CartMerchant } from './actors/cart-merchant.js';
import { HostileMerchant } from './actors/hostile-merchant.js';
import { HostileStore } from './actors/hostile-store.js';
import { OnlineMerchant } from './actors/online-merchant.js';
import { SharingMerchant } from './actors/sharing-merchant.js';
import { Staff } from './actors/staff.js';
import { Till } from './actors/till.js';
import { WaitingMerchant } from './actors/waiting-merchant.js';
import { CartRecorder } from './carts/cart-recorder.js';
import { Cardholders } from './chargebacks/cardholders.js';
import { CardRecorder } from './checks/card-recorder.js';
import { GatewayRecorder } from './checks/gateway-recorder.js';
import { checkPromises, isQuiet, type QuietSimulation } from './checks/invariant-checker.js';
import { OfflineRecorder } from './checks/offline-recorder.js';
import { Recorder } from './checks/recorder.js';
import { checkSettlement } from './checks/settlement-check.js';
import { WireRecorder } from './checks/wire-recorder.js';
import type { DiskOddity } from './disk/simulated-disk.js';
import { FaultSchedule, THEMES } from './fault-schedule.js';
import { FAIR, type FaultRates, ROUGH } from './kernel/fault-rates.js';
import { pass } from './kernel/pass.js';
import { SeededRandom } from './kernel/seeded-random.js';
import type { SimProcess } from './kernel/sim-process.js';
import { Trace, type TraceListener } from './kernel/trace.js';
import { LinkMerchant } from './link/link-merchant.js';
import { HONEST, type Mutation } from './mutations/mutation.js';
import { WebhookReceivers } from './notifications/webhook-receivers.js';
import { AcquirerHost } from './parts/acquirer-host.js';
import { AgentMachine } from './parts/agent-machine.js';
import { GatewayMachine, type GatewayMachineDeps } from './parts/gateway-machine.js';
import { Network } from './parts/network.js';
import { ReplayedCards } from './parts/replaying-driver.js';
import { policyOf, storePolicyOf, strictest } from './parts/sale-policy.js';
import { sharedSecrets } from './parts/secrets.js';
import {
  CART_ENTITIES,
  CLONE,
  ENTITY,
  firstDay,
  HOSTILE,
  SHARING_ENTITY,
  START_MS,
  STORES,
} from './parts/seed-store.js';
import { Shoppers } from './parts/shoppers.js';
import { openSimulatedTerminals, Wallet } from './parts/simulated-terminals.js';
import { loadedTables } from './parts/terminal-driver.js';
import { settlementTermsOf } from './sharing/settlement-terms.js';
import type { RareSituation, SituationCounts } from './situations/rare-situations.js';
import { SituationRecorder } from './situations/situation-recorder.js';

/** How a simulation came out. */
export interface SimulationReport {
  readonly seed: number;
  readonly theme: string;
  /** References that tills requested. */
  readonly sales: number;
  /** Broken promises, in words; none in a good simulation. */
  readonly breaches: readonly string[];
  readonly traceLines: number;
  /** SHA-256 of the trace, hex. */
  readonly traceDigest: string;
  /** How often sales ended in which way. */
  readonly ends: Readonly<Record<string, number>>;
  readonly situations: SituationCounts;
}

/** What a simulation is made with. */
export interface SimulationOptions {
  readonly seed: number;
  readonly mutation?: Mutation;
  /** Gateways on one database; default: two in one of ten simulations, else one. */
  readonly nodes?: 1 | 2;
  /** Ends with the first broken promise: enough to know that a bug is found. */
  readonly endsBroken?: true;
  /** Called with each line of the trace. */
  readonly listener?: TraceListener;
  /** Called with the disks when all is quiet and checked. */
  readonly ended?: (disks: EndedDisks) => Promise<void>;
}

/** What is left of a simulation: rows, and by what the agents decided. */
export interface EndedDisks {
  readonly agents: readonly Pick<AgentMachine, 'name' | 'agentId' | 'diskImage'>[];
  readonly store: Store;
  readonly policy: SalePolicy;
  readonly storePolicy: StorePolicy;
}

/** The last digit of the seeds whose simulations have two gateways. */
const SEEDS_OF_TWO = 3;

const DISK_SITUATIONS: Readonly<Record<DiskOddity, RareSituation>> = {
  'kept-failed-write': 'failed journal write was kept',
  'torn-by-power-loss': 'power loss tore a journal write',
};

/** Share of the simulations that each hostile actor takes part in. */
const HOSTILE_SHARE = 0.3;
/** Share of the simulations in which the merchant sells over REST too. */
const ONLINE_SHARE = 0.5;
/** Share of the simulations in which payments of the merchant wait for shoppers and reviewers. */
const WAITING_SHARE = 0.3;
/** Share of the simulations with a merchant whose requests come at once, and that settles. */
const SHARING_SHARE = 0.3;
/** Share of the simulations with a merchant whose shoppers have gift cards. */
const CART_SHARE = 0.15;
/** Share of the simulations whose cardholders have money of the sharing merchant taken back. */
const CHARGED_BACK_SHARE = 0.5;
/** Share of the simulations whose merchants want notifications. */
const NOTIFIED_SHARE = 0.15;
/** Share of the simulations of two gateways in which commits of the second one arrive after its lease. */
const LATE_COMMITS_SHARE = 0.4;
/** Share of the simulations with a merchant whose payments go to an acquirer's host over ISO 8583. */
const LINKED_SHARE = 0.3;
const TILLS_PER_STORE = 4;
/** Tills together make so many sales, refunds among them, and what they are at then. */
const SALES_PER_SIMULATION = 100;
/** Tills close after this time, whatever they have sold. */
const LONGEST_FAULTS_MS = 3 * 3_600_000;
/** P3: everything ends so long after the last fault. */
const LONGEST_QUIET_MS = 20 * 60_000;

/** Runs the simulation of a seed: tills sell under faults, the faults end, then the promises are checked. */
export async function runSimulation(options: SimulationOptions): Promise<SimulationReport> {
  const tables = new Map<string, StoredTables>();
  for (const id of [...STORES, HOSTILE.store].flatMap(({ terminals }) => terminals))
    tables.set(id, await loadedTables(id));
  const simulation = buildSimulation(options, tables);
  const { clock, trace, recorder, tills, actors, faults, staff, quiet, theme } = simulation;
  trace.add('simulation', `seed ${options.seed}, ${theme}`);
  quiet.acquirer.boot();
  for (const gateway of quiet.gateways) gateway.boot();
  for (const agent of quiet.agents) await agent.boot();
  for (const actor of actors) await actor.begin();
  faults.begin();
  staff.begin();
  const closes = (): boolean =>
    recorder.sales.size >= SALES_PER_SIMULATION || clock.monotonicMs() > LONGEST_FAULTS_MS;
  const open = tills.map((till) => till.run(closes));
  const closed = Promise.all(open);
  const over = options.endsBroken ? Promise.race([closed, recorder.broken]) : closed;
  if (!(await pass(clock, LONGEST_FAULTS_MS + LONGEST_QUIET_MS, over)))
    recorder.breach('P3', 'a till waits for ever');
  if (options.endsBroken && recorder.breaches.length > 0) return report(options.seed, simulation);
  faults.endFaults();
  for (const actor of actors) actor.end();
  await pass(clock, LONGEST_QUIET_MS, undefined, () => isQuiet(quiet));
  const checks = checkPromises(quiet);
  if (!(await pass(clock, 60_000, checks))) recorder.breach('P3', 'the quiet simulation does not answer');
  else if (quiet.sharing)
    await checkSettlement({
      ...{
        shared: quiet.sharing,
        terms: simulation.terms,
        made: quiet.cardholders?.made ?? [],
        known: await checks,
        clock,
        recorder,
      },
      store: quiet.gateway.diskImage.state,
      rows: quiet.acquirer.rows,
      random: new SeededRandom(`settlement ${options.seed}`),
    });
  await simulation.linked?.checkFiles();
  const { policy, storePolicy } = simulation;
  const store = quiet.gateway.diskImage.state;
  await options.ended?.({ agents: quiet.agents, store, policy, storePolicy });
  return report(options.seed, simulation);
}

/** How many gateways a simulation has by default. */
function nodesOf(seed: number, { nodes }: Mutation): 1 | 2 {
  return nodes ?? (seed % 10 === SEEDS_OF_TWO ? 2 : 1);
}

type Simulation = ReturnType<typeof buildSimulation>;

function buildSimulation(
  { seed, mutation = HONEST, listener, nodes = nodesOf(seed, mutation) }: SimulationOptions,
  tables: ReadonlyMap<string, StoredTables>,
) {
  const random = new SeededRandom(`simulation ${seed}`);
  const clock = new VirtualClock(START_MS);
  const trace = new Trace(clock, listener);
  const recorder = new Recorder(trace);
  const secrets = sharedSecrets();
  const security = new SoftwareSecurityModule(secrets.keys, random.branch('security'));
  const theme = random.branch('theme').pick(Object.keys(THEMES));
  const isCloned = theme === 'clone';
  const stores = isCloned ? [...STORES, CLONE] : STORES;
  const faultRates: { now: FaultRates } = { now: ROUGH };
  const shoppers = new Shoppers({
    random: random.branch('shoppers'),
    clock,
    hasFaults: () => faultRates.now !== FAIR,
    isClockOff: () => gateway.wall.offsetMs !== 0,
  });
  const acquirer = new AcquirerHost({
    clock,
    random: random.branch('acquirer'),
    trace,
    secrets,
    security,
    bank: shoppers.bank,
  });
  const cloned = new Set(isCloned ? [CLONE.identity.agentId] : []);
  const situations = new SituationRecorder(cloned);
  const jumped = new Set<string>();
  const gatewayRecorder = new GatewayRecorder(recorder, trace, cloned, () => jumped.size > 0);
  const storePolicy = storePolicyOf(random.branch('store policy'));
  const receivers = random.branch('notified').chance(NOTIFIED_SHARE)
    ? new WebhookReceivers({
        entityIds: [ENTITY, SHARING_ENTITY, CART_ENTITIES[0]],
        beginMs: START_MS,
        clock,
        random: random.branch('receivers'),
        hasFaults: () => faultRates.now !== FAIR,
        saw: (situation) => situations.saw(situation),
        breach: (text) => recorder.breach('P4', text),
      })
    : undefined;
  const isChargedBack = random.branch('charged back').chance(CHARGED_BACK_SHARE);
  const hasCarts = random.branch('carts').chance(CART_SHARE);
  const cartRecorder = new CartRecorder((text) => recorder.breach('P2', text));
  const terms = settlementTermsOf(random.branch('settlement terms'), START_MS);
  const machine = {
    clock,
    trace,
    secrets,
    security,
    mutation,
    faultRates: () => faultRates.now.acquirer,
    acquirer: () => acquirer.acquirer,
    record: () => acquirer.record,
    shoppers,
    seed: firstDay(storePolicy, terms, receivers?.rows ?? []),
    hasCarts,
    receivers,
    ...(isChargedBack && { chargebacks: () => acquirer.chargebacks }),
    committed: (changes: readonly Change[]) => {
      cartRecorder.committed(changes);
      gatewayRecorder.committed(changes);
      situations.gateway.committed(changes);
    },
    watch: (service: PaymentService) => situations.gateway.watch(gatewayRecorder.watch(service)),
    answerLost: (...lost: Parameters<GatewayMachineDeps['answerLost']>) => situations.answerLost(...lost),
  } satisfies Omit<GatewayMachineDeps, 'random'>;
  const gateway: GatewayMachine = new GatewayMachine({
    ...machine,
    random: random.branch('gateway'),
    ...(nodes === 2 && { node: { name: 'gateway' } }),
  });
  const second =
    nodes === 2
      ? [
          new GatewayMachine({
            ...machine,
            random: random.branch('second gateway'),
            node: {
              name: 'gateway-2',
              first: gateway,
              ...(random.branch('late commits').chance(LATE_COMMITS_SHARE) && {
                lateCommits: { hasFaults: () => faultRates.now !== FAIR },
              }),
            },
          }),
        ]
      : [];
  const gateways = [gateway, ...second] as const;
  const choice = random.branch('balancer');
  /** Where a client comes out: at any gateway that is up. */
  const front = (): GatewayMachine => {
    const up = gateways.filter(({ service }) => service !== undefined);
    return up.length > 1 ? choice.pick(up) : (up[0] ?? gateway);
  };
  const wire = new WireRecorder(
    trace,
    recorder,
    async (agentId, messageId) =>
      (await gateway.diskImage.state.get('inbox', [agentId, messageId])) !== undefined,
  );
  const cards = new CardRecorder();
  const wallet = new Wallet(random.branch('wallet'), (card) => cards.watch(card));
  const policy = policyOf(random.branch('policy'));
  const offline = new OfflineRecorder({
    recorder,
    cards,
    clock,
    policy: strictest(policy.offline, storePolicy),
  });
  const skimmed = random
    .branch('replayedCards')
    .pick(['none', 'none', ...STORES.flatMap(({ terminals }) => terminals)]);
  const merchant = random.branch('hostileMerchant').chance(HOSTILE_SHARE)
    ? new HostileMerchant({
        entityId: HOSTILE.entityId,
        clock,
        random: random.branch('hostile merchant'),
        trace,
        service: () => front().service,
        breach: (text) => recorder.breach('P8', text),
      })
    : undefined;
  const hostileStore = random.branch('hostileStore').chance(HOSTILE_SHARE)
    ? new HostileStore({
        clock,
        random: random.branch('hostile store'),
        trace,
        policy,
        wallet,
        tables,
        bridgeListener: () => front().bridgeListener,
      })
    : undefined;
  const online = random.branch('online').chance(ONLINE_SHARE)
    ? new OnlineMerchant({
        entityId: ENTITY,
        clock,
        random: random.branch('online merchant'),
        trace,
        gateway: front,
        onFault: (error) => recorder.breach('fault', `payment over REST: ${String(error)}`),
      })
    : undefined;
  const waiting = random.branch('waiting').chance(WAITING_SHARE)
    ? new WaitingMerchant({
        entityId: ENTITY,
        clock,
        random: random.branch('waiting merchant'),
        trace,
        gateway: front,
        shoppers,
        breach: (text) => recorder.breach('P2', text),
        onFault: (error) => recorder.breach('fault', `payment that waits: ${String(error)}`),
      })
    : undefined;
  const sharing = random.branch('sharing').chance(SHARING_SHARE)
    ? new SharingMerchant({
        entityId: SHARING_ENTITY,
        clock,
        random: random.branch('sharing merchant'),
        trace,
        gateway: front,
        saw: (situation) => situations.saw(situation),
        breach: (text) => recorder.breach('P2', text),
        onFault: (error) => recorder.breach('fault', `requests at once: ${String(error)}`),
      })
    : undefined;
  const carts = hasCarts
    ? new CartMerchant({
        entityIds: CART_ENTITIES,
        clock,
        random: random.branch('cart merchant'),
        trace,
        gateway: front,
        saw: (situation) => situations.saw(situation),
        breach: (text) => recorder.breach('P2', text),
        onFault: (error) => recorder.breach('fault', `gift cards: ${String(error)}`),
      })
    : undefined;
  const cardholders =
    sharing && isChargedBack
      ? new Cardholders({
          clock,
          random: random.branch('cardholders'),
          trace,
          host: acquirer,
          requests: () => sharing.requests,
          store: gateway.diskImage.state,
          saw: (situation) => situations.saw(situation),
        })
      : undefined;
  const linked = random.branch('linked').chance(LINKED_SHARE)
    ? new LinkMerchant({
        clock,
        random: random.branch('linked merchant'),
        trace,
        nodes,
        breach: (text) => recorder.breach('P2', text),
        onFault: (error) => recorder.breach('fault', `link: ${String(error)}`),
      })
    : undefined;
  const actors = [merchant, hostileStore, online, waiting, sharing, carts, cardholders, linked].filter(
    (actor) => actor !== undefined,
  );
  const agents: readonly AgentMachine[] = stores.map(({ name, identity, terminals }, at) => {
    const own = random.branch(name);
    const wallMs = (): number => clock.nowMs() + (agents[at]?.wall.offsetMs ?? 0);
    return new AgentMachine({
      name,
      identity,
      clock,
      random: own,
      trace,
      policy,
      mutation,
      network: new Network({
        name: `net-${at + 1}`,
        clock,
        random: own.branch('network'),
        trace,
        bridgeListener: () => front().bridgeListener,
        faultRates: () => faultRates.now.network,
        tap: (way, bytes) => {
          const envelope = wire.saw(name, identity.agentId, way, bytes);
          situations.sent(name, identity.agentId, way, envelope);
          if (way === 'up') merchant?.saw(envelope);
          return {
            isAnswer: envelope.kind === 'authorizationAnswer',
            arrived: () => way === 'down' && offline.arrived(name, envelope, wallMs()),
          };
        },
      }),
      terminals: terminals.map((id, terminal) =>
        openSimulatedTerminals({
          id,
          ...(id === skimmed && {
            replayedCards: new ReplayedCards(own.branch('replayedCards'), (...sale) =>
              recorder.replayed(name, ...sale),
            ),
          }),
          number: at * terminals.length + terminal,
          clock,
          random: own.branch(`terminal ${id}`),
          wallet,
          faultRates: () => faultRates.now.line,
          tableSlot: memorySlot(tables.get(id)),
          onFault: (error) => recorder.breach('fault', `terminal ${id}: ${String(error)}`),
        }),
      ),
      onFault: () => undefined,
      decided: (write) => offline.decided(name, write),
      landed: (rows) => {
        offline.landed(name, rows);
        recorder.journaled(name, identity.agentId, rows);
        situations.journaled(name, rows);
      },
      onDiskOddity: (oddity) => situations.saw(DISK_SITUATIONS[oddity]),
      onBoot: (service, process) => {
        offline.started(name);
        listen(recorder, name, service, process);
      },
    });
  });
  const quiet: QuietSimulation = {
    agents,
    gateway,
    gateways,
    acquirer,
    recorder,
    wire,
    cards,
    online,
    waiting,
    sharing,
    carts,
    cardholders,
    receivers: receivers?.all ?? [],
    isGatewayClockRight: () => gateways.every(({ wall }) => !wall.wasWrong),
    linked,
  };
  const clockJumped = (machine: string): void => {
    jumped.add(machine);
    situations.clockJumped(machine);
  };
  const targets = { agents, gateway, gateways, acquirer, faultRates, clockJumped };
  const faults = new FaultSchedule(targets, theme, clock, random.branch('faults'), trace);
  const staff = new Staff({ agents, gateway, clock, random: random.branch('staff'), recorder });
  const tills = agents.flatMap((machine, at) =>
    Array.from({ length: TILLS_PER_STORE }, (_, number) => {
      const name = `${'ABCDEFGH'[at]}${number + 1}`;
      const own = random.branch(`till ${name}`);
      return new Till({
        name,
        machine,
        clock,
        random: own,
        recorder,
      });
    }),
  );
  return {
    clock,
    trace,
    recorder,
    theme,
    tills,
    actors,
    linked,
    faults,
    staff,
    quiet,
    situations,
    terms,
    policy,
    storePolicy,
  };
}

function listen(recorder: Recorder, store: string, service: SaleService, process: SimProcess): void {
  service.onEvent((event) => {
    if (process.alive) recorder.received(store, event);
  });
}

function report(seed: number, { recorder, trace, theme, situations }: Simulation): SimulationReport {
  const ends: Record<string, number> = {};
  for (const { last } of recorder.sales.values()) {
    const end = last ? [last.type, last.state, last.outcome, last.mode].join(' ') : 'never taken';
    ends[end] = (ends[end] ?? 0) + 1;
  }
  return {
    seed,
    theme,
    sales: recorder.sales.size,
    breaches: recorder.breaches,
    traceLines: trace.lines,
    traceDigest: trace.digest(),
    ends,
    situations: situations.counts,
  };
}
