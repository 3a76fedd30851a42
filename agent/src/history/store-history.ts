import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { ForwardQueue } from '../journal/forward-queue.js';
import type { SaleService, TillEvent } from '../sale/service/sale-service.js';
import type { UplinkState } from '../uplink/uplink.js';
import { type ExposureChange, exposureFrom, isSameExposure } from './exposure-change.js';

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
interface LinkChange {
  readonly atMs: number;
  readonly state: UplinkState;
}

/** What was so from `sinceMs` on; before the first of a list it is not known. */
export interface HistoryView {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly link: readonly LinkChange[];
  readonly exposure: readonly ExposureChange[];
}

/** What the history is taken from. */
interface HistoryDeps {
  readonly service: Pick<SaleService, 'status' | 'onEvent'>;
  readonly queue: Pick<ForwardQueue, 'depth' | 'exposure'>;
  readonly clock: Clock;
}

/**
 * How the link and the exposure were over the last hours. It is kept in memory. After a restart the journal gives the exposure of the time
 * before; no record has the state of the link while the agent was away, so its list begins at the start. Moments are counted by the monotonic
 * clock and given by the wall clock, so that a jump of that clock reorders nothing.
 */
export class StoreHistory {
  readonly #deps: HistoryDeps;
  readonly #link: LinkChange[] = [];
  readonly #exposure: ExposureChange[] = [];

  constructor(deps: HistoryDeps) {
    this.#deps = deps;
    this.#noteLink(deps.service.status().gateway.state);
    this.#noteExposure();
    deps.service.onEvent((event) => this.#hear(event));
  }

  /** Takes what waited before the start, times by the wall clock; and what waits now, which the journal has brought back. */
  restore(past: readonly ExposureChange[]): void {
    const { clock } = this.#deps;
    const nowMs = clock.monotonicMs();
    const offsetMs = nowMs - clock.nowMs();
    this.#exposure.length = 0;
    for (const change of past)
      this.#addExposure({ ...change, atMs: Math.min(nowMs, change.atMs + offsetMs) });
    this.#noteExposure();
  }

  /** What is known of the last hours, times by the wall clock, milliseconds since 1970. */
  view(): HistoryView {
    const { clock } = this.#deps;
    const nowMs = clock.monotonicMs();
    const beganMs = Math.min(...[this.#link[0], this.#exposure[0]].map((first) => first?.atMs ?? nowMs));
    const sinceMs = Math.max(beganMs, nowMs - HISTORY_LIMITS.maxAgeMs);
    const offsetMs = clock.nowMs() - nowMs;
    const byWallClock = <T extends { readonly atMs: number }>(changes: readonly T[]): readonly T[] =>
      from(changes, sinceMs).map((change) => ({ ...change, atMs: change.atMs + offsetMs }));
    return {
      sinceMs: sinceMs + offsetMs,
      untilMs: nowMs + offsetMs,
      link: byWallClock(this.#link),
      exposure: byWallClock(this.#exposure),
    };
  }

  #hear(event: TillEvent): void {
    if (event.type === 'gateway') this.#noteLink(event.state);
    else if ('sale' in event) this.#noteExposure();
  }

  #noteLink(state: UplinkState): void {
    if (this.#link.at(-1)?.state !== state) add(this.#link, { atMs: this.#deps.clock.monotonicMs(), state });
  }

  #noteExposure(): void {
    const { queue, clock } = this.#deps;
    this.#addExposure(exposureFrom(queue, clock.monotonicMs()));
  }

  #addExposure(next: ExposureChange): void {
    const last = this.#exposure.at(-1);
    if (last && isSameExposure(last, next)) return;
    const isSoon = last !== undefined && next.atMs - last.atMs < HISTORY_LIMITS.exposureStepMs;
    // The first one is what was there at the beginning.
    if (isSoon && this.#exposure.length > 1) this.#exposure.splice(-1, 1, { ...next, atMs: last.atMs });
    else add(this.#exposure, next);
  }
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
