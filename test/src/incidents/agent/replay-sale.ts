import { NOTHING_LIVE, REPLAYED_LIVE } from '@tillbridge/agent/sale/machine/state/events.js';
import { evolve } from '@tillbridge/agent/sale/machine/state/evolve.js';
import type { SaleState } from '@tillbridge/agent/sale/machine/state/sale-state.js';
import { saleReasons } from '@tillbridge/agent/sale/offline/offline-rules.js';
import type { Divergence, ReplayVerdict } from '../core/verdict.js';
import { keyOf, placeText, type SalePlace } from './sale-place.js';
import { factOf, type SaleRow } from './sale-rows.js';
import { type SaleTrack, saleSteps } from './sale-steps.js';
import type { PastContextDeps } from './step-contexts.js';

/** Places of one sale that are looked at: beyond, its rows count as not replayed. */
const MOST_PLACES = 20_000;

/** A sale to be replayed. */
export interface ReplayedSale {
  readonly reference: string;
  /** Oldest first. */
  readonly rows: readonly SaleRow[];
  /** What compaction kept of its removed rows, and their message ids. */
  readonly before?: SaleState;
}

/**
 * Replays a sale through its machine: for each row there has to be an event for which `decide` gives that row, from the state that the rows
 * before lead to. First with a disk that keeps what it reports, then with one that may not.
 */
export function replaySale(sale: ReplayedSale, deps: PastContextDeps): ReplayVerdict {
  const { reference, rows, before } = sale;
  const notReplayed = before
    ? [`sale ${reference}: rows before row ${rows[0]?.row} were removed by compaction`]
    : [];
  const start = startOf(sale);
  if (!start) return { subject: reference, rows: 0, divergence: notAccepted(sale), notReplayed };
  const track = { ...deps, rows, idsBefore: idsBefore(rows, before) };
  const sure = search({ ...track, mayLose: false }, start);
  if (sure.kind === 'reached') return { subject: reference, rows: rows.length, notReplayed };
  const faulty = search({ ...track, mayLose: true }, start);
  if (faulty.kind === 'reached')
    return {
      subject: reference,
      rows: rows.length,
      notReplayed: [
        ...notReplayed,
        `sale ${reference}: which of its writes the disk reported as lost; its rows follow where one was`,
      ],
    };
  const furthest = faulty.reached > sure.reached ? faulty : sure;
  if (furthest.kind === 'too-many')
    return {
      subject: reference,
      rows: furthest.reached,
      notReplayed: [
        ...notReplayed,
        `sale ${reference}: what follows row ${rows[furthest.reached]?.row}, in more than ${MOST_PLACES} ways`,
      ],
    };
  const { at, places, tried } = furthest;
  return {
    subject: reference,
    rows: at,
    divergence: divergenceOf(reference, rows[at], places, tried, againstOffline(deps, rows[at], places)),
    notReplayed,
  };
}

function startOf({ rows, before }: ReplayedSale): SalePlace | undefined {
  if (before) return { at: 0, onDisk: before, sale: { state: before, live: REPLAYED_LIVE }, owed: [] };
  const [row] = rows;
  if (row?.kind !== 'accepted') return undefined;
  const state = evolve(undefined, factOf(row), row);
  return { at: 1, onDisk: state, sale: { state, live: NOTHING_LIVE }, owed: [] };
}

function notAccepted({ reference, rows: [row] }: ReplayedSale): Divergence {
  return {
    subject: `sale ${reference}`,
    row: rowText(row),
    state: 'no sale',
    tried: ['accepted: a till requests a sale'],
    because: 'the first row of a sale is “accepted”',
  };
}

function idsBefore(rows: readonly SaleRow[], before: SaleState | undefined): readonly ReadonlySet<string>[] {
  const known = before ? [before.messageId, ...before.messages.map(({ messageId }) => messageId)] : [];
  const ids = new Set(known.filter((id) => id !== undefined));
  return rows.map(({ messageId }) => {
    const earlier = new Set(ids);
    if (messageId !== undefined) ids.add(messageId);
    return earlier;
  });
}

type Found =
  | { readonly kind: 'reached' }
  | { readonly kind: 'too-many'; readonly reached: number }
  | {
      readonly kind: 'diverged';
      readonly reached: number;
      /** The row that nothing leads to, the places before its write, and the events there. */
      readonly at: number;
      readonly places: readonly SalePlace[];
      readonly tried: readonly string[];
    };

/** Depth first: what the next rows show comes first, so that a row that is reachable is mostly reached at once. */
function search(track: SaleTrack, start: SalePlace): Found {
  const seen = new Set([keyOf(start)]);
  const open = [saleSteps(track, start)];
  const places = [start];
  const furthest = { at: start.at, row: start.at, places: new Set<SalePlace>(), tried: new Set<string>() };
  if (start.at === track.rows.length) return { kind: 'reached' };
  while (open.length > 0) {
    const place = places.at(-1);
    const step = open.at(-1)?.next();
    if (!place || !step || step.done) {
      open.pop();
      places.pop();
      continue;
    }
    note(furthest, place, step.value);
    // The first of them is the likeliest: it is taken first, from the top of the stack.
    for (const to of step.value.to.toReversed()) {
      if (to.at === track.rows.length && to.owed.length === 0) return { kind: 'reached' };
      const key = keyOf(to);
      if (seen.has(key)) continue;
      seen.add(key);
      open.push(saleSteps(track, to));
      places.push(to);
    }
    if (seen.size > MOST_PLACES) return { kind: 'too-many', reached: furthest.at };
  }
  const { at, row, tried } = furthest;
  // All rows are there, and something is owed: the journal ends before it was paid.
  if (at === track.rows.length) return { kind: 'reached' };
  return { kind: 'diverged', reached: at, at: row, places: [...furthest.places], tried: [...tried] };
}

/** Takes note of the furthest places, and of what was tried there. */
function note(
  furthest: { at: number; row: number; places: Set<SalePlace>; tried: Set<string> },
  place: SalePlace,
  {
    name,
    matched,
    to,
  }: { readonly name: string; readonly matched: number; readonly to: readonly SalePlace[] },
): void {
  if (place.at < furthest.at) return;
  if (place.at > furthest.at) {
    furthest.at = place.at;
    furthest.row = place.at;
    furthest.places.clear();
    furthest.tried.clear();
  }
  furthest.row = Math.max(furthest.row, place.at + (to.some(({ at }) => at > place.at) ? 0 : matched));
  furthest.places.add(place);
  furthest.tried.add(name);
}

function divergenceOf(
  reference: string,
  row: SaleRow | undefined,
  places: readonly SalePlace[],
  tried: readonly string[],
  because: string | undefined,
): Divergence {
  const states = [...new Set(places.map(placeText))];
  const why = because === undefined ? {} : { because };
  return { subject: `sale ${reference}`, row: rowText(row), state: states.join(' | or '), tried, ...why };
}

/** What the offline rules have against a sale that was taken without the gateway, by the policy in the file and the rows before. */
function againstOffline(
  { standing }: PastContextDeps,
  row: SaleRow | undefined,
  [place]: readonly SalePlace[],
): string | undefined {
  if (!row || !place || (row.kind !== 'offline-record' && row.kind !== 'preceding-reversal'))
    return undefined;
  const situation = standing(row.row);
  const reasons = situation ? saleReasons(situation, place.sale.state.request) : [];
  return reasons.length === 0
    ? undefined
    : `the policy in the file allows no sale without the gateway here (${reasons.join(', ')}): was it exported with the configuration of the agent?`;
}

function rowText(row: SaleRow | undefined): string {
  if (!row) return 'no row';
  const { reference: _r, terminalId: _t, ...shown } = row;
  return `row ${row.row}, ${row.kind} ${JSON.stringify(shown.data)}`;
}
