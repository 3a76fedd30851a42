import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  addToken,
  type HttpHarness,
  openHttpHarness,
  TOKEN,
} from '../../app/http/http-harness.test.support.js';
import { insertStandIn } from '../../core/acquirers/iso8583/testing/stand-in-row.js';
import { ENTITY, OTHER_ENTITY } from '../../core/payments/payment-harness.test.support.js';

const ADMINISTRATOR = 'tb_administrator-token-of-the-tests';
const authorization = `Bearer ${ADMINISTRATOR}`;
const idOf = (at: number) => at.toString(16).padStart(32, '0');

let harness: HttpHarness;
beforeEach(async () => {
  harness = await openHttpHarness();
  await addToken(harness.store, ADMINISTRATOR, ['administration']);
  const [own, others] = [ENTITY, OTHER_ENTITY].map((entityId) => ({ entityId, paymentId: 'p'.repeat(32) }));
  if (!own || !others) throw new Error('no owners');
  await insertStandIn(harness.store, own, { reference: idOf(1), sequence: 1 });
  const answer = {
    kind: 'financial',
    ...{ isAdvice: true, isResponse: true, isRepeat: false, stan: '000002' },
    ...{ at: '20261123072200', responseCode: '51' },
  } as const;
  await insertStandIn(harness.store, own, { reference: idOf(2), sequence: 2, state: 'answered', answer });
  await insertStandIn(harness.store, own, { reference: idOf(3), sequence: 3, state: 'reversed' });
  await insertStandIn(harness.store, others, { reference: idOf(4), sequence: 4 });
});
afterEach(() => harness.dispose());

const list = (query = '') => harness.send('GET', `/v1/standIns?${query}`, { authorization });
const idsOf = ({ body }: Awaited<ReturnType<typeof list>>) =>
  (body as unknown as { standIns: { id: string }[] }).standIns.map(({ id }) => id);

describe('GET /v1/standIns', () => {
  it('lists the merchant’s own, with what became of their advices, and nothing of the card', async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      result: { code: '000.000.100' },
      standIns: [
        {
          ...{ id: idOf(1), entityId: ENTITY, paymentId: 'p'.repeat(32), acquirer: 'EXTERNAL' },
          ...{ amount: '12.34', currency: 'EUR', approvalCode: '000001', terminalId: 'T1' },
          approvedAt: '1970-01-01T00:00:01.000Z',
          ...{ advice: 'waiting', attempts: 0, nextAttemptAt: '1970-01-01T00:00:05.000Z' },
        },
        { id: idOf(2), advice: 'declined', responseCode: '51' },
        { id: idOf(3), advice: 'reversed' },
      ],
    });
    expect(JSON.stringify(body)).not.toContain('fingerprint');
    expect((await list(`entityId=${OTHER_ENTITY}`)).status).toBe(403);
  });

  it('lists those of a state, and goes page by page', async () => {
    expect(idsOf(await list('state=waiting'))).toEqual([idOf(1)]);
    expect(idsOf(await list('state=answered'))).toEqual([idOf(2)]);
    expect(idsOf(await list('state=reversed'))).toEqual([idOf(3)]);
    const first = await list('limit=2');
    expect(idsOf(first)).toEqual([idOf(1), idOf(2)]);
    expect(first.body).toMatchObject({ next: idOf(2) });
    expect(idsOf(await list(`limit=2&after=${idOf(2)}`))).toEqual([idOf(3)]);
  });

  it('needs the right to administration', async () => {
    expect((await harness.send('GET', '/v1/standIns', { authorization: `Bearer ${TOKEN}` })).status).toBe(
      403,
    );
    expect((await harness.send('GET', '/v1/standIns', { authorization: null })).status).toBe(401);
  });

  it.each([
    ['state=gone', 'state'],
    ['limit=501', 'limit'],
    ['after=x', 'after'],
    ['colour=red', 'colour'],
  ])('names what is wrong with %s', async (query, name) => {
    const { status, body } = await list(query);
    expect(status).toBe(400);
    expect(body.result.parameterErrors).toMatchObject([{ name }]);
  });
});
