import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  addToken,
  CARD,
  type HttpHarness,
  openHttpHarness,
  TOKEN,
} from '../../app/http/http-harness.test.support.js';
import {
  ENGINES,
  ENTITY,
  FailingStore,
  OTHER_ENTITY,
  storeOf,
} from '../../core/payments/payment-harness.test.support.js';
import { allRows } from '../../kernel/store/all-rows.js';
import { newTimeOrderedId } from '../../kernel/store/new-id.js';
import type { RequestLogRow } from '../../kernel/store/rows.js';
import { MemoryStore } from '../../kernel/store/testing/memory-store.js';
import { REQUEST_LOG_LIMITS, RequestLog } from './request-log.js';
import type { RequestView } from './request-view.js';
import { trimRequests } from './trim-requests.js';

const ADMINISTRATOR = 'tb_administrator-token-of-the-tests';
const STRANGER = 'tb_administrator-token-of-the-stranger';

describe.each(ENGINES)('the log of requests on %s', (engine) => {
  let harness: HttpHarness;
  beforeEach(async () => {
    harness = await openHttpHarness(storeOf(engine));
    await addToken(harness.store, ADMINISTRATOR, ['administration']);
    await addToken(harness.store, STRANGER, ['administration'], {
      ...{ entityId: OTHER_ENTITY, merchantId: OTHER_ENTITY },
    });
  });
  afterEach(() => harness.dispose());

  const read = async (query = '', token = ADMINISTRATOR) => {
    const { status, body } = await harness.send('GET', `/v1/requests?${query}`, {
      authorization: `Bearer ${token}`,
    });
    const page = body as unknown as { requests: readonly RequestView[]; next?: string };
    return { status, result: body.result, ...page };
  };
  const payments = 'path=/v1/payments';

  it('has who sent a request, how long it took, how it ended and by which ids it is found', async () => {
    const { body } = await harness.post('/v1/payments', { ...CARD, merchantTransactionId: 'order-17' });
    const { requests } = await read(payments);
    expect(requests).toEqual([
      {
        ...{ id: expect.stringMatching(/^[0-9a-f]{32}$/), at: '2026-11-20T12:00:00.000Z', entityId: ENTITY },
        ...{ method: 'POST', path: '/v1/payments', status: 200, durationMs: expect.any(Number) },
        ...{ resultCode: body.result.code, description: body.result.description, outcome: 'approved' },
        ...{ ndc: body.ndc, paymentId: body.id, token: { id: TOKEN, name: 'test' }, leftOut: 0, errors: [] },
        parameters: expect.arrayContaining([
          { name: 'amount', value: '12.34' },
          { name: 'card.number', value: null },
          { name: 'card.cvv', value: null },
          { name: 'merchantTransactionId', value: 'order-17' },
        ]),
      },
    ]);
    expect(JSON.stringify(await allRows(harness.store, 'requestLog'))).not.toMatch(/4200000000000000|"123/);
  });

  it('names the parameter that was wrong and what it meant', async () => {
    await harness.post('/v1/payments', { ...CARD, amount: '12.345', 'card.nubmer': '4200000000000000' });
    const [request] = (await read(`outcome=refused&${payments}`)).requests;
    expect(request).toMatchObject({
      ...{ status: 400, outcome: 'refused', resultCode: '200.300.404' },
      errors: expect.arrayContaining([
        { name: 'amount', value: '12.345', message: expect.stringContaining('two') },
        {
          name: 'card.nubmer',
          value: null,
          message: 'is not an allowed parameter; did you mean card.number?',
        },
      ]),
    });
  });

  it('finds what was sent for a payment: the request that made it, and those that followed', async () => {
    const { body: paid } = await harness.post('/v1/payments', CARD);
    const { body: capture } = await harness.post(`/v1/payments/${paid.id}`, {
      ...{ paymentType: 'CP', amount: '12.34', currency: 'EUR' },
    });
    await harness.get(`/v1/payments/${paid.id}?entityId=${ENTITY}`);
    await harness.post('/v1/payments', CARD);
    const of = async (id: string) =>
      (await read(`paymentId=${id}`)).requests.map(({ method, path }) => `${method} ${path}`);
    expect((await of(paid.id)).sort()).toEqual([
      'GET /v1/payments/{id}',
      'POST /v1/payments',
      'POST /v1/payments/{id}',
    ]);
    expect(await of(capture.id)).toEqual(['POST /v1/payments/{id}']);
    expect(await of('0'.repeat(32))).toEqual([]);
    expect((await read(`paymentId=${paid.id}`, STRANGER)).requests).toEqual([]);
  });

  it('goes page by page, the newest first, by time, result and path', async () => {
    for (let at = 0; at < 5; at += 1) {
      for (let same = 0; same < 3; same += 1)
        await harness.post('/v1/payments', { ...CARD, amount: `${at}.00` });
      await harness.clock.advance(1_000);
    }
    const seen: string[] = [];
    let next: string | undefined;
    do {
      const page = await read(`${payments}&limit=4${next === undefined ? '' : `&after=${next}`}`);
      seen.push(...page.requests.map(({ id }) => id));
      next = page.next;
    } while (next !== undefined);
    expect(new Set(seen).size).toBe(15);
    expect(seen).toEqual([...seen].sort().reverse());
    const frame = 'date.from=2026-11-20+12:00:01&date.to=2026-11-20+12:00:02';
    expect((await read(`${payments}&${frame}`)).requests).toHaveLength(6);
    const [first] = (await read(`${payments}&${frame}`)).requests;
    expect((await read(`${payments}&resultCode=${first?.resultCode}`)).requests.length).toBeGreaterThan(0);
    expect((await read('resultCode=999.999.999')).requests).toEqual([]);
  });

  it('is a merchant’s own, with the right to administration', async () => {
    await harness.post('/v1/payments', CARD);
    expect((await read('', STRANGER)).requests.filter(({ entityId }) => entityId !== OTHER_ENTITY)).toEqual(
      [],
    );
    expect((await read(`entityId=${OTHER_ENTITY}`)).status).toBe(403);
    expect((await read('', TOKEN)).status).toBe(403);
    // An entity of another, named in vain, gets no row.
    await harness.post('/v1/payments', { ...CARD, entityId: OTHER_ENTITY });
    expect((await read(payments, STRANGER)).requests).toEqual([]);
    const own = (await read(payments)).requests.map(({ status, entityId }) => [status, entityId]);
    expect(own.sort()).toEqual([
      [200, ENTITY],
      [403, ENTITY],
    ]);
  });

  it.each([
    ['limit=501', 'limit'],
    ['outcome=good', 'outcome'],
    ['date.from=2026-11-20+12:00:00', 'date.from'],
    ['colour=red', 'colour'],
  ])('names what is wrong with %s', async (query, name) => {
    const { status, result } = await read(query);
    expect(status).toBe(400);
    expect(result.parameterErrors).toMatchObject([{ name }]);
  });

  it('takes what is hostile: markup, control characters, broken escapes, a megabyte', async () => {
    const authorization = `Bearer ${TOKEN}`;
    const bodies = [
      `entityId=${ENTITY}&customer.givenName=${encodeURIComponent('<img src=x onerror=alert(1)>')}`,
      'customer.givenName=a%00b%1b%5b31m&%00=%00',
      'amount=%zz',
      '{"card":{"number":"4200000000000000"}}',
      `merchantMemo=${'4200 0000 0000 0000 '.repeat(52_000)}`,
      Array.from({ length: 20_000 }, (_, at) => `cart.items[${at % 1_000}].name=x${at}`).join('&'),
    ];
    for (const body of bodies) await harness.send('POST', '/v1/payments', { authorization, body });
    const { requests } = await read(payments);
    expect(requests).toHaveLength(bodies.length);
    const text = JSON.stringify(requests);
    expect(text).toContain('<img src=x onerror=alert(1)>');
    expect(text).not.toMatch(/4200 0000|4200000000000000|\\u0000|\\u001b/);
    for (const { parameters } of requests) expect(JSON.stringify(parameters).length).toBeLessThan(16_384);
  });

  it('is trimmed to so many rows, the oldest first', async () => {
    const rows = Array.from({ length: 450 }, (_, at) => rowAt(harness, at));
    await harness.store.commit(rows.map((row) => ({ op: 'insert', table: 'requestLog', row })));
    expect(await trimRequests(harness.store, 100)).toBe(350);
    const left = await allRows(harness.store, 'requestLog');
    expect(left.map(({ id }) => id)).toEqual(rows.slice(350).map(({ id }) => id));
    expect(await trimRequests(harness.store, 100)).toBe(0);
  });
});

function rowAt({ context: { random } }: Pick<HttpHarness, 'context'>, at: number): RequestLogRow {
  const createdAtMs = 1_000 + at;
  return {
    ...{ id: newTimeOrderedId(random, createdAtMs), entityId: ENTITY, actor: 'checkout', method: 'GET' },
    ...{ path: '/v1/payments', paymentId: null, madeId: null, status: 200, resultCode: null, outcome: null },
    ...{ ndc: null, durationUs: 1, parameters: '[]', leftOut: 0, errors: '[]', createdAtMs, version: 1 },
  };
}

describe('requests on their way to the log', () => {
  it('wait up to a limit; what is beyond is dropped and counted, and a database that is away drops a batch', async () => {
    const harness = await openHttpHarness();
    try {
      const store = new FailingStore(new MemoryStore());
      const log = new RequestLog(harness.store);
      for (let at = 0; at < REQUEST_LOG_LIMITS.waiting + 5; at += 1)
        if (log.hasRoom()) log.take(rowAt(harness, at));
      expect(log.dropped).toBe(5);
      await log.flush();
      expect((await allRows(harness.store, 'requestLog')).length).toBe(REQUEST_LOG_LIMITS.waiting);
      expect(log.hasRoom()).toBe(true);
      const away = new RequestLog(store);
      store.failWhen = () => true;
      away.take(rowAt(harness, 1));
      await expect(away.flush()).rejects.toThrow('the disk of the database is full');
      expect(away.dropped).toBe(1);
      away.take(rowAt(harness, 2));
      await away.stop();
      expect(away.dropped).toBe(2);
    } finally {
      await harness.dispose();
    }
  });
});
