import type { SalePolicy } from '@tillbridge/agent/sale/machine/state/policy.js';
import type { Uplink } from '@tillbridge/agent/uplink/uplink.js';
import { memorySlot } from '@tillbridge/hardware-sim/state/state-slot.js';
import type { StoredTables } from '@tillbridge/hardware-sim/terminals/gertec/emv-tables.js';
import { FAIR } from '../kernel/fault-rates.js';
import type { TracedDeps } from '../kernel/simulation-deps.js';
import type { Trace } from '../kernel/trace.js';
import type { Mutation } from '../mutations/mutation.js';
import { redirected } from '../mutations/redirected.js';
import { AgentMachine } from '../parts/agent-machine.js';
import { Network, type NetworkDeps } from '../parts/network.js';
import { HOSTILE } from '../parts/seed-store.js';
import { openSimulatedTerminals, type Wallet } from '../parts/simulated-terminals.js';
import { lyingQueue } from './lies.js';

const PAUSE_MS = { min: 2_000, max: 15_000 } as const;

/** What a hostile store is made of. */
interface HostileStoreDeps extends TracedDeps {
  readonly policy: SalePolicy;
  readonly wallet: Wallet;
  readonly tables: ReadonlyMap<string, StoredTables>;
  readonly bridgeListener: NetworkDeps['bridgeListener'];
}

/** A store of another merchant, proven and connected, whose agent lies: it decides every sale without the gateway and reports another one. */
export class HostileStore {
  readonly #with: HostileStoreDeps;
  readonly #machine: AgentMachine;
  #ended = false;
  #number = 0;

  constructor(deps: HostileStoreDeps) {
    this.#with = deps;
    this.#machine = openMachine(deps);
  }

  /** Boots its agent and sells until the end. */
  async begin(): Promise<void> {
    await this.#machine.boot();
    this.#later();
  }

  /** Sells no more; what its queue holds it may still send. */
  end(): void {
    this.#ended = true;
  }

  #later(): void {
    const { clock, random } = this.#with;
    clock.setTimer(random.whole(PAUSE_MS.min, PAUSE_MS.max), () => {
      if (this.#ended) return;
      void this.#sell();
      this.#later();
    });
  }

  async #sell(): Promise<void> {
    const { random } = this.#with;
    const machine = this.#machine;
    this.#number += 1;
    const terminalId = random.pick(machine.terminals).id;
    const amount = { minor: random.whole(100, 5_000), currency: 'EUR' };
    const reference = `H-${this.#number}`;
    await machine.call(`hostile ${reference}`, (service) =>
      service.request({ reference, type: 'sale', amount, terminalId }),
    );
  }
}

function openMachine({
  clock,
  random,
  trace,
  policy,
  wallet,
  tables,
  bridgeListener,
}: HostileStoreDeps): AgentMachine {
  const { name, identity, terminals } = HOSTILE.store;
  return new AgentMachine({
    name,
    identity,
    clock,
    random,
    trace,
    policy,
    mutation: lyingAgent(name, trace),
    network: new Network({
      name: `net-${name}`,
      clock,
      random: random.branch('network'),
      trace,
      bridgeListener,
      faultRates: () => FAIR.network,
      tap: () => ({ isAnswer: false, arrived: () => undefined }),
    }),
    terminals: terminals.map((id, at) =>
      openSimulatedTerminals({
        id,
        number: HOSTILE.terminalNumber + at,
        clock,
        random: random.branch(`terminal ${id}`),
        wallet,
        faultRates: () => FAIR.line,
        tableSlot: memorySlot(tables.get(id)),
        onFault: () => undefined,
      }),
    ),
    onFault: () => undefined,
    decided: () => undefined,
    landed: () => undefined,
    onDiskOddity: () => undefined,
    onBoot: () => undefined,
  });
}

/** No request leaves before the card has decided, and every record has one false statement. */
function lyingAgent(name: string, trace: Trace): Mutation {
  return {
    uplink: (uplink: Uplink) => redirected(uplink, { sendLive: () => false }),
    queue: (queue) =>
      lyingQueue(queue, (reference, lie) => trace.add(name, `${reference} is sent as ${lie}`)),
  };
}
