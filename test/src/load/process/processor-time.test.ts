import { expect, test } from 'vitest';
import { perRequest, processorTime } from './processor-time.js';

test('reads what the threads of a process have used', () => {
  const before = processorTime(process.pid);
  const from = process.cpuUsage();
  let used = 0;
  while (used < 50_000) {
    const { user, system } = process.cpuUsage(from);
    used = user + system;
  }
  const { main, collector, workers } = perRequest(before, processorTime(process.pid), 2);
  expect(2 * (main + collector + workers)).toBeGreaterThan(40_000);
});
