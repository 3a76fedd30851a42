/** The name among `known` that the writer probably meant, or undefined when none is close. */
export function nearMatch(written: string, known: readonly string[]): string | undefined {
  const wanted = fold(written);
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const name of known) {
    const distance = editDistance(wanted, fold(name));
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** Case and separators are the commonest slips: `device_type` means `deviceType`. */
function fold(name: string): string {
  return name
    .slice(0, 64)
    .toLowerCase()
    .replace(/[-_. ]/g, '');
}

/** Edits between two words, a swap of neighbours counting once (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let above: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const substituted = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      const swapped =
        j > 0 && i > 0 && a[i] === b[j - 1] && a[i - 1] === b[j] ? (above[j - 1] ?? 0) + 1 : Infinity;
      next.push(Math.min(substituted, swapped, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    above = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
