import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { rowsByTime } from '../../../kernel/store/rows-by-time.js';
import type { Store } from '../../../kernel/store/store.js';

export const REVOKED_LIMITS = {
  /** From one look at all rows to the next, in milliseconds: one agent was revoked and another one replaced between two looks. */
  fullLookMs: 60_000,
  /** Revoked agents that are counted; of more, all rows are read each time. */
  counted: 100_000,
} as const;

/** What {@link RevokedAgents} works with. */
interface RevokedAgentsDeps {
  readonly store: Pick<Store, 'findRange' | 'countRange'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

/** The agents whose keys count no more. Their rows are read where their count has changed, and once a minute. */
export class RevokedAgents {
  readonly #deps: RevokedAgentsDeps;
  #count: number | undefined;
  #lookedAtMs = 0;

  constructor(deps: RevokedAgentsDeps) {
    this.#deps = deps;
  }

  /** Calls `end` with the id of each revoked agent; with none while nothing has changed. @throws StoreUnavailableError */
  async look(end: (agentId: string) => void): Promise<void> {
    const { store, clock } = this.#deps;
    const { counted: limit, fullLookMs } = REVOKED_LIMITS;
    const nowMs = clock.monotonicMs();
    const count = await store.countRange('agents', 'state', { equals: ['revoked'], limit });
    const isSame = count === this.#count && count < limit;
    if (isSame && nowMs - this.#lookedAtMs < fullLookMs) return;
    const byTime = {
      index: 'state',
      timeOf: ({ createdAtMs }: { readonly createdAtMs: number }) => createdAtMs,
    };
    for await (const { id } of rowsByTime(store, 'agents', byTime, ['revoked'], {})) end(id);
    this.#count = count;
    this.#lookedAtMs = nowMs;
  }
}
