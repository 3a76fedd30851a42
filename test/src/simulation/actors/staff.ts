import { GATEWAY_SILENT } from '@tillbridge/agent/sale/machine/state/parked-codes.js';
import { CommitConflict, StoreUnavailableError } from '@tillbridge/gateway/kernel/store/store.js';
import { type Recorder, saleKey } from '../checks/recorder.js';
import type { SimulationDeps } from '../kernel/simulation-deps.js';
import type { AgentMachine } from '../parts/agent-machine.js';
import type { GatewayMachine } from '../parts/gateway-machine.js';

/** What staff work with. */
interface StaffDeps extends SimulationDeps {
  readonly agents: readonly AgentMachine[];
  readonly gateway: GatewayMachine;
  readonly recorder: Recorder;
}

/** Time from one look at what is parked to the next. */
const ROUND_MS = { min: 15_000, max: 60_000 } as const;
/** People who look at what is parked: in the stores at sales, at the gateway at messages. */
export class Staff {
  readonly #with: StaffDeps;

  constructor(deps: StaffDeps) {
    this.#with = deps;
  }

  /** Looks again and again, until the simulation ends. */
  begin(): void {
    const { clock, random } = this.#with;
    clock.setTimer(random.whole(ROUND_MS.min, ROUND_MS.max), () => {
      void this.#round();
      this.begin();
    });
  }

  async #round(): Promise<void> {
    for (const agent of this.#with.agents) await this.#resolveSales(agent);
    await this.#retryMessages();
  }

  /** The reversal of such a sale is journaled and goes out whatever staff state. */
  async #resolveSales(agent: AgentMachine): Promise<void> {
    const { recorder, random } = this.#with;
    const status = await agent.call('status', async (service) => service.status());
    if (status.kind !== 'answer') return;
    for (const { reference, code } of status.value.parked) {
      if (code !== GATEWAY_SILENT || random.chance(0.3)) continue;
      const record = recorder.sales.get(saleKey(agent.name, reference));
      const outcome = record?.approvedOnce ? 'reversed' : 'declined';
      const call = await agent.call(`resolve ${reference}`, (service) =>
        service.resolve(reference, outcome, 'checked with the acquirer'),
      );
      if (call.kind === 'answer') recorder.shown(agent.name, call.value);
    }
  }

  /** As `tillbridge-gateway inbox retry` does it, for the stores they know. */
  async #retryMessages(): Promise<void> {
    const known = new Set(this.#with.agents.map(({ agentId }) => agentId));
    const { store } = this.#with.gateway;
    const parked = (await store?.find('parked', 'state', ['waiting'])) ?? [];
    for (const row of parked) {
      if (!known.has(row.agentId)) continue;
      try {
        await store?.commit([{ op: 'update', table: 'parked', row: { ...row, state: 'retry' } }]);
      } catch (error) {
        if (!(error instanceof CommitConflict || error instanceof StoreUnavailableError)) throw error;
      }
    }
  }
}
