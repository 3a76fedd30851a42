import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ENGINES, FailingStore, NOW_MS, storeOf } from '../../payments/desk-world.test.support.js';
import { CARD, type HttpWorld, openHttpWorld } from '../http-world.test.support.js';
import { IDEMPOTENCY_RETENTION_MS } from './decide.js';
import { SWEEP_LIMITS, sweepIdempotencyKeys } from './sweep.js';

const ENTITY = 'a'.repeat(32);

describe.each(ENGINES)('on the %s engine', (engine) => {
  let disk: FailingStore;
  let world: HttpWorld;
  beforeEach(async () => {
    world = await openHttpWorld(async (home) => {
      disk = new FailingStore(await storeOf(engine)(join(home)));
      return disk;
    });
  });
  afterEach(() => world.dispose());

  const insert = (key: string, createdAtMs: number) =>
    world.store.commit([
      {
        op: 'insert',
        table: 'idempotency',
        row: {
          entityId: ENTITY,
          idempotencyKey: key,
          fingerprint: 'f',
          paymentId: 'p',
          httpStatus: 200,
          answer: '{}',
          createdAtMs,
          version: 1,
        },
      },
    ]);
  const get = (key: string) => world.store.get('idempotency', [ENTITY, key]);
  const END = NOW_MS - IDEMPOTENCY_RETENTION_MS;

  it('deletes what has run out, to the millisecond, and nothing else', async () => {
    await insert('old', END - 1);
    await insert('just', END);
    await insert('kept', END + 1);
    expect(await sweepIdempotencyKeys(world.store, NOW_MS)).toBe(2);
    expect([await get('old'), await get('just')]).toEqual([undefined, undefined]);
    expect(await get('kept')).toBeDefined();
    expect(await sweepIdempotencyKeys(world.store, NOW_MS)).toBe(0);
  });

  it('takes one batch after the other', async () => {
    const many = SWEEP_LIMITS.batch + 5;
    await Promise.all(Array.from({ length: many }, (_, at) => insert(`k${at}`, END - at)));
    expect(await sweepIdempotencyKeys(world.store, NOW_MS)).toBe(many);
    expect(await world.store.findBelow('idempotency', 'age', NOW_MS)).toEqual([]);
  });

  it('keeps a key that its merchant renews in between', async () => {
    await insert('renewed', END - 1);
    let first = true;
    disk.beforeCommit = async (changes) => {
      if (!first || changes[0]?.op !== 'delete') return;
      first = false;
      const row = await get('renewed');
      if (row)
        await world.store.commit([
          { op: 'update', table: 'idempotency', row: { ...row, createdAtMs: NOW_MS } },
        ]);
    };
    expect(await sweepIdempotencyKeys(world.store, NOW_MS)).toBe(0);
    expect(await get('renewed')).toMatchObject({ createdAtMs: NOW_MS });
    expect(await sweepIdempotencyKeys(world.store, NOW_MS)).toBe(0);
  });

  it('leaves the answer of a payment for as long as the key stands', async () => {
    const send = () =>
      world.send('POST', '/v1/payments', {
        body: new URLSearchParams({ entityId: ENTITY, ...CARD }).toString(),
        headers: { 'idempotency-key': 'order-1' },
      });
    const first = await send();
    await world.clock.advance(IDEMPOTENCY_RETENTION_MS - 1);
    await sweepIdempotencyKeys(world.store, world.clock.nowMs());
    expect((await send()).body).toEqual(first.body);
    await world.clock.advance(1);
    expect(await sweepIdempotencyKeys(world.store, world.clock.nowMs())).toBe(1);
    expect((await send()).body.id).not.toBe(first.body.id);
  });
});
