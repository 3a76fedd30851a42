import { createSecretKey } from 'node:crypto';
import { systemClock as clock } from '@tillbridge/platform/system-clock.js';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { entityRow } from '../../core/entities/entities.js';
import { allRows } from '../store/all-rows.js';
import { CommitConflict, type Store } from '../store/store.js';
import { auditOf, beginAudit } from './audit.js';
import { verifyAuditChain, withAuditChain } from './audit-chain.js';

const KEY = createSecretKey(Buffer.alloc(32, 1));
const deps = { clock, random };
const record = (subject: string) =>
  auditOf(deps, { actor: 'anna', action: 'token create', subject, detail: { at: subject } });

/** What the suite needs of an engine: two stores on one database. */
export interface TwoStores {
  readonly stores: readonly [Store, Store];
  dispose(): Promise<void>;
}

/** The contract of the chain of audit records, run against every engine. */
export function describeAuditChain(engine: string, open: () => Promise<TwoStores>): void {
  describe(`the chain of audit records on ${engine}`, () => {
    let opened: TwoStores;
    let nodes: readonly [Store, Store];
    beforeEach(async () => {
      opened = await open();
      const [first, second] = opened.stores;
      nodes = [withAuditChain(first, () => KEY, clock), withAuditChain(second, () => KEY, clock)];
    });
    afterEach(() => opened.dispose());
    const rows = async () => {
      const all = await allRows(nodes[0], 'audit');
      return all.toSorted((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0));
    };
    const verify = (seen?: Parameters<typeof verifyAuditChain>[2]) => verifyAuditChain(nodes[0], KEY, seen);

    it('gives each record its place, also where two nodes write at once', async () => {
      const count = 40;
      await Promise.all(
        Array.from({ length: count }, (_, at) => nodes[at % 2 === 0 ? 0 : 1].commit([record(`${at}`)])),
      );
      expect((await rows()).map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: count }, (_, at) => at + 1),
      );
      expect(await verify()).toMatchObject({ records: count, unlinked: 0, faults: [] });
    });

    it('has several records of one commit, and those of a beginning and an end', async () => {
      await nodes[0].commit([record('a'), record('b')]);
      const entry = { actor: 'anna', action: 'keys rotate', subject: 'c', detail: {} };
      const ends = await beginAudit({ ...deps, store: nodes[1] }, entry);
      await ends('done', { status: 200 });
      const all = await rows();
      expect(all.map(({ subject, outcome }) => `${subject} ${outcome}`)).toEqual([
        'a done',
        'b done',
        'c begun',
        'c done',
      ]);
      expect(all[3]?.endOf).toBe(all[2]?.id);
      expect(await verify()).toMatchObject({ records: 4, faults: [] });
    });

    it('loses no other conflict, and writes nothing then', async () => {
      const merchant = { op: 'insert', table: 'entities', row: entityRow('m', 'M', null, 0) } as const;
      await nodes[0].commit([merchant, record('m')]);
      await expect(nodes[1].commit([merchant, record('m')])).rejects.toBeInstanceOf(CommitConflict);
      expect(await rows()).toHaveLength(1);
    });

    it('shows what was altered, deleted, put in or cut', async () => {
      for (const subject of ['a', 'b', 'c', 'd']) await nodes[0].commit([record(subject)]);
      const [store] = opened.stores;
      const all = await rows();
      const [, second, third, last] = all;
      if (!second || !third || !last) throw new Error('no records');
      const seen = all.map(({ sequence, link }) => ({ sequence: sequence ?? 0, link: link ?? '' }));
      const faults = async () =>
        (await verify(seen)).faults.map(({ sequence, fault }) => `${sequence} ${fault}`);
      expect(await faults()).toEqual([]);
      await store.commit([{ op: 'update', table: 'audit', row: { ...second, actor: 'somebody' } }]);
      expect(await faults()).toEqual(['2 altered']);
      await store.commit([{ op: 'update', table: 'audit', row: { ...second, version: second.version + 1 } }]);
      await store.commit([{ op: 'delete', table: 'audit', key: [last.id], version: last.version }]);
      expect(await faults()).toEqual(['4 cut']);
      // Without a place that was written down elsewhere nothing shows where a chain ended.
      expect((await verify()).faults).toEqual([]);
      const forged = { ...last, id: `${last.id.slice(0, 31)}x`, actor: 'somebody' };
      await store.commit([{ op: 'insert', table: 'audit', row: forged }]);
      expect(await faults()).toEqual(['4 altered']);
      await store.commit([{ op: 'delete', table: 'audit', key: [third.id], version: third.version }]);
      expect(await faults()).toEqual(['3 missing']);
    });

    it('needs its key: the database alone makes no chain that holds', async () => {
      const other = createSecretKey(Buffer.alloc(32, 2));
      await withAuditChain(opened.stores[0], () => other, clock).commit([record('a')]);
      expect((await verify()).faults).toMatchObject([{ sequence: 1, fault: 'altered' }]);
    });

    it('leaves records of a home without keys outside', async () => {
      await withAuditChain(opened.stores[0], () => undefined, clock).commit([record('a')]);
      await nodes[0].commit([record('b')]);
      expect(await verify()).toMatchObject({ records: 1, unlinked: 1, faults: [] });
    });
  });
}
