import { ForwardProjection, STREAM_ROWS } from '../journal/forward-projection.js';
import { type Journal, type JournalRow, STATUS_ROWS } from '../journal/journal.js';
import { type ExposureChange, exposureFrom } from './exposure-change.js';

/** Rows of one kind that are read at most, the newest; what was before them is left out. */
const MAX_PAST_ROWS = 1_000;

/**
 * What waited for the gateway from a moment on, by the rows of the journal: a change for each of them, oldest first, times by the
 * wall clock of the process that wrote it.
 * @throws JournalUnavailable
 */
export async function pastExposure(journal: Journal, fromMs: number): Promise<readonly ExposureChange[]> {
  const rows = new Map<number, JournalRow>();
  const add = (row: JournalRow | undefined) => row && rows.set(row.row, row);
  const range = { untilMs: Number.MAX_SAFE_INTEGER, afterRow: 0, newestFirst: true, limit: MAX_PAST_ROWS };
  let sinceMs = fromMs;
  for (const kind of [...STREAM_ROWS, ...STATUS_ROWS]) {
    const found = await journal.rowsOfKind(kind, { ...range, sinceMs: fromMs });
    if (found.length === MAX_PAST_ROWS) sinceMs = Math.max(sinceMs, found.at(-1)?.atMs ?? sinceMs);
    found.forEach(add);
  }
  for (const { row, parked } of await journal.openMessages()) {
    add(row);
    add(parked);
  }
  // What was closed since then may have waited from before.
  for (const { statusOf } of [...rows.values()])
    if (statusOf !== undefined) add(await journal.rowOfMessage(statusOf));
  return changesOf(rows, sinceMs);
}

function changesOf(rows: ReadonlyMap<number, JournalRow>, sinceMs: number): readonly ExposureChange[] {
  const queue = new ForwardProjection();
  const changes: ExposureChange[] = [];
  for (const row of [...rows.values()].sort((one, other) => one.row - other.row)) {
    if (row.atMs > sinceMs && changes.length === 0) changes.push(exposureFrom(queue, sinceMs));
    queue.apply(row);
    // A wall clock may have been set back between two rows.
    if (row.atMs > sinceMs) changes.push(exposureFrom(queue, Math.max(row.atMs, changes.at(-1)?.atMs ?? 0)));
  }
  return changes.length > 0 ? changes : [exposureFrom(queue, sinceMs)];
}
