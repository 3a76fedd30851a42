import type { KeyObject } from 'node:crypto';
import { Pace } from '@tillbridge/platform/net/pace.js';
import { isArrivalOf, readArrival } from '@tillbridge/wire/bridge/arrival.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { AgentRow } from '../../../kernel/store/rows.js';
import type { Store } from '../../../kernel/store/store.js';
import type { BridgeLimits } from './bridge-limits.js';

/** What {@link KnownAgents} works with. */
interface KnownAgentsDeps {
  readonly store: Pick<Store, 'get'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** @throws Error for a text that is no key */
  readonly keyOf: (pem: string) => KeyObject;
  readonly limits: Pick<BridgeLimits, 'arrivalChecksPerSecond' | 'arrivalChecksBurst' | 'maxSockets'>;
}

/** Finds the agent that an arriving connection comes from, by the signature that it brings. */
export class KnownAgents {
  readonly #deps: KnownAgentsDeps;
  /** What was found good, by agent: the text of an agent stays the same. */
  readonly #good = new Map<string, string>();
  /** A stranger may send as many signatures that are none as it likes. */
  readonly #checks: Pace;

  constructor(deps: KnownAgentsDeps) {
    const { arrivalChecksPerSecond: perSecond, arrivalChecksBurst: burst } = deps.limits;
    this.#deps = deps;
    this.#checks = new Pace({ perSecond, burst });
  }

  /** The agent whose key made this text; undefined where none did, or too many are looked at. @throws StoreUnavailableError */
  async agentOf(text: string): Promise<string | undefined> {
    const arrival = readArrival(text);
    if (!arrival) return undefined;
    const { agentId } = arrival;
    if (this.#good.get(agentId) === text) return agentId;
    const nowMs = this.#deps.clock.monotonicMs();
    if (this.#checks.owedMs(nowMs) > 0) return undefined;
    this.#checks.count(nowMs);
    const agent = await this.#deps.store.get('agents', [agentId]);
    const isGood = keysOf(agent).some((pem) => this.#isBy(pem, arrival));
    if (!isGood) return undefined;
    this.#remember(agentId, text);
    return agentId;
  }

  #isBy(pem: string, arrival: Parameters<typeof isArrivalOf>[0]): boolean {
    try {
      return isArrivalOf(arrival, this.#deps.keyOf(pem));
    } catch {
      // A key that cannot be read.
      return false;
    }
  }

  #remember(agentId: string, text: string): void {
    this.#good.set(agentId, text);
    if (this.#good.size <= this.#deps.limits.maxSockets) return;
    const [oldest = ''] = this.#good.keys();
    this.#good.delete(oldest);
  }
}

function keysOf(agent: AgentRow | undefined): readonly string[] {
  if (agent?.state !== 'active') return [];
  return [agent.publicKey, agent.nextPublicKey].filter((pem) => pem !== null);
}
