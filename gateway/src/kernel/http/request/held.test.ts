import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addToken,
  CARD,
  type HttpHarness,
  openHttpHarness,
  REVOKED_TOKEN,
  TOKEN,
} from '../../../app/http/http-harness.test.support.js';
import { ENTITY } from '../../../core/payments/payment-harness.test.support.js';
import { confirmRestore } from '../../restored-database/restore-gap.js';

let harness: HttpHarness;
beforeAll(async () => {
  harness = await openHttpHarness();
});
afterAll(() => harness.dispose());

const FORM = new URLSearchParams({ entityId: ENTITY, ...CARD }).toString();
const pay = async (token: string): Promise<readonly [number, string]> => {
  const { status, body } = await harness.send('POST', '/v1/payments', {
    authorization: `Bearer ${token}`,
    body: FORM,
  });
  return [status, body.result.code];
};

it('holds the tokens of before while the database waits for its operator, and reveals nothing of it to a stranger', async () => {
  const { store, clock } = harness;
  await harness.clock.advance(1_000);
  const foundAtMs = clock.nowMs();
  const gap = { sinceMs: null, untilMs: 2, foundAtMs, isWhole: 0, reapplied: '{}' } as const;
  await store.commit([
    {
      op: 'insert',
      table: 'restoreGaps',
      row: { name: 'database', ...gap, closedAtMs: null, note: null, version: 1 },
    },
  ]);
  expect(await pay(TOKEN)).toEqual([503, '999.999.888']);
  for (const token of ['tb_never-issued', REVOKED_TOKEN])
    expect(await pay(token)).toEqual([403, '800.900.300']);
  expect(harness.line.sent).toEqual([]);
  expect((await harness.get('/healthz')).status).toBe(200);
  expect(await harness.get('/readyz')).toMatchObject({
    status: 503,
    body: { status: 'not ready', reason: 'the gateway waits for its operator' },
  });
  await addToken(store, 'tb_made-since', ['pay']);
  const since = await store.get('tokens', ['tb_made-since']);
  if (!since) throw new Error('the token was not made');
  await store.commit([{ op: 'update', table: 'tokens', row: { ...since, createdAtMs: foundAtMs } }]);
  expect((await pay('tb_made-since'))[0]).toBe(200);
  await confirmRestore({ store, clock, random, actor: 'operator' }, 'compared');
  expect((await pay(TOKEN))[0]).toBe(200);
  expect((await harness.get('/readyz')).status).toBe(200);
});
