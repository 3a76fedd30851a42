import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CARD, type HttpHarness, openHttpHarness } from '../../../app/http/http-harness.test.support.js';
import { RETENTION } from '../../../app/wiring/retention.js';
import { Retention } from '../../../kernel/workers/retention.js';
import { ENGINES, FailingStore, NOW_MS, storeOf } from '../../payments/payment-harness.test.support.js';
import { IDEMPOTENCY_RETENTION_MS } from './decide.js';

const ENTITY = 'a'.repeat(32);

describe.each(ENGINES)('keys on the %s engine', (engine) => {
  let disk: FailingStore;
  let harness: HttpHarness;
  let retention: Retention;
  beforeEach(async () => {
    harness = await openHttpHarness(async (home) => {
      disk = new FailingStore(await storeOf(engine)(home));
      return disk;
    });
    retention = new Retention(harness.store, harness.clock, [RETENTION]);
  });
  afterEach(() => harness.dispose());

  const send = () =>
    harness.send('POST', '/v1/payments', {
      body: new URLSearchParams({ entityId: ENTITY, ...CARD }).toString(),
      headers: { 'idempotency-key': 'order-1' },
    });
  const stored = () => harness.store.get('idempotency', [ENTITY, 'order-1']);

  it('stand for their answer to the last moment, and go after it', async () => {
    const first = await send();
    await harness.clock.advance(IDEMPOTENCY_RETENTION_MS - 1);
    // The pair that its card was tried with counts for a day.
    expect(await retention.sweep()).toBe(1);
    expect((await send()).body).toEqual(first.body);
    await harness.clock.advance(2);
    // Its payment's event is as old.
    expect(await retention.sweep()).toBe(2);
    expect(await stored()).toBeUndefined();
    expect((await send()).body.id).not.toBe(first.body.id);
  });

  it('stay when their merchant renews them in between', async () => {
    await send();
    await harness.clock.advance(IDEMPOTENCY_RETENTION_MS + 1);
    let first = true;
    disk.beforeCommit = async (changes) => {
      if (!first || changes[0]?.op !== 'delete') return;
      first = false;
      await send();
    };
    await retention.sweep();
    expect(await stored()).toMatchObject({ createdAtMs: NOW_MS + IDEMPOTENCY_RETENTION_MS + 1 });
  });
});
