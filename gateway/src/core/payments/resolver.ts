import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { IntentRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import { repeat } from '../../kernel/workers/repeat.js';

/**
 * Waits after each failed try to resolve an intent, in milliseconds; the last one repeats for ever. A request of a till or merchant for the
 * outcome does not wait for them.
 */
export const RESOLVE_SCHEDULE_MS = [5_000, 10_000, 30_000, 60_000, 300_000] as const;

/** The resolver's limits. */
export const RESOLVER_LIMITS = {
  /** Open intents read at once, and tried in one round of the timer. */
  batch: 500,
  /** Intents whose failed tries are remembered; beyond that all are due again. */
  remembered: 50_000,
} as const;

/** What the resolver works with. */
interface ResolverDeps {
  readonly store: Pick<Store, 'find'>;
  readonly clock: Clock;
  /** Whether a request of this process, or another node, works on the intent. */
  readonly isRunning: (intent: IntentRow) => Promise<boolean>;
  /** Resolves the intent; undefined when its outcome cannot be known yet. */
  readonly resolve: (intent: IntentRow) => Promise<unknown>;
  readonly onFault: (what: string, error: unknown) => void;
}

interface Vain {
  readonly tries: number;
  /** Monotonic milliseconds. */
  readonly dueAtMs: number;
}

/** Resolves the intents that a crash or a silent acquirer left open, each on its own schedule. */
export class Resolver {
  readonly #deps: ResolverDeps;
  readonly #vain = new Map<string, Vain>();
  /** The next round of the timer begins after this intent; undefined: at the start. */
  #after: string | undefined;
  #end: (() => Promise<void>) | undefined;
  #stopped = false;

  constructor(deps: ResolverDeps) {
    this.#deps = deps;
  }

  /** Tries every open intent once, due or not; returns how many are still open. @throws StoreUnavailableError */
  async all(): Promise<number> {
    let left = 0;
    let after: string | undefined;
    for (;;) {
      const page = await this.#page(after);
      for (const intent of page)
        if (!(await this.#deps.isRunning(intent))) left += (await this.#try(intent)) ? 0 : 1;
      after = page.at(-1)?.id;
      if (page.length < RESOLVER_LIMITS.batch || this.#stopped) return left;
    }
  }

  /** Tries what is due, {@link RESOLVER_LIMITS.batch} rows at a time: the next round continues there. @throws StoreUnavailableError */
  async round(): Promise<void> {
    const page = await this.#page(this.#after);
    for (const intent of page)
      if (this.#isDue(intent) && !(await this.#deps.isRunning(intent))) await this.#try(intent);
    this.#after = page.length < RESOLVER_LIMITS.batch ? undefined : page.at(-1)?.id;
  }

  /** Runs a {@link round} now and every `intervalMs`, until {@link stop}. */
  start(intervalMs: number): void {
    const { clock, onFault } = this.#deps;
    const work = () => this.round();
    this.#end = repeat({ clock, intervalMs, work, onFault: (error) => onFault('the resolver', error) });
  }

  /** Begins nothing new; resolves when the running round has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#end?.();
  }

  #page(after: string | undefined): Promise<readonly IntentRow[]> {
    const limit = RESOLVER_LIMITS.batch;
    return this.#deps.store.find('intents', 'state', ['open'], {
      limit,
      ...(after !== undefined && { after: [after] }),
    });
  }

  #isDue({ id }: IntentRow): boolean {
    const vain = this.#vain.get(id);
    return vain === undefined || this.#deps.clock.monotonicMs() >= vain.dueAtMs;
  }

  async #try(intent: IntentRow): Promise<boolean> {
    if (this.#stopped) return false;
    const { resolve, onFault, clock } = this.#deps;
    const resolved = await resolve(intent).catch((error: unknown) => {
      onFault(`resolving intent ${intent.id}`, error);
      return undefined;
    });
    if (resolved !== undefined) {
      this.#vain.delete(intent.id);
      return true;
    }
    if (this.#vain.size >= RESOLVER_LIMITS.remembered) this.#vain.clear();
    const tries = (this.#vain.get(intent.id)?.tries ?? 0) + 1;
    const waitMs = RESOLVE_SCHEDULE_MS[tries - 1] ?? RESOLVE_SCHEDULE_MS.at(-1) ?? 0;
    this.#vain.set(intent.id, { tries, dueAtMs: clock.monotonicMs() + waitMs });
    return false;
  }
}
