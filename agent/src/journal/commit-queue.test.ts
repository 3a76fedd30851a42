import { describe, expect, it } from 'vitest';
import { CommitQueue, type PendingWrite } from './commit-queue.js';
import { JOURNAL_LIMITS, type JournalWrite } from './journal.js';

const WRITE: JournalWrite = { atMs: 0, rows: [] };

/** A disk whose commits end when the test says so. */
function slowDisk() {
  const batches: { size: number; end: () => void }[] = [];
  const queue = new CommitQueue(
    (batch: readonly PendingWrite[]) =>
      new Promise<void>((resolve) => {
        const end = () => {
          for (const pending of batch) pending.resolve([]);
          resolve();
        };
        batches.push({ size: batch.length, end });
      }),
  );
  return { queue, batches };
}

describe('commit queue', () => {
  it('lets the writes that come while a batch is under way share the next', async () => {
    const { queue, batches } = slowDisk();
    const first = queue.add(WRITE);
    await Promise.resolve();
    const later = [queue.add(WRITE), queue.add(WRITE), queue.add(WRITE)];
    batches[0]?.end();
    await first;
    await Promise.resolve();
    batches[1]?.end();
    await Promise.all(later);
    await queue.idle();
    expect(batches.map((batch) => batch.size)).toEqual([1, 3]);
  });

  it('keeps a batch and the queue within their limits', async () => {
    const { queue, batches } = slowDisk();
    const { maxWaiting, maxBatch } = JOURNAL_LIMITS;
    const waiting = Array.from({ length: maxWaiting }, () => queue.add(WRITE));
    await expect(queue.add(WRITE)).rejects.toMatchObject({ reason: 'overloaded' });
    expect(batches.map((batch) => batch.size)).toEqual([maxBatch]);
    for (let next = 0; next < maxWaiting / maxBatch; next += 1) {
      batches[next]?.end();
      await waiting[(next + 1) * maxBatch - 1];
      await Promise.resolve();
    }
    expect(batches.reduce((sum, batch) => sum + batch.size, 0)).toBe(maxWaiting);
  });
});
