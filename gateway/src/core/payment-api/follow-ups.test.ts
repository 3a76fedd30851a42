import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type AnswerBody,
  CARD,
  type HttpHarness,
  openHttpHarness,
} from '../../app/http/http-harness.test.support.js';
import { ENTITY, OTHER_ENTITY } from '../payments/payment-harness.test.support.js';

let harness: HttpHarness;
beforeEach(async () => {
  harness = await openHttpHarness();
});
afterEach(() => harness.dispose());

const names = (body: AnswerBody): string[] => body.result.parameterErrors.map((error) => error.name).sort();

describe('/v1/payments/{id}', () => {
  it('captures, refunds and reads back', async () => {
    const payment = (await harness.post('/v1/payments', CARD)).body.id;
    const capture = await harness.post(`/v1/payments/${payment}`, {
      paymentType: 'CP',
      amount: '12.33',
      currency: 'EUR',
    });
    expect(capture).toMatchObject({ status: 200, body: { paymentType: 'CP', amount: '12.33' } });
    expect(capture.body).not.toHaveProperty('card');
    expect(capture.body).not.toHaveProperty('paymentBrand');
    const refund = await harness.post(`/v1/payments/${capture.body.id}`, {
      paymentType: 'RF',
      amount: '12.34',
      currency: 'EUR',
    });
    expect(refund).toMatchObject({ status: 400, body: { result: { code: '700.400.200' } } });
    expect((await harness.get(`/v1/payments/${refund.body.id}`)).body.result.code).toBe('700.400.200');
  });

  it('reverses with no amount and no currency, and with an empty amount for an older client', async () => {
    const [first, second] = [
      await harness.post('/v1/payments', CARD),
      await harness.post('/v1/payments', CARD),
    ];
    expect((await harness.post(`/v1/payments/${first.body.id}`, { paymentType: 'RV' })).status).toBe(200);
    const path = `/v1/payments/${second.body.id}`;
    expect((await harness.post(path, { paymentType: 'RV', amount: '' })).status).toBe(400);
    const entity = await harness.store.get('entities', [ENTITY]);
    if (!entity) throw new Error('no entity');
    const row = { ...entity, compatibility: 'legacy' } as const;
    await harness.store.commit([{ op: 'update', table: 'entities', row }]);
    const reversal = await harness.post(path, { paymentType: 'RV', amount: '' });
    expect(reversal).toMatchObject({
      status: 200,
      body: { amount: '12.34', result: { code: '000.100.110' } },
    });
  });

  it('answers follow-ups on unknown ids with 400 and their codes', async () => {
    const unknown = `/v1/payments/${'0'.repeat(32)}`;
    const capture = await harness.post(unknown, { paymentType: 'CP', amount: '1.00', currency: 'EUR' });
    expect(capture).toMatchObject({
      status: 400,
      body: {
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        result: { description: 'capture needs at least one successful transaction of type (PA)' },
      },
    });
    const reversal = await harness.post(unknown, { paymentType: 'RV' });
    expect(reversal.body.result.description).toContain('reversal needs at least one successful transaction');
    const refund = await harness.post(unknown, { paymentType: 'RF', amount: '1.00', currency: 'EUR' });
    expect(refund.body.result.description).toContain('Invalid payment data');
  });

  it('authorizes more by path, and wants to know under which practice', async () => {
    const payment = (await harness.post('/v1/payments', CARD)).body.id;
    const more = { paymentType: 'PA', amount: '1.00', currency: 'EUR' };
    const practice = 'standingInstruction.industryPractice';
    const refused = await harness.post(`/v1/payments/${payment}`, more);
    expect(names(refused.body)).toEqual([practice]);
    const form = { ...more, [practice]: 'INCREMENTAL_AUTH', paymentBrand: 'VISA' };
    const { status, body } = await harness.post(`/v1/payments/${payment}`, form);
    expect(status).toBe(200);
    expect(body).toMatchObject({ paymentType: 'PA', amount: '1.00' });
    expect((await harness.service.find(body.id, ENTITY))?.referencedId).toBe(payment);
    const capture = { paymentType: 'CP', amount: '13.34', currency: 'EUR' };
    expect((await harness.post(`/v1/payments/${payment}`, capture)).status).toBe(200);
    const other = await harness.post(`/v1/payments/${payment}`, { ...capture, paymentBrand: 'MASTER' });
    expect(other.body.result.code).toBe('700.100.400');
  });

  it.each([
    ['CP', '12.34'],
    ['RV', undefined],
  ] as const)(
    'keeps the outcome of a %s to itself as long as a test wants, and moves the money once',
    async (paymentType, amount) => {
      const payment = (await harness.post('/v1/payments', CARD)).body.id;
      const form = { paymentType, ...(amount && { amount, currency: 'EUR' }) };
      const followUp = await harness.post(`/v1/payments/${payment}`, {
        ...form,
        'customParameters[unknownForSeconds]': '30',
      });
      expect(followUp).toMatchObject({ status: 200, body: { paymentType, result: { code: '000.200.001' } } });
      expect((await harness.get(`/v1/payments/${followUp.body.id}`)).body.result.code).toBe('000.200.001');
      await harness.clock.advance(31_000);
      const later = (await harness.get(`/v1/payments/${followUp.body.id}`)).body;
      expect(later).toMatchObject({ paymentType, result: { code: '000.100.110' } });
      const again = await harness.post(`/v1/payments/${payment}`, form);
      expect(again.status).toBe(400);
      const kinds = (await harness.transactions()).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind !== 'authorization')).toHaveLength(1);
    },
  );

  it('takes a PA on a referenceUuid that names no practice for a reauthorization: the earlier one stays as it is', async () => {
    const first = (await harness.post('/v1/payments', CARD)).body.id;
    const form = { paymentType: 'PA', amount: '7.00', currency: 'EUR', referenceUuid: first };
    const { status, body } = await harness.post('/v1/payments', form);
    expect(status).toBe(200);
    expect(body).toMatchObject({ paymentType: 'PA', amount: '7.00' });
    expect(await harness.service.find(body.id, ENTITY)).toMatchObject({
      type: 'PA',
      referencedId: first,
      rootId: null,
    });
    const capture = { paymentType: 'CP', amount: '12.35', currency: 'EUR' };
    const above = await harness.post(`/v1/payments/${first}`, capture);
    expect(above.body.result.code).toBe('700.400.100');
    expect((await harness.post(`/v1/payments/${first}`, { ...capture, amount: '12.34' })).status).toBe(200);
    expect((await harness.post(`/v1/payments/${body.id}`, { ...capture, amount: '7.00' })).status).toBe(200);
  });

  it('takes the earlier payment from referenceUuid where no card is sent', async () => {
    const { paymentBrand: _, ...debit } = { ...CARD, paymentType: 'DB' };
    const first = (await harness.post('/v1/payments', debit)).body.id;
    const form = { paymentType: 'DB', amount: '7.00', currency: 'EUR', referenceUuid: first };
    const { status, body } = await harness.post('/v1/payments', form);
    expect(status).toBe(200);
    expect(body).toMatchObject({ paymentType: 'RB', card: { last4Digits: '0000' } });
    // Spec 2: referencedId stands in notifications alone.
    expect(body).not.toHaveProperty('referencedId');
    expect((await harness.service.find(body.id, ENTITY))?.referencedId).toBe(first);
    const again = await harness.post('/v1/payments', { ...debit, referenceUuid: first });
    expect(again.body).toMatchObject({ paymentType: 'DB', result: { code: '000.100.110' } });
    expect((await harness.service.find(again.body.id, ENTITY))?.referencedId).toBe(first);
    for (const sent of [form, debit]) {
      const unknown = await harness.post('/v1/payments', { ...sent, referenceUuid: '0'.repeat(32) });
      expect(unknown).toMatchObject({ status: 400, body: { result: { code: '200.300.404' } } });
      expect(names(unknown.body)).toEqual(['referenceUuid']);
      expect(unknown.body).not.toHaveProperty('id');
    }
  });

  it('wants an amount for a capture', async () => {
    const { body } = await harness.post(`/v1/payments/${'0'.repeat(32)}`, { paymentType: 'CP' });
    expect(names(body)).toEqual(['amount', 'currency']);
  });

  it('does not find what is unknown or another entity’s', async () => {
    const unknown = await harness.get(`/v1/payments/${'0'.repeat(32)}`);
    expect(unknown).toMatchObject({ status: 404, body: { result: { code: '700.400.580' } } });
    const { paymentId } = await harness.service.authorize({
      origin: { kind: 'rest', entityId: OTHER_ENTITY },
      type: 'DB',
      amount: { minor: 100, currency: 'EUR' },
      card: { number: CARD['card.number'], expiryMonth: '12', expiryYear: '2031' },
    });
    expect((await harness.get(`/v1/payments/${paymentId}`)).status).toBe(404);
    expect((await harness.get(`/v1/payments/${paymentId}?entityId=${OTHER_ENTITY}`)).status).toBe(403);
    const reversal = await harness.post(`/v1/payments/${paymentId}`, { paymentType: 'RV' });
    expect(reversal).toMatchObject({ status: 400, body: { result: { code: '700.400.530' } } });
    const foreign = await harness.post('/v1/payments', { ...CARD, entityId: OTHER_ENTITY });
    expect(foreign).toMatchObject({ status: 403, body: { result: { code: '800.900.301' } } });
  });
});
