import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { expect, it } from 'vitest';
import { entityRow } from '../../core/entities/entities.js';
import type { SettlementRecordRow, SettlementRow } from '../../kernel/store/rows.js';
import { MemoryStore } from '../../kernel/store/testing/memory-store.js';
import { BEGINNING, recordOfFee } from './rules/record.js';
import { recordViews } from './settlement-pages.js';

const SHOP = 'a'.repeat(32);
const settlement = (id: string, entityId = SHOP): SettlementRow => ({
  ...BEGINNING,
  ...{ id, entityId, merchantId: SHOP, source: 'INTERNAL', format: 'F', currency: 'EUR' },
  ...{ settledAtMs: 1, createdAtMs: 1 },
});
const record = (of: SettlementRow, position: number): SettlementRecordRow => ({
  ...recordOfFee(of, 'AUTH_FEE', position, '4711-0815'),
  ...{ id: `${of.id} ${position}`, position },
});

it.each([0, 1, 499, 500, 501, 1_000, 1_001])(
  'gives all of %i records of a settlement in their order, page by page, and none of an unknown account',
  async (count) => {
    const store = new MemoryStore();
    let reads = 0;
    const [first, strange, last] = [settlement('s1'), settlement('s2', 'none'), settlement('s3')];
    const rows = [
      ...Array.from({ length: count }, (_, at) => record(first, at)),
      record(strange, 0),
      record(last, 0),
    ];
    await store.commit([
      { op: 'insert', table: 'entities', row: { ...entityRow(SHOP, 'Shop', null, 1), kind: 'merchant' } },
      ...rows.map((row) => ({ op: 'insert', table: 'settlementRecords', row }) as const),
    ]);
    const findRange: MemoryStore['findRange'] = (...of) => {
      reads += 1;
      return store.findRange(...of);
    };
    const get: MemoryStore['get'] = (...of) => store.get(...of);
    const deps = {
      ...{ random, clock: new VirtualClock(1) },
      store: {
        get,
        findRange,
        commit: (changes: Parameters<MemoryStore['commit']>[0]) => store.commit(changes),
      },
    };
    const ids: string[] = [];
    for await (const view of recordViews(deps, [first, strange, last])) {
      expect(view.account.entityName).toBe('Shop');
      ids.push(view.record.id);
    }
    expect(ids).toEqual([...rows.slice(0, count), record(last, 0)].map(({ id }) => id));
    // A page that is not full is the last one.
    expect(reads).toBe(Math.floor(count / 500) + 1 + 1);
  },
);
