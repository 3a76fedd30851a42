import { formatAmount } from '@tillbridge/protocol/payment/money.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { ForwardQueue } from '../journal/forward-queue.js';
import type { SaleService, TillEvent } from '../sale/service/sale-service.js';
import type { UplinkState } from '../uplink/uplink.js';

/** Limits of what is remembered, by name. */
export const HISTORY_LIMITS = {
  /** How far back. */
  maxAgeMs: 12 * 3_600_000,
  /** Changes of the link, and of the exposure; beyond it the oldest goes. */
  maxChanges: 1_000,
  /** Of the exposure within this time the last change stays. */
  exposureStepMs: 60_000,
} as const;

/** The link from a moment on. */
export interface LinkChange {
  readonly atMs: number;
  readonly state: UplinkState;
}

/** What waited for the gateway from a moment on; sums of offline sales are decimal texts by currency. */
export interface ExposureChange {
  readonly atMs: number;
  readonly depth: number;
  readonly sums: Readonly<Record<string, string>>;
}

/** What was so from `sinceMs` on; the first of each list holds there. */
export interface HistoryView {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly link: readonly LinkChange[];
  readonly exposure: readonly ExposureChange[];
}

/** What the history is taken from. */
export interface HistoryParts {
  readonly service: Pick<SaleService, 'status' | 'onEvent'>;
  readonly queue: Pick<ForwardQueue, 'depth' | 'exposure'>;
  readonly clock: Clock;
}

/**
 * How the link and the exposure were over the last hours. It is kept in memory: after a restart it begins anew, and says so. Moments are
 * counted by the monotonic clock and told by the wall clock, so that a jump of that clock reorders nothing.
 */
export class StoreHistory {
  readonly #parts: HistoryParts;
  readonly #sinceMs: number;
  readonly #link: LinkChange[] = [];
  readonly #exposure: ExposureChange[] = [];

  constructor(parts: HistoryParts) {
    this.#parts = parts;
    this.#sinceMs = parts.clock.monotonicMs();
    this.#noteLink(parts.service.status().gateway.state);
    this.#noteExposure();
    parts.service.onEvent((event) => this.#hear(event));
  }

  /** What is known of the last hours, times by the wall clock, milliseconds since 1970. */
  view(): HistoryView {
    const { clock } = this.#parts;
    const nowMs = clock.monotonicMs();
    const sinceMs = Math.max(this.#sinceMs, nowMs - HISTORY_LIMITS.maxAgeMs);
    const offsetMs = clock.nowMs() - nowMs;
    const told = <T extends { readonly atMs: number }>(changes: readonly T[]): readonly T[] =>
      from(changes, sinceMs).map((change) => ({ ...change, atMs: change.atMs + offsetMs }));
    return {
      sinceMs: sinceMs + offsetMs,
      untilMs: nowMs + offsetMs,
      link: told(this.#link),
      exposure: told(this.#exposure),
    };
  }

  #hear(event: TillEvent): void {
    if (event.type === 'gateway') this.#noteLink(event.state);
    else if ('sale' in event) this.#noteExposure();
  }

  #noteLink(state: UplinkState): void {
    if (this.#link.at(-1)?.state !== state) add(this.#link, { atMs: this.#parts.clock.monotonicMs(), state });
  }

  #noteExposure(): void {
    const { queue, clock } = this.#parts;
    const sums = Object.fromEntries(sumsOf(queue));
    const next = { atMs: clock.monotonicMs(), depth: queue.depth(), sums };
    const last = this.#exposure.at(-1);
    if (last && last.depth === next.depth && JSON.stringify(last.sums) === JSON.stringify(sums)) return;
    const isSoon = last !== undefined && next.atMs - last.atMs < HISTORY_LIMITS.exposureStepMs;
    // The first one is what was there at the beginning.
    if (isSoon && this.#exposure.length > 1) this.#exposure.splice(-1, 1, { ...next, atMs: last.atMs });
    else add(this.#exposure, next);
  }
}

function sumsOf(queue: HistoryParts['queue']): ReadonlyMap<string, string> {
  const minor = new Map<string, number>();
  for (const each of queue.exposure()) minor.set(each.currency, (minor.get(each.currency) ?? 0) + each.minor);
  return new Map([...minor].map(([currency, sum]) => [currency, formatAmount({ minor: sum, currency })]));
}

function add<T>(changes: T[], change: T): void {
  changes.push(change);
  if (changes.length > HISTORY_LIMITS.maxChanges) changes.shift();
}

/** Those from a moment on; the one that held then stands at that moment. */
function from<T extends { readonly atMs: number }>(changes: readonly T[], sinceMs: number): readonly T[] {
  const first = changes.findLastIndex(({ atMs }) => atMs <= sinceMs);
  return changes
    .slice(Math.max(0, first))
    .map((change) => ({ ...change, atMs: Math.max(change.atMs, sinceMs) }));
}
