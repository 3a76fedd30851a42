import { expect, test } from 'vitest';
import { resumeStreams } from './resume-streams.js';

const at = (terminalId: string, nextSequence: number) => ({ terminalId, nextSequence });

test('a stream goes on where it was stored, however low the agent begins', () => {
  expect(resumeStreams([at('1', 7)], [at('1', 3)])).toEqual({ positions: [at('1', 7)], adopted: [] });
  expect(resumeStreams([at('1', 7)], [])).toEqual({ positions: [at('1', 7)], adopted: [] });
  expect(resumeStreams([], [at('2', 1)])).toEqual({ positions: [at('2', 1)], adopted: [] });
});

test('the stream skips what the agent no longer sends, and reports it', () => {
  expect(resumeStreams([at('1', 3)], [at('1', 7), at('2', 4)])).toEqual({
    positions: [at('1', 7), at('2', 4)],
    adopted: [
      { terminalId: '1', expected: 3, offered: 7 },
      { terminalId: '2', expected: 1, offered: 4 },
    ],
  });
});
