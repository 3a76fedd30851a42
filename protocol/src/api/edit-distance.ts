/**
 * Levenshtein distance of two texts, up to a limit: only the cells within the limit of the diagonal are looked at.
 * @returns undefined when it is above the limit
 */
export function editDistance(a: string, b: string, limit: number): number | undefined {
  if (Math.abs(a.length - b.length) > limit) return undefined;
  const beyond = limit + 1;
  let previous = Array.from({ length: b.length + 1 }, (_, at) => Math.min(at, beyond));
  for (let i = 1; i <= a.length; i += 1) {
    const current = new Array<number>(b.length + 1).fill(beyond);
    if (i <= limit) current[0] = i;
    let least = current[0] ?? beyond;
    const last = Math.min(b.length, i + limit);
    for (let j = Math.max(1, i - limit); j <= last; j += 1) {
      const substitution = (previous[j - 1] ?? beyond) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const gap = Math.min(previous[j] ?? beyond, current[j - 1] ?? beyond) + 1;
      const cell = Math.min(substitution, gap, beyond);
      current[j] = cell;
      if (cell < least) least = cell;
    }
    if (least > limit) return undefined;
    previous = current;
  }
  const distance = previous[b.length] ?? beyond;
  return distance <= limit ? distance : undefined;
}
