import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Answer,
  CARD,
  type HttpHarness,
  openHttpHarness,
  RECORD_TOKEN,
  REVOKED_TOKEN,
} from '../../../app/http/http-harness.test.support.js';
import { MemoryStore } from '../../../kernel/store/testing/memory-store.js';
import { FailingStore } from '../../payments/payment-harness.test.support.js';

let memory: MemoryStore;
let disk: FailingStore;
let harness: HttpHarness;
beforeEach(async () => {
  memory = new MemoryStore();
  disk = new FailingStore(memory);
  harness = await openHttpHarness(() => disk);
});
afterEach(() => harness.dispose());

const stored = () => harness.store.get('idempotency', ['a'.repeat(32), 'order-1']);

function pay(key: string, more: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const form = { entityId: 'a'.repeat(32), ...CARD, ...more };
  return harness.send('POST', '/v1/payments', {
    body: new URLSearchParams(form).toString(),
    headers: { 'idempotency-key': key },
  });
}

describe('Idempotency-Key', () => {
  it('gives the same parameters the stored answer, in any order, and pays once', async () => {
    const first = await pay('order-1');
    const body = new URLSearchParams({ ...CARD, entityId: 'a'.repeat(32) }).toString();
    const again = await harness.send('POST', '/v1/payments', {
      body,
      headers: { 'idempotency-key': 'order-1' },
    });
    expect(first.status).toBe(200);
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(harness.line.sent).toHaveLength(1);
    expect((await pay('order-2')).body.id).not.toBe(first.body.id);
  });

  it('shows a stored answer to no token that may not pay', async () => {
    await pay('order-1');
    const body = new URLSearchParams({ entityId: 'a'.repeat(32), ...CARD }).toString();
    for (const token of [RECORD_TOKEN, REVOKED_TOKEN, 'tb_never-issued']) {
      const headers = { 'idempotency-key': 'order-1' };
      const answer = await harness.send('POST', '/v1/payments', {
        body,
        headers,
        authorization: `Bearer ${token}`,
      });
      expect(answer.status, token).toBe(403);
      expect(answer.body).not.toHaveProperty('id');
    }
  });

  it('refuses other parameters and names the header', async () => {
    await pay('order-1');
    const other = await pay('order-1', { amount: '12.35' });
    expect(other).toMatchObject({ status: 400, body: { result: { code: '200.300.404' } } });
    expect(other.body.result.parameterErrors).toMatchObject([{ name: 'Idempotency-Key' }]);
    expect(harness.line.sent).toHaveLength(1);
  });

  it('answers the second of two at once with try later', async () => {
    let release = (): void => undefined;
    harness.line.gate = new Promise((resolve) => {
      release = resolve;
    });
    const first = pay('order-1');
    await expect.poll(() => harness.line.sent.length).toBe(1);
    const second = await pay('order-1');
    expect(second).toMatchObject({ status: 409, body: { result: { code: '800.600.100' } } });
    expect(second.headers.get('retry-after')).toBe('1');
    release();
    expect(await first).toMatchObject({ status: 200 });
    expect((await pay('order-1')).body).toEqual((await first).body);
  });

  it('finds the payment of an answer that could not be stored', async () => {
    disk.failWhen = (changes) =>
      changes.some(({ op, ...on }) => op === 'update' && 'table' in on && on.table === 'idempotency');
    const first = await pay('order-1');
    disk.failWhen = () => false;
    const again = await pay('order-1');
    expect(again).toMatchObject({
      status: 200,
      body: { id: first.body.id, result: { code: '000.100.110' } },
    });
    expect(harness.line.sent).toHaveLength(1);
    const warning = harness.log.find((line) => line.includes('Idempotency-Key was not stored'));
    expect(JSON.parse(warning ?? '{}')).toMatchObject({ err: { message: expect.stringContaining('disk') } });
  });

  it('begins nothing twice when nothing could be begun', async () => {
    disk.failWhen = (changes) => changes.some((change) => 'table' in change && change.table === 'intents');
    expect((await pay('order-1')).status).toBe(503);
    disk.failWhen = () => false;
    expect((await pay('order-1')).status).toBe(200);
    expect(harness.line.sent).toHaveLength(1);
  });

  it('answers with try later where another process takes the key at the same moment, and goes on with what that one began', async () => {
    disk.beforeCommit = async (changes) => {
      const [change] = changes;
      if (change?.op !== 'insert' || change.table !== 'idempotency') return;
      disk.beforeCommit = async () => undefined;
      await memory.commit([change]);
    };
    const late = await pay('order-1');
    expect(late).toMatchObject({ status: 409, body: { result: { code: '800.600.100' } } });
    expect(late.headers.get('retry-after')).toBe('1');
    const row = await stored();
    expect(await pay('order-1')).toMatchObject({ status: 200, body: { id: row?.paymentId } });
    expect(harness.line.sent).toHaveLength(1);
  });

  it('begins nothing while a key cannot be stored', async () => {
    disk.failWhen = (changes) =>
      changes.some((change) => 'table' in change && change.table === 'idempotency');
    for (let tried = 0; tried < 2; tried += 1) expect((await pay('order-1')).status).toBe(503);
    expect(harness.line.sent).toEqual([]);
    disk.failWhen = () => false;
    expect((await pay('order-1')).status).toBe(200);
  });

  it('makes a checkout once', async () => {
    const ask = () =>
      harness.send('POST', '/v1/checkouts', {
        body: new URLSearchParams({
          entityId: 'a'.repeat(32),
          paymentType: 'DB',
          amount: '1.00',
          currency: 'EUR',
        }).toString(),
        headers: { 'idempotency-key': 'order-1' },
      });
    const first = await ask();
    expect(first).toMatchObject({ status: 200, body: { result: { code: '000.200.100' } } });
    const again = await ask();
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('returns how a pending payment stands now', async () => {
    harness.line.cut = true;
    const first = await pay('order-1');
    expect(first.body.result.code).toBe('000.200.001');
    harness.line.cut = false;
    const again = await pay('order-1');
    expect(again.body.id).toBe(first.body.id);
    expect(again.body.result.code).not.toBe('000.200.001');
    expect(harness.line.sent.filter(({ kind }) => kind === 'authorization')).toHaveLength(1);
    // A commit for the key, and one for its final answer.
    expect((await stored())?.version).toBe(2);
  });

  it('refuses other parameters while the payment of the first ones is pending', async () => {
    harness.line.cut = true;
    const first = await pay('order-1');
    expect(first.body.result.code).toBe('000.200.001');
    harness.line.cut = false;
    const other = await pay('order-1', { amount: '12.35' });
    expect(other).toMatchObject({ status: 400, body: { result: { code: '200.300.404' } } });
    expect((await pay('order-1')).body.id).toBe(first.body.id);
  });

  it('keeps the key free for a corrected request', async () => {
    expect((await pay('order-1', { amount: 'x' })).status).toBe(400);
    expect((await stored())?.version).toBe(1);
    const paid = await pay('order-1');
    expect(paid.status).toBe(200);
    expect((await pay('order-1')).body).toEqual(paid.body);
    expect(harness.line.sent).toHaveLength(1);
  });

  it('keeps a decline and follow-ups, too', async () => {
    const headers = { 'idempotency-key': 'capture-1' };
    const { id } = (await pay('order-1')).body;
    const form = { entityId: 'a'.repeat(32), paymentType: 'CP', amount: '5.00', currency: 'EUR' };
    const body = new URLSearchParams(form).toString();
    const capture = await harness.send('POST', `/v1/payments/${id}`, { body, headers });
    const again = await harness.send('POST', `/v1/payments/${id}`, { body, headers });
    expect(capture).toMatchObject({ status: 200, body: { amount: '5.00' } });
    expect(again.body).toEqual(capture.body);
    const declined = await pay('order-3', { 'card.number': '4200000000000001' });
    expect(await pay('order-3', { 'card.number': '4200000000000001' })).toMatchObject({
      status: 400,
      body: declined.body,
    });
  });

  it.each(['!', '~', 'x'.repeat(255)])('may be %s', async (key) => {
    expect((await pay(key)).status).toBe(200);
  });

  it.each(['', 'a b', 'a\u00e4', '\u00e4a', 'x'.repeat(256)])('refuses the key %s', async (key) => {
    const answer = await pay(key);
    expect(answer).toMatchObject({ status: 400, body: { result: { code: '200.300.404' } } });
    expect(answer.body.result.parameterErrors).toMatchObject([{ name: 'Idempotency-Key', value: null }]);
    expect(harness.line.sent).toEqual([]);
  });

  it('is kept for payments alone, and for those who may make them', async () => {
    const headers = { 'idempotency-key': 'order-1' };
    const kept = () => harness.store.findAfter('idempotency', undefined);
    expect((await pay('order-1', { entityId: 'b'.repeat(32) })).status).toBe(403);
    expect((await harness.send('POST', '/v1/nothing', { body: 'a=b', headers })).status).toBe(404);
    expect((await harness.send('GET', `/v1/payments/${'0'.repeat(32)}`, { headers })).status).toBe(404);
    expect(await kept()).toEqual([]);
    expect((await harness.post('/v1/payments', CARD)).status).toBe(200);
    expect(await kept()).toEqual([]);
    const risk = new URLSearchParams({ entityId: 'a'.repeat(32), ...CARD }).toString();
    expect((await harness.send('POST', '/v1/risk', { body: risk, headers })).status).not.toBe(403);
    expect(await kept()).toEqual([]);
    // Without a body there are no parameters, and nothing is begun.
    expect((await harness.send('POST', '/v1/payments', { headers })).status).toBe(400);
    expect(await kept()).toMatchObject([{ entityId: 'a'.repeat(32), answer: null }]);
  });

  it('stores nothing of the card', async () => {
    await pay('order-1');
    const row = await stored();
    expect(row?.answer).toContain('000.100.110');
    expect(JSON.stringify(row)).not.toMatch(/4200000000000000|"123"/);
  });
});
