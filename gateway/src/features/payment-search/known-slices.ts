import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { PaymentSliceRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';

/** Limits of what is remembered of slices, by name. */
export const KNOWN_LIMITS = {
  /**
   * How long a filter counts before it is read again. A note on a late payment stays longer than that after its slice was made anew
   * (slices.ts), so that no search misses one.
   */
  maxAgeMs: 50_000,
  /** Bytes of all filters; the entity that was searched longest ago goes first. */
  maxBytes: 64 * 1_024 ** 2,
  /** Slices of one read. */
  slicesAtOnce: 256,
} as const;

/** A slice as a search looks at it. */
export interface KnownSlice extends Pick<PaymentSliceRow, 'fromMs' | 'toMs'> {
  readonly filter: Buffer;
}

interface Known {
  readonly readAtMs: number;
  /** The latest last. */
  readonly slices: KnownSlice[];
}

/** Filters of slices, as they were read some seconds ago: a search looks at all of them, and hardly any changes. */
export class KnownSlices {
  readonly #store: Pick<Store, 'findRange'>;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  /** By entity; the one that was searched longest ago first. */
  readonly #known = new Map<string, Promise<Known>>();
  readonly #bytes = new Map<string, number>();

  constructor(store: Pick<Store, 'findRange'>, clock: Pick<Clock, 'monotonicMs'>) {
    this.#store = store;
    this.#clock = clock;
  }

  /** All slices of an entity, the latest last. @throws StoreUnavailableError */
  async of(entityId: string): Promise<readonly KnownSlice[]> {
    const before = await this.#known.get(entityId)?.catch(() => undefined);
    const isOld = !before || this.#clock.monotonicMs() - before.readAtMs >= KNOWN_LIMITS.maxAgeMs;
    const known = isOld
      ? this.#read(entityId, { readAtMs: this.#clock.monotonicMs(), slices: [] })
      : this.#read(entityId, before);
    this.#known.delete(entityId);
    this.#known.set(entityId, known);
    const { slices } = await known;
    this.#bytes.set(
      entityId,
      slices.reduce((sum, { filter }) => sum + filter.length, 0),
    );
    this.#forget(entityId);
    return slices;
  }

  /** The slices that are known, and those that were made since. */
  async #read(entityId: string, { readAtMs, slices }: Known): Promise<Known> {
    const all = [...slices];
    for (;;) {
      const last = all.at(-1);
      const page = await this.#store.findRange('paymentSlices', 'primary', {
        ...{ equals: [entityId], limit: KNOWN_LIMITS.slicesAtOnce },
        ...(last && { from: last.fromMs + 1 }),
      });
      for (const { fromMs, toMs, terms } of page)
        all.push({ fromMs, toMs, filter: Buffer.from(terms, 'base64') });
      if (page.length < KNOWN_LIMITS.slicesAtOnce) return { readAtMs, slices: all };
    }
  }

  #forget(kept: string): void {
    let bytes = [...this.#bytes.values()].reduce((sum, each) => sum + each, 0);
    for (const entityId of this.#known.keys()) {
      if (bytes <= KNOWN_LIMITS.maxBytes) return;
      if (entityId === kept) continue;
      bytes -= this.#bytes.get(entityId) ?? 0;
      this.#known.delete(entityId);
      this.#bytes.delete(entityId);
    }
  }
}
