import type { StoryEntry } from './entry.js';

/** How far the clock of a machine is ahead of that of the gateway, in milliseconds; a clock that is missing is not ahead. */
export type ClockOffsets = ReadonlyMap<string, number>;

/**
 * Entries in the order of their causes. Of those that nothing orders the earlier one comes first, by the gateway's clock as far as the others'
 * distance from it is known; then the lower key. Pure: the same entries in any order give the same list.
 */
export function inCausalOrder(entries: readonly StoryEntry[], offsets: ClockOffsets): readonly StoryEntry[] {
  const timeOf = ({ atMs, clock }: StoryEntry): number => atMs - (offsets.get(clock) ?? 0);
  const isBefore = (one: StoryEntry, other: StoryEntry): boolean =>
    timeOf(one) === timeOf(other) ? one.key < other.key : timeOf(one) < timeOf(other);
  const left = new Map(entries.map((entry) => [entry.key, entry]));
  const waitsFor = new Map(
    entries.map(({ key, after }) => [key, new Set(after.filter((each) => each !== key && left.has(each)))]),
  );
  const ordered: StoryEntry[] = [];
  while (left.size > 0) {
    let next: StoryEntry | undefined;
    let earliest: StoryEntry | undefined;
    for (const entry of left.values()) {
      if (!earliest || isBefore(entry, earliest)) earliest = entry;
      if (waitsFor.get(entry.key)?.size === 0 && (!next || isBefore(entry, next))) next = entry;
    }
    // Records that contradict each other: the earliest of them goes first.
    const taken = next ?? earliest;
    if (!taken) break;
    ordered.push(taken);
    left.delete(taken.key);
    for (const waiting of waitsFor.values()) waiting.delete(taken.key);
  }
  return ordered;
}
