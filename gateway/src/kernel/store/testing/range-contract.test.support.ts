import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DeliveryRow, EntityRow, WebhookEndpointRow } from '../rows.js';
import { type Change, CommitConflict, type CountedRange, type Range, type Store } from '../store.js';
import type { StoreUnderTest } from './store-contract.test.support.js';

const ENDPOINT = 'w1';
const entity: EntityRow = {
  id: 'e1',
  kind: 'merchant',
  compatibility: 'specification',
  parentId: null,
  name: 'One',
  createdAtMs: 1,
  version: 1,
};
const endpoint: WebhookEndpointRow = {
  id: ENDPOINT,
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
};
const append = (eventId: string, more: Partial<DeliveryRow> = {}): Change => ({
  op: 'append-delivery',
  row: {
    endpointId: ENDPOINT,
    eventId,
    state: 'waiting',
    dueAtMs: 1,
    leasedBy: null,
    claims: 0,
    attempts: '[]',
    sinceMs: 1,
    createdAtMs: 1,
    version: 1,
    ...more,
  },
});
const CONFLICT: Change = { op: 'insert', table: 'entities', row: entity };

/** The contract of ranges and of numbered deliveries, run against every engine. */
export function describeRanges(engine: string, open: () => Promise<StoreUnderTest>): void {
  describe(`store contract, ranges and deliveries: ${engine}`, () => {
    let under: StoreUnderTest;
    let store: Store;
    beforeEach(async () => {
      under = await open();
      store = under.store;
      await store.commit([
        { op: 'insert', table: 'entities', row: entity },
        { op: 'insert', table: 'webhookEndpoints', row: endpoint },
        {
          op: 'insert',
          table: 'deliveryCounters',
          row: { endpointId: ENDPOINT, lastSequence: 0, version: 1 },
        },
      ]);
    });
    afterEach(() => under.dispose());

    const events = async (range: Range<'deliveries'>) =>
      (await store.findRange('deliveries', 'due', { equals: [ENDPOINT], ...range })).map(
        ({ eventId }) => eventId,
      );

    it('numbers deliveries without a gap, whatever conflicts between them', async () => {
      const commits = Array.from({ length: 60 }, (_, at) =>
        store.commit(at % 3 === 1 ? [append(`lost${at}`), CONFLICT] : [append(`e${at}`), append(`f${at}`)]),
      );
      const settled = await Promise.allSettled(commits);
      const lost = settled.filter((one) => one.status === 'rejected');
      expect(lost).toHaveLength(20);
      expect(lost.every(({ reason }) => reason instanceof CommitConflict)).toBe(true);
      const rows = await store.findAfter('deliveries', undefined);
      expect(rows.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 80 }, (_, at) => at + 1));
      expect(rows.some(({ eventId }) => eventId.startsWith('lost'))).toBe(false);
      expect((await store.get('deliveryCounters', [ENDPOINT]))?.lastSequence).toBe(80);
    });

    it('numbers nothing for an endpoint that is gone', async () => {
      await store.commit([{ op: 'delete', table: 'deliveryCounters', key: [ENDPOINT], version: 1 }]);
      await store.commit([append('e1')]);
      expect(await store.findAfter('deliveries', undefined)).toEqual([]);
    });

    it('finds a range of an index in both directions, between its ends, page by page', async () => {
      const due: readonly (readonly [string, number | null])[] = [
        ['c', 30],
        ['a', 10],
        ['b', 20],
        ['b2', 20],
        ['never', null],
      ];
      for (const [eventId, dueAtMs] of due) await store.commit([append(eventId, { dueAtMs })]);
      expect(await events({})).toEqual(['a', 'b', 'b2', 'c']);
      expect(await events({ descending: true })).toEqual(['c', 'b2', 'b', 'a']);
      expect(await events({ from: 20, below: 30 })).toEqual(['b', 'b2']);
      expect(await events({ skip: 1, limit: 2 })).toEqual(['b', 'b2']);
      expect(await events({ equals: ['other'] })).toEqual([]);
    });

    it('keeps of a range the rows with wanted values alone', async () => {
      for (const [at, state] of (['waiting', 'delivered', 'givenUp'] as const).entries())
        await store.commit([append(state, { state, dueAtMs: at })]);
      expect(await events({ among: { state: ['delivered', 'givenUp'] } })).toEqual(['delivered', 'givenUp']);
      expect(await events({ among: { state: ['waiting'], eventId: ['delivered'] } })).toEqual([]);
    });

    it('keeps of a range the rows that have a value in a column alone', async () => {
      await store.commit([append('free'), append('leased', { leasedBy: 'n1' })]);
      expect(await events({ filled: ['leasedBy'] })).toEqual(['leased']);
    });

    it('counts a range as it is found, up to a limit', async () => {
      for (const [at, state] of (['waiting', 'delivered', 'givenUp'] as const).entries())
        await store.commit([append(state, { state, dueAtMs: at, ...(at === 1 && { leasedBy: 'n1' }) })]);
      const count = (range: Partial<CountedRange<'deliveries'>>) =>
        store.countRange('deliveries', 'due', { equals: [ENDPOINT], limit: 10, ...range });
      expect(await count({})).toBe(3);
      expect(await count({ limit: 2 })).toBe(2);
      expect(await count({ from: 1, below: 2 })).toBe(1);
      expect(await count({ among: { state: ['delivered', 'givenUp'] } })).toBe(2);
      expect(await count({ filled: ['leasedBy'] })).toBe(1);
      expect(await count({ equals: ['other'] })).toBe(0);
    });
  });
}
