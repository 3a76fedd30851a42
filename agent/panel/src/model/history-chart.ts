import type { History, LinkState } from '../api/answers.js';

/** A time during which the link had one state; places from 0 to 1 within the time that is shown. */
interface LinkSpan {
  readonly from: number;
  readonly to: number;
  readonly state: LinkState | 'unknown';
}

/** A place and an amount from 0 to 1 of the highest. */
interface Point {
  readonly at: number;
  readonly amount: number;
}

/** The exposure in one currency. */
export interface ExposureChart {
  readonly currency: string;
  readonly points: readonly Point[];
  /** Decimal text; undefined where there was none. */
  readonly highest: string | undefined;
}

/** What the charts of the link and the exposure are drawn from. */
export interface HistoryChart {
  readonly spans: readonly LinkSpan[];
  /** That of the store first, then others that occur. */
  readonly exposures: readonly ExposureChart[];
  /** For how long the link was known, and not up, in seconds. */
  readonly knownSeconds: number;
  readonly downSeconds: number;
  readonly interruptions: number;
}

/** The last `hours` of a history. `home`: the currency of the store, where it has one. */
export function historyChart(history: History, hours: number, home: string | undefined): HistoryChart {
  const endMs = Date.parse(history.until);
  const startMs = endMs - hours * 3_600_000;
  const place = (ms: number) => Math.min(1, Math.max(0, (ms - startMs) / (endMs - startMs)));
  const link = since(history.link, startMs);
  const knownMs = Math.max(startMs, Date.parse(link[0]?.at ?? history.until));
  const spans: LinkSpan[] = knownMs > startMs ? [{ from: 0, to: place(knownMs), state: 'unknown' }] : [];
  let downMs = 0;
  let interruptions = 0;
  link.forEach(({ at, state }, index) => {
    const fromMs = Math.max(Date.parse(at), startMs);
    const toMs = Date.parse(link[index + 1]?.at ?? history.until);
    if (state !== 'up') downMs += toMs - fromMs;
    if (state !== 'up' && link[index - 1]?.state === 'up') interruptions += 1;
    spans.push({ from: place(fromMs), to: place(toMs), state });
  });
  const exposure = since(history.exposure, startMs);
  const others = exposure.flatMap(({ sums }) => Object.keys(sums)).filter((each) => each !== home);
  const currencies = [...(home === undefined ? [] : [home]), ...new Set(others)];
  return {
    spans,
    exposures: currencies.map((currency) => exposureChart(exposure, currency, place)),
    knownSeconds: Math.round((endMs - knownMs) / 1_000),
    downSeconds: Math.round(downMs / 1_000),
    interruptions,
  };
}

function exposureChart(
  exposure: History['exposure'],
  currency: string,
  place: (ms: number) => number,
): ExposureChart {
  const amounts = exposure.map(({ at, sums }) => ({
    at: place(Date.parse(at)),
    text: sums[currency] ?? '0',
  }));
  const highest = amounts.reduce((most, { text }) => (Number(text) > Number(most) ? text : most), '0');
  const of = Number(highest);
  return {
    currency,
    points: amounts.map(({ at, text }) => ({ at, amount: of === 0 ? 0 : Number(text) / of })),
    highest: of === 0 ? undefined : highest,
  };
}

/** The changes from a moment on, and the one that held then. */
function since<T extends { readonly at: string }>(changes: readonly T[], ms: number): readonly T[] {
  return changes.slice(
    Math.max(
      0,
      changes.findLastIndex(({ at }) => Date.parse(at) <= ms),
    ),
  );
}
