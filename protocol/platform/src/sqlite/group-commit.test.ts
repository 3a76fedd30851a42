import { describe, expect, it } from 'vitest';
import { GroupCommit, type Waiting } from './group-commit.js';

const LIMITS = { maxBatch: 4, maxWaiting: 12 };

/** A disk whose commits end when the test ends them. */
function slowDisk() {
  const batches: { size: number; end: () => void }[] = [];
  const queue = new GroupCommit<string, string>(
    (batch: readonly Waiting<string, string>[]) =>
      new Promise<void>((resolve) => {
        const end = () => {
          for (const waiting of batch) waiting.resolve(`${waiting.work} is on disk`);
          resolve();
        };
        batches.push({ size: batch.length, end });
      }),
    LIMITS,
    (fault) => new Error(fault),
  );
  return { queue, batches };
}

const turn = () => new Promise(setImmediate);

describe('group commit', () => {
  it('lets the work that comes while a batch is under way share the next', async () => {
    const { queue, batches } = slowDisk();
    const first = queue.add('first');
    await turn();
    const later = ['a', 'b', 'c'].map((work) => queue.add(work));
    batches[0]?.end();
    expect(await first).toBe('first is on disk');
    await turn();
    batches[1]?.end();
    await Promise.all(later);
    await queue.idle();
    expect(batches.map((batch) => batch.size)).toEqual([1, 3]);
  });

  it('keeps a batch and the queue within their limits', async () => {
    const { queue, batches } = slowDisk();
    const { maxWaiting, maxBatch } = LIMITS;
    const waiting = Array.from({ length: maxWaiting }, (_, at) => queue.add(String(at)));
    await expect(queue.add('one more')).rejects.toThrow('overloaded');
    await turn();
    expect(batches.map((batch) => batch.size)).toEqual([maxBatch]);
    for (let next = 0; next < maxWaiting / maxBatch; next += 1) {
      batches[next]?.end();
      await waiting[(next + 1) * maxBatch - 1];
      await turn();
    }
    expect(batches.reduce((sum, batch) => sum + batch.size, 0)).toBe(maxWaiting);
  });

  it('carries out what waits when it is closed, and takes no more', async () => {
    const { queue, batches } = slowDisk();
    const last = queue.add('last');
    const closed = queue.close();
    await expect(queue.add('late')).rejects.toThrow('closed');
    await turn();
    batches[0]?.end();
    await closed;
    expect(await last).toBe('last is on disk');
  });
});
