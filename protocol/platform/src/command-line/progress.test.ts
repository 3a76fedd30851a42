import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { COMMAND_PROGRESS_MS, showProgress } from './progress.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('says after two seconds that work goes on, and again, and nothing after its end', () => {
  const lines: string[] = [];
  const stop = showProgress('check', (line) => void lines.push(line));
  vi.advanceTimersByTime(COMMAND_PROGRESS_MS.first - 1);
  expect(lines).toEqual([]);
  vi.advanceTimersByTime(COMMAND_PROGRESS_MS.next + 1);
  expect(lines).toEqual(['check: still at work (2 s)', 'check: still at work (7 s)']);
  stop();
  vi.advanceTimersByTime(10 * COMMAND_PROGRESS_MS.next);
  expect(lines).toHaveLength(2);
});
