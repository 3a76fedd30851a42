import { toLowerHex } from '@tillbridge/wire/bytes.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { Counter, type Registry } from 'prom-client';
import type { AgentLog } from '../log/log.js';

const ID_BYTES = 16;

/** The last request that failed by a fault of the agent. */
interface RequestFault {
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly method: string;
  readonly route: string;
  /** Stands in the answer and in the log. */
  readonly correlationId: string;
}

/** Faults of requests since the start of the process. */
export interface RequestFaultsView {
  readonly count: number;
  readonly last?: RequestFault;
}

/** What faults are recorded with. */
interface RequestFaultDeps {
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly random: Random;
  readonly log: Pick<AgentLog, 'error'>;
  /** Absent: nothing is counted there. */
  readonly metrics?: Registry | undefined;
}

/** Records each request that fails by a fault of the agent: its cause in the log under the id that the till has, a metric, and the status of the store. */
export class RequestFaults {
  readonly #deps: RequestFaultDeps;
  readonly #counter: Counter | undefined;
  #view: RequestFaultsView = { count: 0 };

  constructor(deps: RequestFaultDeps) {
    this.#deps = deps;
    this.#counter =
      deps.metrics &&
      new Counter({
        name: 'tillbridge_agent_request_faults_total',
        help: 'Requests of tills that were answered 500',
        registers: [deps.metrics],
      });
  }

  /** @returns the correlation id, 32 hex digits */
  record(error: unknown, { method, route = 'none' }: { method: string; route: string | undefined }): string {
    const { clock, random, log } = this.#deps;
    const correlationId = toLowerHex(random.bytes(ID_BYTES));
    log.error({ correlationId, method, route, err: error }, 'request failed');
    this.#counter?.inc();
    const at = new Date(clock.nowMs()).toISOString();
    this.#view = { count: this.#view.count + 1, last: { at, method, route, correlationId } };
    return correlationId;
  }

  view(): RequestFaultsView {
    return this.#view;
  }
}
