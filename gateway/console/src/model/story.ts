import type { Story, StoryEntry, StoryGap } from '../api/payment-answers.js';

/** A line of a story: what happened, or what is missing. */
export type StoryLine =
  | { readonly kind: 'entry'; readonly entry: StoryEntry }
  | { readonly kind: 'gap'; readonly gap: StoryGap };

/** Gaps stand where they begin, those without a beginning at the end. The order of the entries is that of their causes, and stays. */
export function linesOf({ timeline, gaps }: Pick<Story, 'timeline' | 'gaps'>): readonly StoryLine[] {
  const open = gaps.filter(({ from }) => from !== undefined).toSorted((a, b) => time(a.from) - time(b.from));
  const lines: StoryLine[] = [];
  for (const entry of timeline) {
    while (open[0] && time(open[0].from) < time(entry.at)) lines.push(...gapLines(open.splice(0, 1)));
    lines.push({ kind: 'entry', entry });
  }
  return [...lines, ...gapLines(open), ...gapLines(gaps.filter(({ from }) => from === undefined))];
}

function gapLines(gaps: readonly StoryGap[]): readonly StoryLine[] {
  return gaps.map((gap) => ({ kind: 'gap', gap }));
}

function time(at: string | undefined): number {
  return Date.parse(at ?? '');
}
