import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ENTITY, NOW_MS, OTHER_ENTITY } from '../../../core/payments/payment-harness.test.support.js';
import { alertId, type NewAlert, raiseAlert } from '../../../kernel/alerts/alert-changes.js';
import { addToken, type HttpHarness, openHttpHarness, TOKEN } from '../http-harness.test.support.js';

const ADMINISTRATOR = 'tb_administrator-token-of-the-tests';
const authorization = `Bearer ${ADMINISTRATOR}`;
const OWN: NewAlert = { code: 'agent-cloned', subject: 'store-1', entityId: ENTITY, detail: 'session 3' };
const ID = alertId('agent-cloned', 'store-1');
const OTHERS: readonly NewAlert[] = [
  { code: 'agent-cloned', subject: 'store-9', entityId: OTHER_ENTITY, detail: '' },
  { code: 'acquirer-silent', subject: 'INTERNAL', detail: '' },
];

let harness: HttpHarness;
beforeEach(async () => {
  harness = await openHttpHarness();
  await addToken(harness.store, ADMINISTRATOR, ['administration']);
  await harness.store.commit([OWN, ...OTHERS].map((alert) => raiseAlert(alert, NOW_MS)));
});
afterEach(() => harness.dispose());

const list = (query = '') => harness.send('GET', `/v1/alerts?${query}`, { authorization });
const acknowledge = (id: string, body = '') =>
  harness.send('POST', `/v1/alerts/${id}/acknowledgement`, { authorization, body });

describe('GET /v1/alerts', () => {
  it('lists what stands about the token’s own stores, and nothing else', async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      result: { code: '000.000.100' },
      alerts: [
        { id: ID, code: 'agent-cloned', severity: 'critical', state: 'open', since: expect.any(String) },
      ],
    });
    expect((await list(`entityId=${OTHER_ENTITY}`)).status).toBe(403);
  });

  it('needs the right to administration', async () => {
    const withoutRight = { authorization: `Bearer ${TOKEN}` };
    expect((await harness.send('GET', '/v1/alerts', withoutRight)).status).toBe(403);
    expect((await harness.send('GET', '/v1/alerts', { authorization: null })).status).toBe(401);
    const post = { ...withoutRight, body: '' };
    expect((await harness.send('POST', `/v1/alerts/${ID}/acknowledgement`, post)).status).toBe(403);
  });

  it('goes page by page through however many there are', async () => {
    const more = Array.from({ length: 1_050 }, (_, at) =>
      raiseAlert({ code: 'message-parked', subject: `store-1/m${at}`, entityId: ENTITY, detail: '' }, NOW_MS),
    );
    await harness.store.commit(more);
    const ids = new Set<string>();
    let next: string | undefined;
    do {
      const { body } = await list(`limit=500${next === undefined ? '' : `&after=${next}`}`);
      const page = body as unknown as { alerts: { id: string }[]; next?: string };
      for (const { id } of page.alerts) ids.add(id);
      next = page.next;
    } while (next !== undefined);
    expect(ids.size).toBe(1_051);
  });

  it.each([
    ['state=gone', 'state'],
    ['limit=0', 'limit'],
    ['limit=501', 'limit'],
    ['after=x', 'after'],
    ['colour=red', 'colour'],
  ])('names what is wrong with %s', async (query, name) => {
    const { status, body } = await list(query);
    expect(status).toBe(400);
    expect(body.result.parameterErrors).toMatchObject([{ name }]);
  });
});

describe('POST /v1/alerts/{id}/acknowledgement', () => {
  it('ends the counting, and records who deals with it', async () => {
    const { status, body } = await acknowledge(ID, 'note=Ann+looks+at+it');
    expect(status).toBe(200);
    expect(body).toMatchObject({ alert: { id: ID, state: 'acknowledged', note: 'Ann looks at it' } });
    const { body: listed } = await list('state=acknowledged');
    expect(listed).toMatchObject({ alerts: [{ id: ID }] });
    expect(await list('state=open')).toMatchObject({ body: { alerts: [] } });
  });

  it('answers for an alert of others as for an unknown one', async () => {
    const unknown = await acknowledge('0'.repeat(32));
    expect(unknown).toMatchObject({ status: 404, body: { result: { code: '700.400.580' } } });
    for (const { code, subject } of OTHERS) {
      const { status, body } = await acknowledge(alertId(code, subject));
      expect({ status, result: body.result }).toEqual({ status: 404, result: unknown.body.result });
      expect(await harness.store.get('alerts', [alertId(code, subject)])).toMatchObject({ state: 'open' });
    }
  });
});
