/**
 * Levenshtein distance of two texts, up to a limit.
 * @returns undefined when it is above the limit
 */
export function editDistance(a: string, b: string, limit: number): number | undefined {
  if (Math.abs(a.length - b.length) > limit) return undefined;
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const current = nextRow(a[i - 1], i, b, previous);
    if (Math.min(...current) > limit) return undefined;
    previous = current;
  }
  const distance = previous[b.length] ?? 0;
  return distance <= limit ? distance : undefined;
}

function nextRow(letter: string | undefined, i: number, b: string, previous: readonly number[]): number[] {
  const current = [i];
  for (let j = 1; j <= b.length; j += 1) {
    const substitution = (previous[j - 1] ?? 0) + (letter === b[j - 1] ? 0 : 1);
    current.push(Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, substitution));
  }
  return current;
}
