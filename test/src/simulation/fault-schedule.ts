import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { type SimulatedDisk, USUAL_SLOWEST_MS } from './disk/simulated-disk.js';
import { FAIR, type FaultRates, ROUGH, STORM } from './kernel/fault-rates.js';
import type { SeededRandom } from './kernel/seeded-random.js';
import type { DeathKind } from './kernel/sim-process.js';
import type { Trace } from './kernel/trace.js';
import type { AcquirerHost } from './parts/acquirer-host.js';
import type { AgentMachine } from './parts/agent-machine.js';
import type { GatewayMachine } from './parts/gateway-machine.js';

/** Everything that can be struck. */
interface Targets {
  readonly agents: readonly AgentMachine[];
  readonly gateway: GatewayMachine;
  /** All gateways, on one database. */
  readonly gateways: readonly GatewayMachine[];
  readonly acquirer: AcquirerHost;
  readonly faultRates: { now: FaultRates };
  /** Called with a machine whose wall clock was set. */
  readonly clockJumped: (machine: string) => void;
}

/** What can befall a simulation, each at a time. */
type ScheduledFault =
  | 'agentCrash'
  | 'gatewayCrash'
  | 'acquirerCrash'
  | 'networkDown'
  | 'networkSilent'
  | 'networkFlaps'
  | 'agentDisk'
  | 'gatewayDisk'
  | 'slowDisk'
  | 'clockJump'
  | 'terminalReset'
  | 'cablePulled'
  | 'faultRates';

/** What a simulation suffers most from. */
export const THEMES: Readonly<Record<string, Readonly<Record<ScheduledFault, number>>>> = {
  mixed: everything(3, {}),
  crashes: everything(1, { agentCrash: 14, gatewayCrash: 14, acquirerCrash: 5 }),
  network: everything(1, { networkDown: 8, networkSilent: 8, networkFlaps: 10, faultRates: 12, slowDisk: 8 }),
  drain: everything(0.5, {
    networkFlaps: 24,
    networkDown: 16,
    agentCrash: 4,
    gatewayCrash: 3,
    slowDisk: 10,
  }),
  disks: everything(1, { agentDisk: 12, gatewayDisk: 10, slowDisk: 8, agentCrash: 5 }),
  terminals: everything(1, { terminalReset: 12, cablePulled: 12, faultRates: 6 }),
  /** Two machines with one identity, in addition to all other faults. */
  clone: everything(1, { agentCrash: 3, networkDown: 3, slowDisk: 10 }),
  calm: everything(0.2, { networkDown: 2, agentCrash: 1 }),
};

function everything(
  weight: number,
  more: Partial<Record<ScheduledFault, number>>,
): Readonly<Record<ScheduledFault, number>> {
  return {
    agentCrash: weight,
    gatewayCrash: weight,
    acquirerCrash: weight,
    networkDown: weight,
    networkSilent: weight,
    networkFlaps: weight,
    agentDisk: weight,
    gatewayDisk: weight,
    slowDisk: weight,
    clockJump: weight,
    terminalReset: weight,
    cablePulled: weight,
    faultRates: weight,
    ...more,
  };
}

/** Crashes happen within so many effects of the process. */
const EFFECTS_TO_LIVE = 60;
/** Share of the simulations that have a fault which the weights would draw too seldom. */
const SELDOM = 0.15;
/** Share of the faults of gateways on one database after which one goes on, and after which time. */
const FROZEN_SHARE = 0.7;
const FROZEN_MS = [1_500, 5_000, 12_000] as const;
/** Until the next one: nothing that a client waits for is held up for as long as it waits. */
const NEXT_NODE_MS = { min: 14_000, max: 30_000 } as const;
const HOUR_MS = 3_600_000;
/** How long a store loses its line for, where that is drawn. */
const OUTAGE_MS = { min: 90_000, max: 240_000 } as const;
/** Longer than an agent waits for an answer. */
const ANSWER_HELD_MS = { min: 14_000, max: 20_000 } as const;
const JUMPS_MS = [-7_200_000, -90_000, -5_000, 4_000, 61_000, 3_600_000, 100_000_000] as const;

/** The faults of a simulation, drawn from its seed, until they are ended. */
export class FaultSchedule {
  readonly #targets: Targets;
  readonly #clock: Clock;
  readonly #random: SeededRandom;
  readonly #trace: Trace;
  readonly #weights: Readonly<Record<ScheduledFault, number>>;
  readonly #pauseMs: number;
  #ended = false;

  constructor(targets: Targets, theme: string, clock: Clock, random: SeededRandom, trace: Trace) {
    this.#targets = targets;
    this.#clock = clock;
    this.#random = random;
    this.#trace = trace;
    this.#weights = THEMES[theme] ?? everything(1, {});
    this.#pauseMs = theme === 'calm' ? 40_000 : 10_000;
  }

  /** The first one comes after a while, then one after the other. */
  begin(): void {
    const strike = (): void => {
      if (this.#ended) return;
      this.#strike(this.#random.weighted(this.#weights));
      this.#clock.setTimer(this.#random.whole(1_000, this.#pauseMs), strike);
    };
    this.#clock.setTimer(this.#random.whole(2_000, this.#pauseMs), strike);
    if (this.#targets.gateways.length > 1) this.#strikeNodes(this.#random.branch('nodes'));
    this.#sometimes('failing messages', (random) => this.#failMessages(random));
    this.#sometimes('power loss in a write', (random) => this.#cutInAWrite(random));
    // The clocks of several gateways are kept together: they measure how long a lease holds.
    if (this.#targets.gateways.length === 1)
      this.#sometimes('wrong gateway clock', (random) => this.#misleadGateway(random));
    this.#sometimes('long outage', (random) => this.#loseLine(random));
    this.#sometimes('answers held back', (random) => this.#holdAnswers(random));
  }

  /** Ends all faults, for good. */
  endFaults(): void {
    this.#ended = true;
    this.#trace.add('simulation', 'faults end');
    const { agents, gateway, gateways, acquirer, faultRates } = this.#targets;
    faultRates.now = FAIR;
    gateway.wall.offsetMs = 0;
    acquirer.wall.offsetMs = 0;
    for (const { process } of gateways) {
      process?.dieAfter(Number.POSITIVE_INFINITY, 'kill');
      process?.goOn();
    }
    gateway.failing.end();
    gateway.setDisk('none');
    gateway.simulatedDisk.slowestMs = USUAL_SLOWEST_MS;
    acquirer.boot();
    for (const each of gateways) each.boot();
    for (const agent of agents) {
      agent.wall.offsetMs = 0;
      agent.process?.dieAfter(Number.POSITIVE_INFINITY, 'kill');
      agent.setDisk('none');
      agent.simulatedDisk.slowestMs = USUAL_SLOWEST_MS;
      agent.network.silent = false;
      agent.network.down = false;
      agent.network.answersHeldMs = 0;
      for (const { line } of agent.terminals) line.plugged = true;
      // One that has to write before it is there needs time to pass.
      void agent.boot();
    }
  }

  #strike(fault: ScheduledFault): void {
    const agent = this.#random.pick(this.#targets.agents);
    const { gateway, gateways, acquirer, faultRates, agents } = this.#targets;
    const random = this.#random;
    const blows: Readonly<Record<ScheduledFault, () => void>> = {
      agentCrash: () => agent.process?.dieAfter(random.whole(1, EFFECTS_TO_LIVE), this.#howToDie()),
      gatewayCrash: () => gateway.process?.dieAfter(random.whole(1, EFFECTS_TO_LIVE), this.#howToDie()),
      acquirerCrash: () => acquirer.crash(this.#howToDie()),
      networkDown: () => this.#cut(agent, 1_000, 50_000),
      networkFlaps: () => {
        for (let flap = 0; flap < 4; flap += 1) this.#later(0, 40_000, () => this.#cut(agent, 200, 6_000));
      },
      networkSilent: () => this.#silence(agent),
      agentDisk: () => {
        agent.setDisk(random.pick(['disk-full', 'io-error'] as const));
        this.#later(500, 30_000, () => agent.setDisk('none'));
      },
      gatewayDisk: () => {
        gateway.setDisk(random.pick(['disk-full', 'io-error'] as const));
        this.#later(500, 20_000, () => gateway.setDisk('none'));
      },
      slowDisk: () => this.#slowDown(random.pick([agent, gateway, gateway]).simulatedDisk),
      clockJump: () => this.#jump(random.pick(gateways.length === 1 ? [...agents, gateway] : agents)),
      terminalReset: () => random.pick(agent.terminals).device.reset(),
      cablePulled: () => this.#unplug(agent),
      faultRates: () => {
        faultRates.now = random.pick([FAIR, ROUGH, ROUGH, STORM]);
        this.#later(5_000, 60_000, () => {
          faultRates.now = random.pick([FAIR, ROUGH]);
        });
      },
    };
    blows[fault]();
  }

  /** Two gateways on one database: one after the other stands still, or ends, at any of its effects. */
  #strikeNodes(random: SeededRandom): void {
    const strike = (): void => {
      if (this.#ended) return;
      const node = random.pick(this.#targets.gateways);
      if (random.chance(FROZEN_SHARE)) node.freeze(random.pick(FROZEN_MS), random.whole(0, EFFECTS_TO_LIVE));
      else node.process?.dieAfter(random.whole(1, EFFECTS_TO_LIVE), 'kill');
      this.#clock.setTimer(random.whole(NEXT_NODE_MS.min, NEXT_NODE_MS.max), strike);
    };
    this.#clock.setTimer(random.whole(2_000, 10_000), strike);
  }

  /** A defect of the gateway keeps messages of one terminal from being handled, until it is mended. */
  #failMessages(random: SeededRandom): void {
    const { agents, gateway } = this.#targets;
    const agent = random.pick(agents);
    const { id } = random.pick(agent.terminals);
    this.#trace.add(gateway.name, `messages of ${id} fail`);
    gateway.failing.begin(agent.agentId, id);
    this.#clock.setTimer(random.whole(20_000, 90_000), () => gateway.failing.end());
  }

  #cutInAWrite(random: SeededRandom): void {
    const agent = random.pick(this.#targets.agents);
    agent.simulatedDisk.strikeInAWrite(() => {
      if (!this.#ended) agent.crash('power');
    });
  }

  /** A store sells without the gateway for minutes; in most of them its clock is set back, or far ahead. */
  #loseLine(random: SeededRandom): void {
    const agent = random.pick(this.#targets.agents);
    const forMs = random.whole(OUTAGE_MS.min, OUTAGE_MS.max);
    const after = (ms: number, act: () => void): void => {
      this.#clock.setTimer(ms, () => {
        if (!this.#ended) act();
      });
    };
    agent.network.down = true;
    after(forMs, () => {
      agent.network.down = false;
    });
    if (random.chance(0.5))
      after(random.whole(0, forMs / 2), () =>
        this.#setClock(agent, -2 * HOUR_MS, (act) => after(forMs, act)),
      );
  }

  /** The gateway's clock is a day off, and jumps about from there. */
  #misleadGateway(random: SeededRandom): void {
    const { gateway } = this.#targets;
    const endsAtMs = this.#clock.monotonicMs() + random.whole(60_000, 300_000);
    const byMs = random.pick([24 * HOUR_MS, -24 * HOUR_MS]);
    const jump = (): void => {
      if (this.#ended) return;
      const isOver = this.#clock.monotonicMs() >= endsAtMs;
      gateway.wall.offsetMs = isOver ? 0 : byMs + random.pick([0, 0, ...JUMPS_MS]);
      this.#trace.add(gateway.name, `clock is ${gateway.wall.offsetMs / 1_000} s off`);
      if (!isOver) this.#clock.setTimer(random.whole(10_000, 90_000), jump);
    };
    jump();
  }

  /** The gateway's answers to authorizations come when the terminals have given them up. */
  #holdAnswers(random: SeededRandom): void {
    const { network } = random.pick(this.#targets.agents);
    network.answersHeldMs = random.whole(ANSWER_HELD_MS.min, ANSWER_HELD_MS.max);
    this.#clock.setTimer(random.whole(30_000, 120_000), () => {
      network.answersHeldMs = 0;
    });
  }

  /** Draws a fault that the weights would draw too seldom, once in a share of the simulations, from a separate branch. */
  #sometimes(name: string, strike: (random: SeededRandom) => void): void {
    const random = this.#random.branch(name);
    if (!random.chance(SELDOM)) return;
    this.#clock.setTimer(random.whole(10_000, 90_000), () => {
      if (!this.#ended) strike(random);
    });
  }

  #slowDown(simulatedDisk: SimulatedDisk): void {
    simulatedDisk.slowestMs = this.#random.pick([200, 2_000]);
    this.#later(1_000, 30_000, () => {
      simulatedDisk.slowestMs = USUAL_SLOWEST_MS;
    });
  }

  #silence({ name, network }: AgentMachine): void {
    network.silent = true;
    this.#trace.add(name, 'network silent');
    this.#later(1_000, 50_000, () => {
      network.silent = false;
    });
  }

  #unplug(agent: AgentMachine): void {
    const { line } = this.#random.pick(agent.terminals);
    line.plugged = false;
    this.#later(500, 20_000, () => {
      line.plugged = true;
    });
  }

  #jump(machine: AgentMachine | GatewayMachine): void {
    this.#setClock(machine, this.#random.pick(JUMPS_MS), (act) => this.#later(5_000, 120_000, act));
  }

  /** @param later calls when the clock is set right again */
  #setClock(machine: AgentMachine | GatewayMachine, byMs: number, later: (act: () => void) => void): void {
    machine.wall.offsetMs += byMs;
    this.#targets.clockJumped(machine.name);
    this.#trace.add(machine.name, `clock jumps by ${byMs / 1_000} s`);
    later(() => {
      machine.wall.offsetMs -= byMs;
    });
  }

  #cut(agent: AgentMachine, minMs: number, maxMs: number): void {
    if (this.#ended) return;
    agent.network.down = true;
    this.#later(minMs, maxMs, () => {
      agent.network.down = false;
    });
  }

  #howToDie(): DeathKind {
    return this.#random.chance(0.5) ? 'kill' : 'power';
  }

  /** Ends a fault after a while, unless all faults have ended meanwhile. */
  #later(minMs: number, maxMs: number, act: () => void): void {
    this.#clock.setTimer(this.#random.whole(minMs, maxMs), () => {
      if (!this.#ended) act();
    });
  }
}
