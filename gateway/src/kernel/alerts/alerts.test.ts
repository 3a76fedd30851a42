import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ENGINES,
  ENTITY,
  FailingStore,
  NOW_MS,
  openPaymentHarness,
  type PaymentHarness,
  QUIET,
  storeOf,
} from '../../core/payments/payment-harness.test.support.js';
import type { AlertRow } from '../store/rows.js';
import { StoreUnavailableError } from '../store/store.js';
import { alertId, clearAlert, type NewAlert, raiseAlert } from './alert-changes.js';
import { ALERT_STATES, acknowledgeAlert, alertView, listAlerts } from './alert-list.js';
import { alertMetrics } from './alert-metrics.js';
import { ALERT_CODES } from './alert-table.js';
import { Alerts } from './alerts.js';
import { openAlerts } from './alerts.test.support.js';
import { StandingAlerts } from './standing-alerts.js';

const FORKED: NewAlert = { code: 'journal-forked', subject: 'store-1', entityId: ENTITY, detail: 'row 9' };
const REPLAYED: NewAlert = { code: 'card-replayed', subject: 'store-1/1', detail: 'counter 7' };

describe.each(ENGINES)('alerts on the %s store', (engine) => {
  let harness: PaymentHarness;
  let store: FailingStore;
  let clock: VirtualClock;
  let logged: string[];
  let commits: number;
  let alerts: Alerts;
  beforeEach(async () => {
    harness = await openPaymentHarness(storeOf(engine));
    store = new FailingStore(harness.store);
    clock = new VirtualClock(NOW_MS);
    logged = [];
    commits = 0;
    store.beforeCommit = async () => {
      commits += 1;
    };
    const keep = (_about: object, text: string) => logged.push(text);
    alerts = new Alerts({ store, clock, log: { warn: keep, error: keep } });
  });
  afterEach(() => harness.dispose());

  async function stored({ code, subject }: NewAlert): Promise<AlertRow> {
    const row = await store.get('alerts', [alertId(code, subject)]);
    if (!row) throw new Error(`${code} ${subject} was not raised`);
    return row;
  }

  async function acknowledge(alert: NewAlert): Promise<void> {
    await acknowledgeAlert(store, await stored(alert), 'Ann looks at it', clock.nowMs());
  }

  async function counted(code: string): Promise<string | undefined> {
    const registry = new Registry();
    alertMetrics(registry, store);
    const text = await registry.metrics();
    return new RegExp(`^tillbridge_alerts_open\\{code="${code}"\\} (.*)$`, 'm').exec(text)?.[1];
  }

  it('are raised once while they stand, however often the cause is met', async () => {
    await alerts.raise(FORKED);
    await clock.advance(1_000);
    await alerts.raise({ ...FORKED, detail: 'row 10' });
    expect(commits).toBe(1);
    expect(logged).toHaveLength(1);
    expect(alertView(await stored(FORKED))).toEqual({
      id: alertId('journal-forked', 'store-1'),
      code: 'journal-forked',
      subject: 'store-1',
      entityId: ENTITY,
      severity: 'critical',
      state: 'open',
      text: expect.stringContaining('two copies'),
      detail: 'row 9',
      action: expect.stringContaining('stop the second copy'),
      since: new Date(NOW_MS).toISOString(),
    });
    await alerts.raise({ ...FORKED, subject: 'store-2' });
    expect(await openAlerts(store)).toEqual(['journal-forked store-1', 'journal-forked store-2']);
  });

  it('stay acknowledged until their cause is gone, and are raised anew when it comes back', async () => {
    await alerts.raise(FORKED);
    await acknowledge(FORKED);
    await alerts.raise(FORKED);
    expect(await stored(FORKED)).toMatchObject({
      state: 'acknowledged',
      note: 'Ann looks at it',
      endedAtMs: null,
    });
    await clock.advance(1_000);
    await alerts.clear('journal-forked', 'store-1');
    await alerts.clear('journal-forked', 'store-1');
    expect(await stored(FORKED)).toMatchObject({ state: 'cleared', endedAtMs: NOW_MS + 1_000 });
    expect(commits).toBe(3);
    await clock.advance(1_000);
    await alerts.raise(FORKED);
    expect(await stored(FORKED)).toMatchObject({ state: 'open', sinceMs: NOW_MS + 2_000, note: null });
  });

  it('about an event end with the acknowledgement, and the next event is another alert', async () => {
    await alerts.raise(REPLAYED);
    await acknowledge(REPLAYED);
    expect(await stored(REPLAYED)).toMatchObject({ state: 'acknowledged', endedAtMs: NOW_MS });
    await alerts.raise({ ...REPLAYED, detail: 'counter 8' });
    expect(await stored(REPLAYED)).toMatchObject({ state: 'open', detail: 'counter 8' });
  });

  it('are acknowledged once: a change in between is seen', async () => {
    await alerts.raise(FORKED);
    const row = await stored(FORKED);
    await alerts.clear('journal-forked', 'store-1');
    expect(await acknowledgeAlert(store, row, null, NOW_MS)).toBeUndefined();
    const cleared = await stored(FORKED);
    expect(await acknowledgeAlert(store, cleared, null, NOW_MS)).toEqual(cleared);
  });

  it('go with the commit that they report', async () => {
    await store.commit([raiseAlert(FORKED, NOW_MS), raiseAlert(REPLAYED, NOW_MS)]);
    await store.commit([clearAlert('journal-forked', 'store-1', NOW_MS)]);
    expect(await openAlerts(store)).toEqual(['card-replayed store-1/1']);
  });

  it('are listed whole, the critical ones first, then the oldest', async () => {
    const parked = Array.from({ length: 1_100 }, (_, at) =>
      raiseAlert({ code: 'message-parked', subject: `store-1/m${at}`, detail: '' }, NOW_MS - at),
    );
    const warning = raiseAlert({ code: 'work-failing', subject: 'retries', detail: '' }, 1);
    await store.commit([warning, ...parked]);
    const rows = await listAlerts(store, ALERT_STATES);
    expect(rows).toHaveLength(1_101);
    expect(rows[0]?.subject).toBe('store-1/m1099');
    expect(rows.at(-1)?.code).toBe('work-failing');
  });

  it('are counted until they are acknowledged', async () => {
    expect(await counted('journal-forked')).toBe('0');
    await alerts.raise(FORKED);
    expect(await counted('journal-forked')).toBe('1');
    await acknowledge(FORKED);
    expect(await counted('journal-forked')).toBe('0');
  });

  it('do not fail the work that they report while the database is away', async () => {
    store.failWhen = () => true;
    await alerts.raise(FORKED);
    expect(logged).toEqual(['alert not stored']);
    store.find = () => Promise.reject(new StoreUnavailableError('io-error', 'gone'));
    expect(await counted('journal-forked')).toBe('Nan');
  });

  it('about a cause follow it, over restarts too', async () => {
    let fault: string | undefined = 'no answer';
    const cause = { code: 'acquirer-silent', subject: 'INTERNAL', detail: () => fault } as const;
    const look = () => new StandingAlerts(new Alerts({ store, clock, log: QUIET }), [cause]).look();
    await look();
    await look();
    expect(commits).toBe(1);
    expect(await openAlerts(store)).toEqual(['acquirer-silent INTERNAL']);
    fault = undefined;
    await look();
    expect(await openAlerts(store)).toEqual([]);
  });

  it('of a standing cause at one node is not cleared by another one, at which nothing is wrong', async () => {
    const faults: (string | undefined)[] = [undefined, undefined];
    const nodes = faults.map((_, at) => {
      const cause = { code: 'acquirer-silent', subject: 'WIRE', detail: () => faults[at] } as const;
      return new StandingAlerts(new Alerts({ store, clock, log: QUIET }), [cause]);
    });
    const look = async () => {
      for (const node of nodes) await node.look();
      return (await openAlerts(store)).length;
    };
    expect(await look()).toBe(0);
    faults[0] = 'no answer';
    expect([await look(), await look()]).toEqual([1, 1]);
    faults[0] = undefined;
    expect(await look()).toBe(0);
  });
});

it('has a code that Prometheus takes as a label and people as a name', () => {
  for (const code of ALERT_CODES) expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
});
