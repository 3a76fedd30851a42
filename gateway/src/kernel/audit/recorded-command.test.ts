import { userInfo } from 'node:os';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { beforeEach, expect, it } from 'vitest';
import { entityRow } from '../../core/entities/entities.js';
import { FailingStore } from '../../core/payments/payment-harness.test.support.js';
import { allRows } from '../store/all-rows.js';
import type { Change } from '../store/store.js';
import { MemoryStore } from '../store/testing/memory-store.js';
import { auditOf, withAudit } from './audit.js';
import { recordedCommand } from './recorded-command.js';

const deps = { clock: new VirtualClock(), random: systemRandom };
const LINE = { action: 'entity create', options: { name: 'Shop' } };
const created = (id: string): Change => ({
  op: 'insert',
  table: 'entities',
  row: entityRow(id, 'Shop', null, 0),
});

let inner: FailingStore;
beforeEach(() => {
  inner = new FailingStore(new MemoryStore());
});
const records = async () =>
  (await allRows(inner, 'audit')).map(({ actor, action, subject, outcome, detail }) => ({
    ...{ actor, action, subject, outcome, detail },
  }));

it('is on record once, in its first commit, with who gave it and what was typed', async () => {
  const store = recordedCommand(inner, LINE, deps);
  await store.commit([created('e1')]);
  await store.commit([created('e2')]);
  expect(await records()).toEqual([
    {
      actor: userInfo().username,
      action: 'entity create',
      subject: 'e1',
      outcome: 'done',
      detail: '{"name":"Shop"}',
    },
  ]);
});

it('is about what it names', async () => {
  await recordedCommand(inner, { ...LINE, subject: 'merchant' }, deps).commit([created('e1')]);
  await recordedCommand(inner, LINE, deps).commit([{ op: 'clear-alert', id: 'none', atMs: 0 }]);
  expect((await records()).map(({ subject }) => subject).sort()).toEqual(['', 'merchant']);
});

it('has its own record where it brings one', async () => {
  const store = recordedCommand(inner, LINE, deps);
  const own = { actor: 'anna', action: 'token create', subject: 't', detail: {} };
  await store.commit([created('e1'), auditOf(deps, own)]);
  await store.commit([created('e2')]);
  await withAudit({ ...deps, store: recordedCommand(inner, LINE, deps) }, own, () => undefined);
  expect((await records()).map(({ action }) => action)).toEqual(Array(3).fill('token create'));
});

it('is on record where it is tried again, and changes nothing without a record', async () => {
  const store = recordedCommand(inner, LINE, deps);
  inner.failWhen = () => true;
  await expect(store.commit([created('e1')])).rejects.toThrow();
  inner.failWhen = () => false;
  expect(await records()).toEqual([]);
  await store.commit([created('e1')]);
  expect(await records()).toHaveLength(1);
});
