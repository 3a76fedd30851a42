import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  addToken,
  CARD,
  type HttpHarness,
  openHttpHarness,
  TOKEN,
  TOKEN_KEY,
} from '../../../app/http/http-harness.test.support.js';
import { overTime } from '../../../core/payments/harness-clock.test.support.js';
import { OTHER_ENTITY } from '../../../core/payments/payment-harness.test.support.js';
import { accessTokenHash } from '../request/access-token-hash.js';
import { DEFAULT_THROTTLE_RATES, type ThrottleRates } from '../throttle/throttle.js';

const LEGACY = 'c'.repeat(32);
const USER = 'd'.repeat(32);
const PASSWORD = 'tb_password-of-the-legacy-client';

let harness: HttpHarness;
beforeEach(() => open());
afterEach(() => harness.dispose());

async function open(rates: ThrottleRates = DEFAULT_THROTTLE_RATES): Promise<void> {
  harness = await openHttpHarness(undefined, { rates });
  const merchant = 'a'.repeat(32);
  await harness.store.commit([
    {
      op: 'insert',
      table: 'entities',
      row: {
        id: LEGACY,
        kind: 'channel',
        parentId: merchant,
        name: 'Legacy',
        compatibility: 'legacy',
        createdAtMs: 1,
        version: 1,
      },
    },
    {
      op: 'insert',
      table: 'tokens',
      row: {
        id: USER,
        hash: accessTokenHash(TOKEN_KEY, PASSWORD),
        entityId: LEGACY,
        merchantId: merchant,
        label: 'legacy',
        rights: '["pay","refund","read"]',
        createdAtMs: 1,
        lastUsedAtMs: null,
        sealed: null,
        revokedAtMs: null,
        version: 1,
      },
    },
  ]);
}

/** What an older client sends that the specification does not know. */
const OLDER = {
  merchantTransactionId: 'or 1',
  'customer.phone': '(?!?)555-5555',
  'customer.givenName': 'Jane',
  'customer.surname': 'Jones',
  recurringType: 'INITIAL',
};
const send = (form: Readonly<Record<string, string>>, authorization: string | null) =>
  harness.send('POST', '/v1/payments', {
    body: new URLSearchParams({ ...CARD, ...form }).toString(),
    authorization,
  });
const credentials = {
  'authentication.entityId': LEGACY,
  'authentication.userId': USER,
  'authentication.password': PASSWORD,
};

describe('an entity with compatibility legacy', () => {
  it('takes a user id and password, and the names and formats of older clients', async () => {
    const { status, body } = await send({ ...credentials, ...OLDER }, null);
    expect(body.result.parameterErrors).toBeUndefined();
    expect(status).toBe(200);
    expect(body.merchantTransactionId).toBe('or 1');
    expect(JSON.stringify(body)).not.toContain(PASSWORD);
    const query = new URLSearchParams(credentials);
    const read = await harness.send('GET', `/v1/payments/${body.id}?${query}`, { authorization: null });
    expect(read).toMatchObject({ status: 200, body: { id: body.id } });
    expect(harness.log.join('')).not.toContain(PASSWORD);
  });

  it('takes an email and IP address of a customer without a name', async () => {
    const customer = {
      'customer.email': 'jane@example.com',
      'customer.ip': '127.0.0.1',
      'customer.browser.javascriptEnabled': 'true',
    };
    const { status, body } = await send({ ...credentials, ...customer }, null);
    expect(body.result.parameterErrors).toBeUndefined();
    expect(status).toBe(200);
  });

  it('is counted by the entity in its form, like every other', async () => {
    const rates = { ...DEFAULT_THROTTLE_RATES, payments: { perSecond: 0.5, burst: 2 } };
    await harness.dispose();
    await open(rates);
    const statuses: number[] = [];
    for (let sent = 0; sent < 3; sent += 1)
      statuses.push((await overTime(harness.clock, send({ ...OLDER, ...credentials }, null))).status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  it('takes the token in the header, too', async () => {
    expect((await send({ ...OLDER, entityId: LEGACY }, `Bearer ${PASSWORD}`)).status).toBe(200);
    expect((await send({ ...OLDER, entityId: LEGACY }, `Bearer ${TOKEN}`)).status).toBe(200);
  });

  it.each([
    [{ ...credentials, 'authentication.password': 'wrong' }, 403, 'authentication.userId'],
    [{ ...credentials, 'authentication.userId': 'e'.repeat(32) }, 403, 'authentication.userId'],
    [{ 'authentication.entityId': LEGACY, 'authentication.userId': USER }, 401, 'Authorization'],
  ])('refuses %j with %i, and names %s', async (form, status, name) => {
    const answer = await send(form, null);
    expect(answer).toMatchObject({
      status,
      body: { result: { code: '800.900.300', parameterErrors: [{ name }] } },
    });
    expect(harness.line.sent).toEqual([]);
  });
});

describe('who may not act for an entity', () => {
  const UNKNOWN = 'f'.repeat(32);
  const answerTo = async (form: Readonly<Record<string, string>>, authorization: string | null) => {
    const { status, body } = await send({ ...OLDER, ...form }, authorization);
    return { status, result: body.result };
  };

  it('does not reveal that it is one of older clients', async () => {
    await addToken(harness.store, 'tb_stranger', ['pay'], {
      entityId: OTHER_ENTITY,
      merchantId: OTHER_ENTITY,
    });
    for (const authorization of ['Bearer tb_stranger', null])
      for (const name of ['entityId', 'authentication.entityId'])
        for (const login of [
          {},
          { 'authentication.userId': USER, 'authentication.password': 'wrong' },
          { 'authentication.userId': 'tb_stranger', 'authentication.password': 'tb_stranger' },
        ])
          expect(await answerTo({ ...login, [name]: LEGACY }, authorization)).toEqual(
            await answerTo({ ...login, [name]: UNKNOWN }, authorization),
          );
  });
});

describe('every other entity', () => {
  it('refuses a password without repeating it', async () => {
    const form = {
      'authentication.userId': USER,
      'authentication.password': PASSWORD,
      entityId: 'a'.repeat(32),
    };
    const { status, body } = await send(form, `Bearer ${TOKEN}`);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('authentication.password');
    expect(JSON.stringify(body)).not.toContain(PASSWORD);
  });

  it('is served only by the specification', async () => {
    const named = { ...credentials, 'authentication.entityId': 'a'.repeat(32) };
    expect((await send(named, null)).status).toBe(401);
    const { status, body } = await send({ ...OLDER, entityId: 'a'.repeat(32) }, `Bearer ${TOKEN}`);
    expect(status).toBe(400);
    expect(body.result.parameterErrors.map(({ name }: { name: string }) => name).sort()).toEqual([
      'customer.phone',
      'merchantTransactionId',
      'recurringType',
    ]);
  });
});
