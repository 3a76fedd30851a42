import { generateKeyPairSync } from 'node:crypto';
import { countersignHead } from '@tillbridge/wire/bridge/countersigned-head.js';
import { spkiOf } from '@tillbridge/wire/bridge/identity-key.js';
import type { WireCountersignedHead } from '@tillbridge/wire/bridge/messages.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { describe, expect, it } from 'vitest';
import { COUNTERSIGNED_ROW, type NewRow, noSaleRow } from '../journal.js';
import { row, write } from '../testing/engines.test.support.js';
import { MemoryJournal, newMemoryDisk } from '../testing/memory-journal.test.support.js';
import { COUNTERSIGN_LIMITS, CountersignedHeads } from './countersigned-heads.js';

const KEY = generateKeyPairSync('ed25519').privateKey;

/** An agent's side with a journal on a disk that outlives it. */
function agentWith(disk = newMemoryDisk()) {
  const journal = new MemoryJournal(disk);
  const clock = new VirtualClock(0);
  const faults: string[] = [];
  const boot = () =>
    new CountersignedHeads({
      ...{ journal, agentId: 'a1', generation: 1, clock },
      identityKeys: () => [spkiOf(KEY)],
      onFault: (error) => faults.push((error as Error).message),
    });
  let heads = boot();
  const answered = async (head?: WireCountersignedHead) => {
    heads.answered(head);
    await heads.idle();
    return heads.offer();
  };
  const signed = (more: Partial<WireCountersignedHead> = {}, key = KEY) => {
    const tree = heads.offer();
    if (!tree) throw new Error('nothing is offered');
    const { row, hash, root } = tree;
    return countersignHead('a1', { generation: 1, row, hash, root, timeMs: 1, ...more }, key);
  };
  return {
    ...{ journal, clock, faults, answered, signed },
    append: (...rows: NewRow[]) => journal.append(write(...rows)),
    restart: () => {
      heads = boot();
    },
    kept: async () => (await journal.rowsAfter(0, 1_000)).filter(({ kind }) => kind === COUNTERSIGNED_ROW),
  };
}

describe('heads that the gateway countersigns', () => {
  it('are offered when a sale was journaled, kept as rows, and due again after the interval', async () => {
    const agent = agentWith();
    await agent.append(noSaleRow('contact', {}));
    expect(await agent.answered()).toBeUndefined();
    await agent.append(row('accepted', 'A'));
    expect(await agent.answered()).toMatchObject({ row: 2, consistency: [] });
    expect(await agent.answered(agent.signed())).toBeUndefined();
    expect(await agent.kept()).toMatchObject([{ row: 3, data: { generation: 1, row: 2 } }]);
    await agent.append(row('accepted', 'B'));
    expect(await agent.answered()).toBeUndefined();
    await agent.clock.advance(COUNTERSIGN_LIMITS.intervalMs);
    expect(await agent.answered()).toMatchObject({ row: 4, since: { row: 2 } });
    await agent.answered(agent.signed());
    await agent.clock.advance(COUNTERSIGN_LIMITS.intervalMs);
    expect(await agent.answered()).toBeUndefined();
    expect(agent.faults).toEqual([]);
  });

  it('are proven from the kept one after a restart, and from an older one where the gateway wants that', async () => {
    const agent = agentWith();
    await agent.append(row('accepted', 'A'));
    await agent.answered();
    const first = agent.signed();
    await agent.answered(first);
    await agent.append(row('accepted', 'B'));
    agent.restart();
    expect(await agent.answered()).toMatchObject({ row: 3, since: { row: 1 } });
    await agent.answered(agent.signed());
    await agent.append(row('accepted', 'C'));
    agent.restart();
    expect(await agent.answered()).toMatchObject({ row: 5, since: { row: 3 } });
    expect(await agent.answered(first)).toMatchObject({ row: 5, since: { row: 1 } });
  });

  it('are offered again where the answer was lost, and kept once where it comes twice', async () => {
    const agent = agentWith();
    await agent.append(row('accepted', 'A'));
    await agent.answered();
    expect(await agent.answered()).toMatchObject({ row: 1 });
    const head = agent.signed();
    await agent.answered(head);
    await agent.answered(head);
    expect(await agent.kept()).toHaveLength(1);
  });

  it.each<[string, (agent: ReturnType<typeof agentWith>) => WireCountersignedHead, string]>([
    ['of another key', ({ signed }) => signed({}, generateKeyPairSync('ed25519').privateKey), 'did not sign'],
    ['of another generation', ({ signed }) => signed({ generation: 2 }), 'did not sign'],
    ['of another agent', ({ signed }) => countersignHead('a2', signed(), KEY), 'did not sign'],
    ['behind the end', ({ signed }) => signed({ row: 9 }), 'the journal ends before it'],
    ['of another row', ({ signed }) => signed({ hash: new Uint8Array(32) }), 'another row 1'],
    ['of another tree', ({ signed }) => signed({ root: new Uint8Array(32) }), 'another tree of 1 rows'],
  ])('%s are not kept', async (_name, head, fault) => {
    const agent = agentWith();
    await agent.append(row('accepted', 'A'));
    await agent.answered();
    await agent.answered(head(agent));
    expect(await agent.kept()).toEqual([]);
    expect(agent.faults).toEqual([expect.stringContaining(fault)]);
    expect(await agent.answered()).toMatchObject({ row: 1 });
  });
});
