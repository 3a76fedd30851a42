/**
 * Edits between two texts, up to a limit: letters put in, left out or taken for others, and two neighbouring letters swapped, each counting once
 * (optimal string alignment). Only the cells within the limit of the diagonal are looked at.
 * @returns undefined when it is above the limit
 */
export function editDistance(a: string, b: string, limit: number): number | undefined {
  if (Math.abs(a.length - b.length) > limit) return undefined;
  const beyond = limit + 1;
  let above: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, at) => Math.min(at, beyond));
  for (let i = 1; i <= a.length; i += 1) {
    const next = new Array<number>(b.length + 1).fill(beyond);
    if (i <= limit) next[0] = i;
    let least = next[0] ?? beyond;
    const last = Math.min(b.length, i + limit);
    for (let j = Math.max(1, i - limit); j <= last; j += 1) {
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (above[j - 2] ?? beyond) + 1 : beyond;
      const gap = Math.min(row[j] ?? beyond, next[j - 1] ?? beyond) + 1;
      const cell = Math.min(substituted, swapped, gap, beyond);
      next[j] = cell;
      if (cell < least) least = cell;
    }
    // A swap still reaches back over one row that is beyond the limit.
    if (least > limit && Math.min(...row) > limit) return undefined;
    above = row;
    row = next;
  }
  const distance = row[b.length] ?? beyond;
  return distance <= limit ? distance : undefined;
}
