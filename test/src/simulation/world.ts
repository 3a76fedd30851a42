import type { SaleDesk } from '@tillbridge/agent/sale/desk.js';
import { SoftwareSecurityModule } from '@tillbridge/gateway/security/software-security-module.js';
import { memorySlot } from '@tillbridge/hardware-sim/state/state-slot.js';
import type { StoredTables } from '@tillbridge/hardware-sim/terminals/gertec/emv-tables.js';
import { VirtualClock } from '@tillbridge/protocol/seams/virtual-clock.js';
import { AcquirerHost } from './acquirer-host.js';
import { AgentMachine } from './agent-machine.js';
import { Calamities, THEMES } from './calamities.js';
import { CLONE, firstDay, START_MS, STORES } from './first-day.js';
import { GatewayMachine } from './gateway-machine.js';
import { GatewayWitness } from './gateway-witness.js';
import { Network } from './network.js';
import { checkPromises, isQuiet, type QuietWorld } from './promises.js';
import type { RareSituation, SituationCounts } from './rare-situations.js';
import { HONEST, type Sabotage } from './sabotage.js';
import { sharedSecrets } from './secrets.js';
import { SeededRandom } from './seeded-random.js';
import type { SimProcess } from './sim-process.js';
import { SituationRecorder } from './situation-recorder.js';
import { Skimmer } from './skimmer.js';
import type { DiskOddity } from './spindle.js';
import { Staff } from './staff.js';
import { openTerminalBench, Wallet } from './terminal-bench.js';
import { loadedTables } from './terminal-driver.js';
import { Till } from './till.js';
import { Trace, type TraceListener } from './trace.js';
import { ROUGH, type Weather } from './weather.js';
import { WireWitness } from './wire-witness.js';
import { Witness } from './witness.js';
import { policyOf } from './world-policy.js';

/** How a world came out. */
export interface WorldReport {
  readonly seed: number;
  readonly theme: string;
  /** References that tills asked for. */
  readonly sales: number;
  /** Broken promises, in words; none in a good world. */
  readonly breaches: readonly string[];
  readonly traceLines: number;
  /** SHA-256 of the trace, hex. */
  readonly traceDigest: string;
  /** How often sales ended in which way. */
  readonly ends: Readonly<Record<string, number>>;
  readonly situations: SituationCounts;
}

/** What a world is made with. */
export interface WorldOptions {
  readonly seed: number;
  readonly sabotage?: Sabotage;
  /** Hears each line of the trace. */
  readonly listener?: TraceListener;
}

const DISK_SITUATIONS: Readonly<Record<DiskOddity, RareSituation>> = {
  'kept-failed-write': 'failed journal write was kept',
  'torn-by-power-loss': 'power loss tore a journal write',
};

const TILLS_PER_STORE = 4;
/** Tills together make so many sales, refunds among them, and what they are at then. */
const SALES_PER_WORLD = 100;
/** Tills close after this time, whatever they have sold. */
const LONGEST_STORM_MS = 3 * 3_600_000;
/** P3: everything has its end so long after peace. */
const LONGEST_PEACE_MS = 20 * 60_000;
const STEP_MS = 2_000;

/** Runs the world of a seed: a storm with tills that sell through it, then peace, then the promises are checked. */
export async function runWorld(options: WorldOptions): Promise<WorldReport> {
  const tables = new Map<string, StoredTables>();
  for (const id of STORES.flatMap(({ terminals }) => terminals)) tables.set(id, await loadedTables(id));
  const world = buildWorld(options, tables);
  const { clock, trace, witness, tills, calamities, staff, quiet, theme } = world;
  trace.add('world', `seed ${options.seed}, ${theme}`);
  quiet.acquirer.boot();
  quiet.gateway.boot();
  for (const agent of quiet.agents) await agent.boot();
  calamities.begin();
  staff.begin();
  const closes = (): boolean =>
    witness.sales.size >= SALES_PER_WORLD || clock.monotonicMs() > LONGEST_STORM_MS;
  const open = tills.map((till) => till.run(closes));
  if (!(await pass(clock, LONGEST_STORM_MS + LONGEST_PEACE_MS, Promise.all(open))))
    witness.breach('P3', 'a till waits for ever');
  calamities.makePeace();
  await pass(clock, LONGEST_PEACE_MS, undefined, () => isQuiet(quiet));
  const checks = checkPromises(quiet);
  if (!(await pass(clock, 60_000, checks))) witness.breach('P3', 'the quiet world does not answer');
  return report(options.seed, world);
}

type World = ReturnType<typeof buildWorld>;

function buildWorld(
  { seed, sabotage = HONEST, listener }: WorldOptions,
  tables: ReadonlyMap<string, StoredTables>,
) {
  const random = new SeededRandom(`world ${seed}`);
  const clock = new VirtualClock(START_MS);
  const trace = new Trace(clock, listener);
  const witness = new Witness(trace);
  const secrets = sharedSecrets();
  const security = new SoftwareSecurityModule(secrets.keys, random.branch('security'));
  const theme = random.branch('theme').pick(Object.keys(THEMES));
  const isCloned = theme === 'clone';
  const stores = isCloned ? [...STORES, CLONE] : STORES;
  const weather: { now: Weather } = { now: ROUGH };
  const acquirer = new AcquirerHost({ clock, random: random.branch('acquirer'), trace, secrets, security });
  const cloned = new Set(isCloned ? [CLONE.identity.agentId] : []);
  const situations = new SituationRecorder(cloned);
  const gatewayWitness = new GatewayWitness(witness, trace, cloned);
  const gateway = new GatewayMachine({
    clock,
    random: random.branch('gateway'),
    trace,
    secrets,
    security,
    sabotage,
    weather: () => weather.now.acquirer,
    acquirer: () => acquirer.acquirer,
    seed: firstDay(),
    committed: (changes) => {
      gatewayWitness.committed(changes);
      situations.gateway.committed(changes);
    },
    watch: (desk) => situations.gateway.watch(gatewayWitness.watch(desk)),
    answerLost: (...lost) => situations.answerLost(...lost),
  });
  const wire = new WireWitness(
    trace,
    witness,
    async (agentId, messageId) =>
      (await gateway.platter.state.get('inbox', [agentId, messageId])) !== undefined,
  );
  const wallet = new Wallet(random.branch('wallet'));
  const policy = policyOf(random.branch('policy'));
  const skimmed = random
    .branch('skimmer')
    .pick(['none', 'none', ...STORES.flatMap(({ terminals }) => terminals)]);
  const agents = stores.map(({ name, identity, terminals }, at) => {
    const own = random.branch(name);
    return new AgentMachine({
      name,
      identity,
      clock,
      random: own,
      trace,
      policy,
      sabotage,
      network: new Network({
        name: `net-${at + 1}`,
        clock,
        random: own.branch('network'),
        trace,
        door: () => gateway.door,
        weather: () => weather.now.network,
        tap: (way, bytes) => {
          const envelope = wire.saw(name, identity.agentId, way, bytes);
          situations.sent(name, identity.agentId, way, envelope);
        },
      }),
      terminals: terminals.map((id, terminal) =>
        openTerminalBench({
          id,
          ...(id === skimmed && {
            skimmer: new Skimmer(own.branch('skimmer'), (...sale) => witness.replayed(name, ...sale)),
          }),
          number: at * terminals.length + terminal,
          clock,
          random: own.branch(`terminal ${id}`),
          wallet,
          weather: () => weather.now.line,
          tableSlot: memorySlot(tables.get(id)),
          onFault: (error) => witness.breach('fault', `terminal ${id}: ${String(error)}`),
        }),
      ),
      onFault: () => undefined,
      landed: (rows) => {
        witness.journaled(name, identity.agentId, rows);
        situations.journaled(name, rows);
      },
      onDiskOddity: (oddity) => situations.saw(DISK_SITUATIONS[oddity]),
      onBoot: (desk, process) => listen(witness, name, desk, process),
    });
  });
  const quiet: QuietWorld = { agents, gateway, acquirer, witness, wire };
  const clockJumped = (machine: string): void => situations.clockJumped(machine);
  const targets = { agents, gateway, acquirer, weather, clockJumped };
  const calamities = new Calamities(targets, theme, clock, random.branch('calamities'), trace);
  const staff = new Staff({ agents, gateway, clock, random: random.branch('staff'), witness });
  const tills = agents.flatMap((machine, at) =>
    Array.from({ length: TILLS_PER_STORE }, (_, number) => {
      const name = `${'ABCDEFGH'[at]}${number + 1}`;
      const own = random.branch(`till ${name}`);
      return new Till({
        name,
        machine,
        clock,
        random: own,
        witness,
      });
    }),
  );
  return { clock, trace, witness, theme, tills, calamities, staff, quiet, situations };
}

/** Lets time pass until the promise settles or the condition holds. @returns false when the time ran out first */
async function pass(
  clock: VirtualClock,
  limitMs: number,
  promise?: Promise<unknown>,
  until?: () => Promise<boolean>,
): Promise<boolean> {
  let settled = false;
  const endMs = clock.monotonicMs() + limitMs;
  promise?.finally(() => {
    settled = true;
  });
  const enough = async (): Promise<boolean> => {
    if (!until) return settled;
    let answer: boolean | undefined;
    void until().then((value) => {
      answer = value;
    });
    await clock.advance(0);
    return answer === true;
  };
  while (clock.monotonicMs() < endMs) {
    await clock.advance(STEP_MS);
    if (await enough()) return true;
  }
  return false;
}

function listen(witness: Witness, store: string, desk: SaleDesk, process: SimProcess): void {
  desk.onEvent((event) => {
    if (process.alive) witness.heard(store, event);
  });
}

function report(seed: number, { witness, trace, theme, situations }: World): WorldReport {
  const ends: Record<string, number> = {};
  for (const { last } of witness.sales.values()) {
    const end = last ? [last.type, last.state, last.outcome, last.mode].join(' ') : 'never taken';
    ends[end] = (ends[end] ?? 0) + 1;
  }
  return {
    seed,
    theme,
    sales: witness.sales.size,
    breaches: witness.breaches,
    traceLines: trace.lines,
    traceDigest: trace.digest(),
    ends,
    situations: situations.counts,
  };
}
