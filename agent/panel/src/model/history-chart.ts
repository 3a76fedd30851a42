import type { History, LinkState } from '../api/answers.js';

/** A time during which the link had one state; places from 0 to 1 within the time that is shown. */
export interface LinkSpan {
  readonly from: number;
  readonly to: number;
  readonly state: LinkState | 'unknown';
}

/** A place and an amount from 0 to 1 of the highest. */
export interface Point {
  readonly at: number;
  readonly amount: number;
}

/** What the charts of the link and the exposure are drawn from. */
export interface HistoryChart {
  readonly spans: readonly LinkSpan[];
  readonly points: readonly Point[];
  /** The highest exposure in `currency`. */
  readonly highest: number;
  /** For how long the link was known, and not up, in seconds. */
  readonly knownSeconds: number;
  readonly downSeconds: number;
  readonly interruptions: number;
}

/** The last `hours` of a history; the exposure in one currency. */
export function historyChart(history: History, hours: number, currency: string): HistoryChart {
  const endMs = Date.parse(history.until);
  const startMs = endMs - hours * 3_600_000;
  const place = (ms: number) => Math.min(1, Math.max(0, (ms - startMs) / (endMs - startMs)));
  const sinceMs = Date.parse(history.since);
  const spans: LinkSpan[] = sinceMs > startMs ? [{ from: 0, to: place(sinceMs), state: 'unknown' }] : [];
  let downMs = 0;
  let interruptions = 0;
  history.link.forEach(({ at, state }, index) => {
    const from = Math.max(Date.parse(at), startMs);
    const to = Date.parse(history.link[index + 1]?.at ?? history.until);
    if (to <= startMs) return;
    if (state !== 'up') downMs += to - from;
    if (state !== 'up' && history.link[index - 1]?.state === 'up') interruptions += 1;
    spans.push({ from: place(from), to: place(to), state });
  });
  const amounts = history.exposure.map(({ at, sums }) => ({
    at: place(Date.parse(at)),
    amount: Number(sums[currency] ?? 0),
  }));
  const highest = Math.max(0, ...amounts.map(({ amount }) => amount));
  const points = amounts.map(({ at, amount }) => ({ at, amount: highest === 0 ? 0 : amount / highest }));
  return {
    spans,
    points,
    highest,
    knownSeconds: Math.round((endMs - Math.max(startMs, sinceMs)) / 1_000),
    downSeconds: Math.round(downMs / 1_000),
    interruptions,
  };
}
