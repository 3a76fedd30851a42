import { systemRandom } from '@tillbridge/platform/system-random.js';
import { beforeEach, expect, it } from 'vitest';
import { entityRow } from '../../core/entities/entities.js';
import { FailingStore } from '../../core/payments/payment-harness.test.support.js';
import { clearAlert, type NewAlert, raiseAlert } from '../alerts/alert-changes.js';
import type { Store } from '../store/store.js';
import { MemoryStore } from '../store/testing/memory-store.js';
import { auditOf, withAudit } from './audit.js';
import { withSecurityTrail } from './security-trail.js';

const HOUR_MS = 3_600_000;
const ENTRY = {
  actor: 'anna',
  action: 'token revoke',
  subject: 'a'.repeat(32),
  detail: { rights: ['read'] },
};
const ALERT: NewAlert = { code: 'card-replayed', subject: 'store-1/1', detail: 'counter 7' };

let nowMs: number;
let inner: FailingStore;
let store: Store;
let lines: object[];
beforeEach(() => {
  nowMs = Date.UTC(2026, 0, 1);
  inner = new FailingStore(new MemoryStore());
  lines = [];
  store = withSecurityTrail(inner, { warn: (about) => lines.push(about) }, () => nowMs);
});

const deps = () => ({ store, clock: { nowMs: () => nowMs }, random: systemRandom });
const raise = (alert = ALERT) => store.commit([raiseAlert(alert, nowMs)]);

it('logs what operators do, once it is on record', async () => {
  await store.commit([auditOf(deps(), ENTRY)]);
  const { subject: id, ...entry } = ENTRY;
  expect(lines).toEqual([{ securityEvent: 'command', ...entry, id, outcome: 'done' }]);
});

it('logs how work outside of the database has ended', async () => {
  const work = () => Promise.reject(new Error('no such key'));
  await expect(withAudit(deps(), ENTRY, work)).rejects.toThrow('no such key');
  expect(lines).toMatchObject([{ outcome: 'begun' }, { outcome: 'failed' }]);
});

it('logs nothing of what was not committed, nor of other rows', async () => {
  inner.failWhen = () => true;
  await expect(store.commit([auditOf(deps(), ENTRY)])).rejects.toThrow();
  await expect(raise()).rejects.toThrow();
  inner.failWhen = () => false;
  await store.commit([{ op: 'clear-alert', id: 'none', atMs: nowMs }]);
  const row = entityRow('e'.repeat(32), 'Shop', null, nowMs);
  await store.commit([{ op: 'insert', table: 'entities', row }]);
  await store.commit([{ op: 'update', table: 'entities', row }]);
  await store.commit([
    { op: 'require-field', table: 'entities', key: [row.id], column: 'id', equals: row.id },
  ]);
  expect(lines).toEqual([]);
  await raise();
  expect(lines).toHaveLength(1);
});

it('logs an alert once an hour, and again after it was cleared', async () => {
  await raise();
  nowMs += HOUR_MS - 1;
  await raise();
  await raise({ ...ALERT, subject: 'store-2/1' });
  await raise();
  expect(lines).toMatchObject([{ code: 'card-replayed', id: 'store-1/1' }, { id: 'store-2/1' }]);
  expect(lines[0]).toEqual({
    securityEvent: 'alert',
    code: 'card-replayed',
    severity: 'critical',
    id: 'store-1/1',
    detail: 'counter 7',
  });
  nowMs += 1;
  await raise();
  expect(lines).toHaveLength(3);
  await store.commit([clearAlert(ALERT.code, ALERT.subject, nowMs)]);
  await raise();
  expect(lines).toHaveLength(4);
});

it('forgets the alerts of which it remembers too many', async () => {
  await raise();
  for (let at = 0; at < 1_000; at += 1) await raise({ ...ALERT, subject: `other-${at}` });
  await raise();
  expect(lines).toHaveLength(1_002);
});
