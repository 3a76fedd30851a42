/** Lines of a file, from 1, both ends included. */
export interface LineRange {
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

/**
 * The lines that a change adds or replaces, from what `git diff --unified=0` prints. Lines that were taken away leave nothing to mutate.
 * Pure.
 */
export function changedLines(diff: string): readonly LineRange[] {
  const ranges: LineRange[] = [];
  let file = '';
  for (const line of diff.split('\n')) {
    if (line.startsWith('+++ ')) file = line.slice('+++ b/'.length);
    const [, from, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (from === undefined || count === '0') continue;
    ranges.push({ file, from: Number(from), to: Number(from) + Number(count) - 1 });
  }
  return ranges;
}
