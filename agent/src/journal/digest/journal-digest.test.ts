import { toHex } from '@tillbridge/wire/bytes.js';
import { rootOfRanges, rootsOfConsistency, withLeaf } from '@tillbridge/wire/digest/digest-tree.js';
import { leafDigest, nodeDigest } from '@tillbridge/wire/digest/node-digest.js';
import { afterEach, describe, expect, it } from 'vitest';
import { JOURNAL_LIMITS, type Journal } from '../journal.js';
import { ENGINES, row, tidyUp, write } from '../testing/engines.test.support.js';
import { DigestUnavailableError, JournalDigest } from './journal-digest.js';
import { journalSource } from './journal-source.js';

afterEach(tidyUp);

/** The root over leaves one by one, from the first row on. */
function rootOf(leaves: readonly Uint8Array[]): string {
  const peaks = leaves.reduce(
    (before: readonly Uint8Array[], leaf, at) => withLeaf(at, before, leaf, nodeDigest),
    [],
  );
  return toHex(peaks.reduceRight((right, left) => nodeDigest(left, right)));
}

/** Appends rows, and returns the leaves of all of them. */
async function fill(journal: Journal, count: number, leaves: Uint8Array[]): Promise<void> {
  for (let left = count; left > 0; left -= JOURNAL_LIMITS.maxRowsPerWrite) {
    const rows = Array.from({ length: Math.min(left, JOURNAL_LIMITS.maxRowsPerWrite) }, (_, at) =>
      row('note', `R${at % 7}`),
    );
    for (const { hash, reference } of await journal.append(write(...rows)))
      leaves.push(leafDigest(hash, reference));
  }
}

/** The hash of a checkpoint row joins the tree as well. */
async function compact(journal: Journal, upToRow: number, leaves: Uint8Array[]): Promise<void> {
  await journal.compact({ atMs: 1, upToRow, summarize: () => ({}), carry: [] });
  leaves.push(leafDigest(journal.head.hash, ''));
}

describe.each(Object.entries(ENGINES))('the digest tree of a journal: %s', (_name, engine) => {
  it('has the root of its rows at every size, proves them, and goes on from every earlier head', async () => {
    const { journal } = await engine.create();
    const leaves: Uint8Array[] = [];
    await fill(journal, 600, leaves);
    const digest = new JournalDigest(journalSource(journal));
    for (const size of [1, 2, 255, 256, 257, 511, 512, 600]) {
      expect(toHex(await digest.root(size))).toBe(rootOf(leaves.slice(0, size)));
      const roots = rootsOfConsistency(
        Math.ceil(size / 3),
        size,
        await digest.root(Math.ceil(size / 3)),
        await digest.consistency(Math.ceil(size / 3), size),
        nodeDigest,
      );
      expect(roots && toHex(roots.to)).toBe(rootOf(leaves.slice(0, size)));
    }
    const ranges = [
      { from: 3, to: 9 },
      { from: 300, to: 301 },
    ];
    const proof = await digest.ranges(600, ranges);
    const root = rootOfRanges(600, ranges, (at) => leaves[at] ?? new Uint8Array(), proof, nodeDigest);
    expect(root && toHex(root)).toBe(rootOf(leaves));
  });

  it('stays the same where compaction removes rows, wherever it stops, in this process and the next', async () => {
    const { journal, reopen } = await engine.create();
    const leaves: Uint8Array[] = [];
    await fill(journal, 700, leaves);
    const before = new JournalDigest(journalSource(journal));
    await before.root(700);
    const signed = await before.root(690);
    for (const upTo of [1, 255, 256, 300, 511, 630]) {
      await compact(journal, upTo, leaves);
      await fill(journal, 3, leaves);
      const size = leaves.length;
      const expected = rootOf(leaves);
      for (const digest of [before, new JournalDigest(journalSource(journal))]) {
        expect(toHex(await digest.root(size))).toBe(expected);
        const roots = rootsOfConsistency(690, size, signed, await digest.consistency(690, size), nodeDigest);
        expect(roots && [toHex(roots.from), toHex(roots.to)]).toEqual([toHex(signed), expected]);
        const ranges = [{ from: upTo + 1, to: upTo + 40 }];
        const proof = await digest.ranges(size, ranges);
        const root = rootOfRanges(size, ranges, (at) => leaves[at] ?? new Uint8Array(), proof, nodeDigest);
        expect(root && toHex(root)).toBe(expected);
      }
    }
    const again = await reopen();
    expect(toHex(await new JournalDigest(journalSource(again)).root(leaves.length))).toBe(rootOf(leaves));
    await expect(new JournalDigest(journalSource(again)).ranges(700, [{ from: 5, to: 6 }])).rejects.toThrow(
      DigestUnavailableError,
    );
  });

  it('is none where an older build removed rows', async () => {
    const { journal } = await engine.create();
    const leaves: Uint8Array[] = [];
    await fill(journal, 10, leaves);
    const source = { ...journalSource(journal), base: async () => undefined };
    await expect(new JournalDigest(source).root(10)).rejects.toThrow('an older build removed rows');
  });
});

it('keeps the leaves of a few tiles alone: a proof of older rows reads them again', async () => {
  const reads: number[] = [];
  const digest = new JournalDigest({
    base: async () => ({ row: 0, peaks: [] }),
    leaves: async (afterRow, limit) => {
      reads.push(afterRow);
      return Array.from({ length: limit }, (_, at) => ({
        ...{ row: afterRow + at + 1, hash: new Uint8Array(32), reference: '' },
      }));
    },
  });
  await digest.root(256 * 10);
  expect(reads).toHaveLength(10);
  await digest.ranges(256 * 10, [{ from: 2_559, to: 2_560 }]);
  expect(reads).toHaveLength(10);
  await digest.ranges(256 * 10, [{ from: 0, to: 1 }]);
  expect(reads).toHaveLength(11);
});
