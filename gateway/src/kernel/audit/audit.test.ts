import { systemRandom } from '@tillbridge/platform/system-random.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { beforeEach, describe, expect, test } from 'vitest';
import { FailingStore } from '../../core/payments/payment-harness.test.support.js';
import { allRows } from '../store/all-rows.js';
import { MemoryStore } from '../store/testing/memory-store.js';
import { type AuditDeps, withAudit } from './audit.js';

const ENTRY = { actor: 'anna', action: 'keys rotate', subject: 'zone', detail: { newId: 'zone-2' } };

let store: FailingStore;
let deps: AuditDeps;
beforeEach(() => {
  store = new FailingStore(new MemoryStore());
  deps = { store, clock: new VirtualClock(), random: systemRandom };
});

const outcomes = async () => (await allRows(store, 'audit')).map(({ outcome }) => outcome).sort();

describe('work with a record', () => {
  test('is on record before it begins, and when it is done', async () => {
    expect(await withAudit(deps, ENTRY, outcomes)).toEqual(['begun']);
    expect(await outcomes()).toEqual(['begun', 'done']);
  });

  test('is on record when it fails, and its error is thrown', async () => {
    const work = () => Promise.reject(new Error('no such key'));
    await expect(withAudit(deps, ENTRY, work)).rejects.toThrow('no such key');
    expect(await outcomes()).toEqual(['begun', 'failed']);
  });

  test('is not done where there is no record', async () => {
    store.failWhen = () => true;
    let isDone = false;
    const work = () => {
      isDone = true;
    };
    await expect(withAudit(deps, ENTRY, work)).rejects.toMatchObject({ name: 'StoreUnavailableError' });
    expect(isDone).toBe(false);
  });

  test('throws when its end cannot be recorded', async () => {
    const work = () => {
      store.failWhen = () => true;
    };
    await expect(withAudit(deps, ENTRY, work)).rejects.toMatchObject({ name: 'StoreUnavailableError' });
    store.failWhen = () => false;
    expect(await outcomes()).toEqual(['begun']);
  });
});
