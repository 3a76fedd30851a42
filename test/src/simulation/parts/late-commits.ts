import type { Change, Store } from '@tillbridge/gateway/kernel/store/store.js';
import type { SimulationDeps } from '../kernel/simulation-deps.js';
import { redirected } from '../mutations/redirected.js';

/** Share of the commits with which a time begins in which none of its node arrives. */
const BEGINS_SHARE = 0.02;
/** Longer than the lease of a node. */
const HELD_UP_MS = { min: 4_000, max: 14_000 } as const;

/** What the way of a node to its database is run with. */
interface LateCommitsDeps extends SimulationDeps {
  readonly hasFaults: () => boolean;
  readonly heldUp: (ms: number) => void;
}

/** A database that a node's commits now and then reach long after they left, when its lease has ended; it reads at any time. */
export function withLateCommits(store: Store, { clock, random, hasFaults, heldUp }: LateCommitsDeps): Store {
  let untilMs = 0;
  return redirected(store, {
    commit: async (changes: readonly Change[]) => {
      const nowMs = clock.monotonicMs();
      if (nowMs >= untilMs && hasFaults() && random.chance(BEGINS_SHARE)) {
        const ms = random.whole(HELD_UP_MS.min, HELD_UP_MS.max);
        untilMs = nowMs + ms;
        heldUp(ms);
      }
      if (nowMs < untilMs)
        await new Promise<void>((resolve) => {
          clock.setTimer(untilMs - nowMs, resolve);
        });
      return store.commit(changes);
    },
  });
}
