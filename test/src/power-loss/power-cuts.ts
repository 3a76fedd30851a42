import type { SeededRandom } from '../simulation/kernel/seeded-random.js';
import type { LogEntry } from './disk-log.js';
import { type DiskImage, DiskModel, type Effect, type SyncFilter, type SyncOutcome } from './disk-model.js';

/** What a power cut could have left. */
export interface CutImage {
  /** Where the power went, and what became of what was not synced. */
  readonly what: string;
  /** Commits that were acknowledged before. */
  readonly acknowledged: number;
  readonly image: DiskImage;
}

/** How the images of a record are chosen. */
interface CutOptions {
  readonly random: SeededRandom;
  /** Cut points to look at; all of them when left out, with every prefix at each. */
  readonly points?: number;
  readonly syncCounts?: SyncFilter;
}

/** Images of a cut whose effects come and go at random. */
const RANDOM_SUBSETS = 2;
const RANDOM_SUBSETS_OF_ALL = 6;
/** Names and sizes that are tried both ways at one cut. */
const MAX_SWITCHED = 6;

/** A power cut at each chosen point of the record, and every image that is tried there. */
export function* powerCuts(entries: readonly LogEntry[], options: CutOptions): Generator<CutImage> {
  const { random, points, syncCounts } = options;
  const disk = new DiskModel(syncCounts);
  const chosen = points === undefined ? undefined : choosePoints(entries, points, random);
  let acknowledged = 0;
  for (const [index, entry] of entries.entries()) {
    if (entry.kind === 'acknowledged') acknowledged = entry.commits;
    else disk.apply(entry);
    if (chosen && !chosen.has(index)) continue;
    const all = chosen === undefined;
    for (const { what, syncOutcomes } of deliveryStatusesOf(
      disk.pending,
      random.branch(`cut ${index}`),
      all,
    )) {
      yield { what: `cut after entry ${index}, ${what}`, acknowledged, image: disk.image(syncOutcomes) };
    }
  }
}

/**
 * A third of the points stand right behind an acknowledgement, where most may be lost, a third where names and sizes change
 * or a log moves into its database, the rest anywhere.
 */
function choosePoints(entries: readonly LogEntry[], count: number, random: SeededRandom): Set<number> {
  const indexes = [...entries.keys()];
  const isAcknowledged = (index: number): boolean => entries[index]?.kind === 'acknowledged';
  const isTurn = (index: number): boolean => {
    const entry = entries[index];
    if (entry?.kind === 'truncate' || entry?.kind === 'unlink') return true;
    return entry?.kind === 'write' && !entry.name.endsWith('-wal');
  };
  const groups = [indexes.filter(isAcknowledged), indexes.filter(isTurn), indexes];
  const chosen = new Set<number>();
  for (const group of groups) {
    for (const index of drawn(group, Math.ceil(count / groups.length), random)) chosen.add(index);
  }
  return chosen;
}

function drawn(from: readonly number[], count: number, random: SeededRandom): readonly number[] {
  const order = from.map((value) => ({ value, place: random.next() }));
  return order
    .sort((a, b) => a.place - b.place)
    .slice(0, count)
    .map(({ value }) => value);
}

interface SyncOutcomes {
  readonly what: string;
  readonly syncOutcomes: readonly SyncOutcome[];
}

function* deliveryStatusesOf(
  pending: readonly Effect[],
  random: SeededRandom,
  all: boolean,
): Generator<SyncOutcomes> {
  const count = pending.length;
  yield { what: 'nothing unsynced is there', syncOutcomes: [] };
  if (count === 0) return;
  yield { what: `all ${count} unsynced are there`, syncOutcomes: pending.map(() => 'kept') };
  const prefixes = all ? [...pending.keys()] : [random.whole(0, count - 1), count - 1];
  for (const length of prefixes) yield* prefix(pending, length, random, all);
  yield* switched(pending);
  for (let draw = 0; draw < (all ? RANDOM_SUBSETS_OF_ALL : RANDOM_SUBSETS); draw += 1) {
    yield {
      what: `subset ${draw} of ${count}`,
      syncOutcomes: pending.map(() => (random.chance(0.5) ? 'kept' : 'lost')),
    };
    yield { what: `each file for itself, ${draw}`, syncOutcomes: eachFileForItself(pending, random) };
  }
}

/** The first effects and not the later ones; and the same with the next write torn, or come as zeros. */
function* prefix(
  pending: readonly Effect[],
  length: number,
  random: SeededRandom,
  all: boolean,
): Generator<SyncOutcomes> {
  const kept: SyncOutcome[] = Array(length).fill('kept');
  const what = `the first ${length} of ${pending.length}`;
  yield { what, syncOutcomes: kept };
  const next = pending[length];
  if (next?.kind !== 'write') return;
  const torn = random.whole(0, next.bytes.length - 1);
  yield { what: `${what} and ${torn} bytes of a write`, syncOutcomes: [...kept, { torn }] };
  if (!all && random.chance(0.5)) return;
  // A disk writes sectors.
  const sectors = Math.floor(next.bytes.length / 512 / 2) * 512;
  yield { what: `${what} and ${sectors} bytes of a write`, syncOutcomes: [...kept, { torn: sectors }] };
  yield { what: `${what} and zeros in place of a write`, syncOutcomes: [...kept, 'zeros'] };
}

/** Each name and size that was changed: there before all others, and alone not there. */
function* switched(pending: readonly Effect[]): Generator<SyncOutcomes> {
  const turns = [...pending.entries()].filter(([, { kind }]) => kind !== 'write').slice(0, MAX_SWITCHED);
  for (const [index, { kind, name }] of turns) {
    const what = `${kind} of ${name}`;
    yield { what: `${what} alone`, syncOutcomes: pending.map((_, at) => (at === index ? 'kept' : 'lost')) };
    yield { what: `all but ${what}`, syncOutcomes: pending.map((_, at) => (at === index ? 'lost' : 'kept')) };
  }
}

/** Of each file another prefix: what was done to one may come before what was done earlier to another. */
function eachFileForItself(pending: readonly Effect[], random: SeededRandom): readonly SyncOutcome[] {
  const left = new Map<string, number>();
  for (const { name } of pending) left.set(name, (left.get(name) ?? 0) + 1);
  for (const [name, count] of left) left.set(name, random.whole(0, count));
  return pending.map(({ name }) => {
    const more = left.get(name) ?? 0;
    left.set(name, more - 1);
    return more > 0 ? 'kept' : 'lost';
  });
}
