import { expect, it } from 'vitest';
import type { StoryEntry } from '../api/payment-answers.js';
import { linesOf } from './story.js';

const at = (second: number): string => `2026-11-20T10:00:0${second}.000Z`;
const entry = (second: number, step: string): StoryEntry => ({
  ...{ at: at(second), clock: 'gateway', source: 'gateway', by: 'gateway', step },
});

it('shows gaps where they begin, and leaves the order of causes as it is', () => {
  const lines = linesOf({
    // A clock that was behind: the cause stands first all the same.
    timeline: [entry(3, 'cause'), entry(1, 'effect'), entry(6, 'end')],
    gaps: [
      { source: 'agent', text: 'away', from: at(4) },
      { source: 'till', text: 'never' },
      { source: 'agent', text: 'now', from: at(9) },
    ],
  });
  expect(lines.map((line) => (line.kind === 'gap' ? line.gap.text : line.entry.step))).toEqual([
    ...['cause', 'effect', 'away', 'end', 'now', 'never'],
  ]);
});
