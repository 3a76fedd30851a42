import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@tillbridge/platform/sqlite/migrate.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { allRows } from './all-rows.js';
import { batchStatement } from './batch-statement.js';
import { CommitQueue } from './commit-queue.js';
import { openDatabase } from './open-database.js';
import type {
  AgentRow,
  AlertRow,
  ClaimRow,
  EntityRow,
  IntentRow,
  LinkExchangeRow,
  TableName,
} from './rows.js';
import { SqliteStore, STORE_SCHEMA } from './sqlite-store.js';
import { SQLITE_COMMIT_LIMITS, SqliteWriter } from './sqlite-writer.js';
import type { Change, Store } from './store.js';
import { MemoryStore } from './testing/memory-store.js';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillbridge-batch-'));
  file = join(folder, 'gateway.db');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const entity: EntityRow = {
  id: 'e1',
  kind: 'merchant',
  compatibility: 'specification',
  parentId: null,
  name: 'One',
  createdAtMs: 1,
  version: 1,
};
const agent: AgentRow = {
  id: 'a1',
  entityId: 'e1',
  state: 'active',
  publicKey: 'key',
  nextPublicKey: null,
  formerPublicKey: null,
  terminals: '[]',
  generation: 0,
  allowedGeneration: null,
  allowedUntilMs: null,
  epoch: 3,
  nodeId: null,
  createdAtMs: 1,
  version: 1,
};
const intent = (id: string, messageId: string | null, version = 1): IntentRow => ({
  id,
  paymentId: `p-${id}`,
  entityId: 'e1',
  agentId: messageId === null ? null : 'a1',
  messageId,
  state: version === 1 ? 'open' : 'done',
  kind: 'authorization',
  reference: null,
  rootId: null,
  owner: null,
  detail: '{"a":"ä\\"\\n"}',
  createdAtMs: 9_007_199_254_740_991,
  version,
});
const claim = (reference: string, version = 1): ClaimRow => ({
  agentId: 'a1',
  reference,
  paymentId: `p${version}`,
  released: 0,
  version,
});
const exchange = (reference: string, sequence: number): LinkExchangeRow => ({
  reference,
  acquirer: 'ONE',
  sequence,
  stan: `${sequence}`,
  rrn: null,
  transmittedAt: '20261120193600',
  state: 'sent',
  original: null,
  card: null,
  entityId: null,
  reversalReference: null,
  request: '{"amount":{"minor":1}}',
  purpose: null,
  answer: null,
  reversal: null,
  standIn: null,
  sealed: null,
  keyId: null,
  bookedDay: null,
  bookedMinor: null,
  reversedDay: null,
  reversedMinor: null,
  lateApprovals: 0,
  owner: null,
  createdAtMs: 1,
  version: 1,
});
const alert = (id: string): AlertRow => ({
  id,
  code: 'webhook-failing',
  subject: id,
  entityId: null,
  severity: 'warning',
  detail: '',
  action: '',
  state: 'open',
  sinceMs: 1,
  acknowledgedAtMs: null,
  note: null,
  endedAtMs: null,
  unsentSinceMs: null,
  version: 1,
});
const endpoint = (id: string): readonly Change[] => [
  {
    op: 'insert',
    table: 'webhookEndpoints',
    row: {
      id,
      entityId: 'e1',
      url: null,
      types: '[]',
      scope: 'all',
      format: 'hex',
      state: 'active',
      keys: '[]',
      note: null,
      testedAtMs: null,
      createdAtMs: 1,
      version: 1,
    },
  },
  { op: 'insert', table: 'deliveryCounters', row: { endpointId: id, lastSequence: 0, version: 1 } },
];
const SETUP: readonly Change[] = [
  { op: 'insert', table: 'entities', row: entity },
  { op: 'insert', table: 'agents', row: agent },
  ...['0', '1'].map((id): Change => ({ op: 'raise-alert', row: alert(id) })),
  ...endpoint('w1'),
  ...endpoint('w2'),
];
const WRITTEN: readonly TableName[] = [
  'agents',
  'tombstones',
  'offlineWindows',
  'intents',
  'claims',
  'inbox',
  'deliveries',
  'deliveryCounters',
  'alerts',
  'recentUses',
  'linkExchanges',
];

/** Numbers below a bound, the same ones for the same seed (mulberry32). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** A change that may fit what stands in the tables, or not. */
function someChange(next: (below: number) => number): Change {
  const [key, version] = [`${next(5)}`, 1 + next(3)];
  const place = { agentId: 'a1', messageId: key };
  switch (next(15)) {
    case 0:
      return { op: 'insert', table: 'intents', row: intent(key, next(2) === 0 ? null : `${next(5)}`) };
    case 1:
      return { op: 'update', table: 'intents', row: intent(key, null, version) };
    case 2:
      return { op: 'insert', table: 'claims', row: claim(key) };
    case 3:
      return { op: 'update', table: 'claims', row: claim(key, version) };
    case 4:
      return { op: 'delete', table: 'claims', key: ['a1', key], version };
    case 5:
      return {
        op: 'insert',
        table: 'inbox',
        row: { ...place, result: '{}', contentHash: null, createdAtMs: 1, version: 1 },
      };
    case 6:
      return next(2) === 0
        ? { op: 'require-absent', table: 'inbox', index: 'primary', values: ['a1', key] }
        : { op: 'require-absent', table: 'intents', index: 'message', values: ['a1', key] };
    case 9:
      return { op: 'update', table: 'agents', row: { ...agent, epoch: 2 + version, version } };
    case 10:
      return { op: 'insert', table: 'tombstones', row: { ...place, createdAtMs: 1, version: 1 } };
    case 11:
      return {
        op: next(2) === 0 ? 'insert' : 'update',
        table: 'offlineWindows',
        row: { agentId: 'a1', terminalId: key, sinceMs: 1, latestMs: 1, taken: '{}', version: 1 },
      };
    case 12: {
      const row = { subject: key, uses: `[["m ${key}",1]]`, expiresAtMs: next(9), version: 1 };
      return next(2) === 0
        ? { op: 'insert', table: 'recentUses', row }
        : { op: 'update', table: 'recentUses', row: { ...row, version } };
    }
    case 13:
      return next(2) === 0
        ? { op: 'insert', table: 'linkExchanges', row: exchange(key, next(5)) }
        : { op: 'update', table: 'linkExchanges', row: { ...exchange(key, next(5)), version } };
    case 8:
      return { op: 'clear-alert', id: `${next(3)}`, atMs: next(100) };
    case 7:
      return {
        op: 'append-delivery',
        row: {
          // The last one is not there.
          endpointId: ['w1', 'w2', 'gone'][next(3)] ?? '',
          eventId: `${next(1_000)}`,
          state: 'waiting',
          dueAtMs: next(2) === 0 ? null : 1,
          leasedBy: null,
          claims: 0,
          attempts: '[]',
          sinceMs: 1,
          createdAtMs: 1,
          version: 1,
        },
      };
    default:
      return {
        op: 'require-field',
        table: 'agents',
        key: ['a1'],
        column: 'epoch',
        equals: 3 - (next(4) >> 1),
      };
  }
}

async function outcomesOf(store: Store, commits: readonly (readonly Change[])[]): Promise<unknown> {
  const settled = await Promise.allSettled(commits.map((changes) => store.commit(changes)));
  return settled.map((one) => (one.status === 'fulfilled' ? 'done' : (one.reason as Error).message));
}

describe('a batch as one statement', () => {
  it('does what the commits do one after the other', async () => {
    const next = numbers(15);
    let carriedOut = 0;
    for (let round = 0; round < 12; round += 1) {
      const [sqlite, memory] = [await SqliteStore.open(`${file}${round}`), new MemoryStore()];
      for (const store of [sqlite, memory]) await store.commit(SETUP);
      for (let batch = 0; batch < 25; batch += 1) {
        const commits = Array.from({ length: 1 + next(3) }, () =>
          Array.from({ length: 1 + next(3) }, () => someChange(next)),
        );
        const outcomes = await outcomesOf(sqlite, commits);
        expect(outcomes, `round ${round} batch ${batch}`).toEqual(await outcomesOf(memory, commits));
        carriedOut += (outcomes as string[]).filter((outcome) => outcome === 'done').length;
        for (const table of WRITTEN)
          expect(await allRows(sqlite, table)).toEqual(await allRows(memory, table));
      }
      await sqlite.close();
    }
    expect(carriedOut).toBeGreaterThan(100);
  });

  it('needs one statement for what payments write, and judges one by one where two contend', async () => {
    const connection = await openDatabase(file);
    await migrate(connection, STORE_SCHEMA);
    const writer = new CommitQueue(new SqliteWriter(connection), SQLITE_COMMIT_LIMITS);
    await writer.commit(SETUP);
    await writer.commit([{ op: 'insert', table: 'intents', row: intent('first', null) }]);
    const [run, exec] = [vi.spyOn(connection, 'run'), vi.spyOn(connection, 'exec')];
    await Promise.all([
      writer.commit([{ op: 'insert', table: 'intents', row: intent('second', 'm') }]),
      writer.commit([{ op: 'update', table: 'intents', row: intent('first', null) }]),
      writer.commit([{ op: 'insert', table: 'claims', row: claim('R') }]),
    ]);
    expect(run.mock.calls.map(([sql]) => sql)).toEqual([expect.stringMatching(/^INSERT INTO batch_/)]);
    // The view, for the first batch of its kind.
    expect(exec).toHaveBeenCalledOnce();
    await Promise.all([
      writer.commit([{ op: 'insert', table: 'claims', row: claim('R2') }]),
      writer.commit([{ op: 'insert', table: 'intents', row: intent('third', null) }]),
      writer.commit([{ op: 'update', table: 'intents', row: intent('second', 'm') }]),
    ]);
    expect(run).toHaveBeenCalledTimes(2);
    expect(exec).toHaveBeenCalledOnce();
    const both = await Promise.allSettled(
      [1, 2].map(() => writer.commit([{ op: 'update', table: 'claims', row: claim('R') }])),
    );
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    await writer.close();
    await connection.close();
  });

  it('refuses two commits of which each demands that the other one has not happened', async () => {
    const store = await SqliteStore.open(file);
    await store.commit(SETUP);
    const answer = {
      agentId: 'a1',
      messageId: 'm',
      result: '{}',
      contentHash: null,
      createdAtMs: 1,
      version: 1,
    };
    const settled = await Promise.allSettled([
      store.commit([
        { op: 'require-absent', table: 'inbox', index: 'primary', values: ['a1', 'm'] },
        { op: 'insert', table: 'intents', row: intent('i', 'm') },
      ]),
      store.commit([
        { op: 'require-absent', table: 'intents', index: 'message', values: ['a1', 'm'] },
        { op: 'insert', table: 'inbox', row: answer },
      ]),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    await store.close();
  });

  it('takes the first payment of a card, and the exchanges of a link', () => {
    const uses = { subject: 'c', uses: '[]', expiresAtMs: 1, version: 1 };
    for (const op of ['insert', 'update'] as const) {
      expect(batchStatement([{ op, table: 'recentUses', row: uses }])).toBeDefined();
      expect(batchStatement([{ op, table: 'linkExchanges', row: exchange('r', 1) }])).toBeDefined();
    }
  });

  it('leaves kinds of changes that are rare to the longer way', () => {
    expect(batchStatement([{ op: 'raise-alert', row: alert('x') }])).toBeUndefined();
    expect(batchStatement([{ op: 'insert', table: 'entities', row: entity }])).toBeUndefined();
  });
});
