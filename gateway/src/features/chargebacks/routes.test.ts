import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  addToken,
  CARD,
  type HttpHarness,
  openHttpHarness,
} from '../../app/http/http-harness.test.support.js';
import { eventsOfPayment } from '../../core/payments/events/stored-events.test.support.js';
import { overTime } from '../../core/payments/harness-clock.test.support.js';
import { ENTITY, OTHER_ENTITY } from '../../core/payments/payment-harness.test.support.js';

const OPERATOR = 'tb_operator-token-of-the-tests';
const STRANGER = 'tb_stranger-token-of-the-tests';

let harness: HttpHarness;
beforeEach(async () => {
  harness = await openHttpHarness();
  await addToken(harness.store, OPERATOR, ['administration']);
  await addToken(harness.store, STRANGER, ['administration'], {
    entityId: OTHER_ENTITY,
    merchantId: OTHER_ENTITY,
  });
});
afterEach(() => harness.dispose());

type Form = Readonly<Record<string, string>>;
const step = (path: string, form: Form = {}, token = OPERATOR) =>
  harness.send('POST', path, {
    authorization: `Bearer ${token}`,
    body: new URLSearchParams(form).toString(),
  });
const chargeBack = (id: string, form: Form = {}, token?: string) =>
  step(`/v1/payments/${id}/chargeback`, form, token);
const giveBack = (id: string) => step(`/v1/payments/${id}/chargebackReversal`);
const pay = async (form: Form = {}) =>
  (await harness.post('/v1/payments', { ...CARD, paymentType: 'DB', ...form })).body;
const follow = async (id: string, paymentType: string, amount?: string) => {
  const money = amount === undefined ? {} : { amount, currency: 'EUR' };
  return (await harness.post(`/v1/payments/${id}`, { paymentType, ...money })).body;
};
const codeOf = async (answer: Promise<{ readonly result: { readonly code: string } }>) =>
  (await answer).result.code;

describe('a chargeback', () => {
  it('is a separate payment that refers to the original, with its reason and an event', async () => {
    const { id } = await pay();
    const { status, body } = await chargeBack(id, { reason: '13.1' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      paymentType: 'CB',
      amount: '12.34',
      currency: 'EUR',
      result: { code: '000.100.221' },
    });
    const [event] = await eventsOfPayment(harness.store, body.id);
    expect(JSON.parse(event?.payload ?? '')).toMatchObject({ paymentType: 'CB', referencedId: id });
    const { records } = (
      await harness.get(`/v3/query/${id}?entityId=${ENTITY}&includeLinkedTransactions=true`)
    ).body;
    expect(new Set(records.map((record) => record.id))).toEqual(new Set([id, body.id]));
  });

  it('leaves for refunds what it has not taken, and for reversals nothing', async () => {
    const { id } = await pay({ amount: '10.00' });
    await follow(id, 'RF', '1.00');
    await chargeBack(id, { amount: '6.00' });
    expect(await codeOf(follow(id, 'RV'))).toBe('700.300.600');
    expect(await codeOf(follow(id, 'RF', '3.01'))).toBe('700.300.600');
    expect(await codeOf(follow(id, 'RF', '9.01'))).toBe('700.400.200');
    expect(await codeOf(follow(id, 'RF', '3.00'))).toBe('000.100.110');
  });

  it.each([
    ['of more than is left', async (id: string) => chargeBack(id, { amount: '12.35' })],
    ['of nothing', async (id: string) => chargeBack(id, { amount: '0.00' })],
    ['of a chargeback', async (id: string) => chargeBack((await chargeBack(id)).body.id)],
    ['of what was charged back', async (id: string) => [await chargeBack(id), await chargeBack(id)].at(-1)],
    [
      'of what was reversed',
      async (id: string) => {
        await follow(id, 'RV');
        return chargeBack(id);
      },
    ],
  ])('%s is refused', async (_name, work) => {
    const answer = await work((await pay()).id);
    expect([answer?.status, answer?.body.result.code]).toEqual([400, '700.400.402']);
  });

  it('waits for a refund that runs, and is answered as it stands', async () => {
    const { id } = await pay();
    const sent = harness.line.sent.length;
    let release = (): void => undefined;
    harness.line.gate = new Promise((resolve) => {
      release = resolve;
    });
    const refund = follow(id, 'RF', '12.34');
    await expect.poll(() => harness.line.sent.length).toBe(sent + 1);
    const taken = chargeBack(id);
    await expect
      .poll(async () => (await harness.record.transactions()).some(({ kind }) => kind === 'chargeback'))
      .toBe(true);
    release();
    expect(await codeOf(refund)).toBe('800.100.174');
    expect((await overTime(harness.clock, taken)).status).toBe(200);
  });

  it('of a capture takes from the capture and from its preauthorization', async () => {
    const { id } = await pay({ paymentType: 'PA', amount: '10.00' });
    const [first, second] = [await follow(id, 'CP', '4.00'), await follow(id, 'CP', '6.00')];
    const { body } = await chargeBack(first.id);
    expect(body.amount).toBe('4.00');
    expect(await harness.store.get('payments', [body.id])).toMatchObject({
      referencedId: first.id,
      rootId: id,
    });
    expect(await codeOf(follow(first.id, 'RV'))).toBe('700.300.600');
    expect(await codeOf(follow(first.id, 'RF', '0.01'))).toBe('700.300.600');
    expect(await codeOf(follow(second.id, 'RF', '6.00'))).toBe('000.100.110');
    expect(await codeOf(follow(id, 'RF', '0.01'))).toBe('700.300.600');
  });

  it('of another merchant’s payment is that of an unknown one', async () => {
    const { id } = await pay();
    const foreign = await chargeBack(id, {}, STRANGER);
    const unknown = await chargeBack('0'.repeat(32), {}, STRANGER);
    expect([foreign.status, foreign.body.result]).toEqual([unknown.status, unknown.body.result]);
    expect(foreign.status).toBe(404);
  });

  it('needs a reason of the list', async () => {
    const { id } = await pay();
    const { status, body } = await chargeBack(id, { reason: '99.9' });
    expect([status, body.result.parameterErrors[0]?.name]).toEqual([400, 'reason']);
  });
});

describe('the reversal of a chargeback', () => {
  it('is a separate payment, and the money can be refunded again', async () => {
    const { id } = await pay();
    const chargeback = (await chargeBack(id)).body;
    expect(await codeOf(follow(id, 'RF', '12.34'))).toBe('700.300.600');
    const { status, body } = await giveBack(chargeback.id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ paymentType: 'CR', amount: '12.34', result: { code: '000.100.110' } });
    expect(await harness.store.get('payments', [body.id])).toMatchObject({
      referencedId: chargeback.id,
      rootId: id,
    });
    expect(await codeOf(follow(id, 'RF', '12.34'))).toBe('000.100.110');
  });

  it('comes once, and only of a chargeback', async () => {
    const { id } = await pay();
    expect((await giveBack(id)).body.result.code).toBe('700.400.402');
    const chargeback = (await chargeBack(id)).body;
    await giveBack(chargeback.id);
    expect((await giveBack(chargeback.id)).body.result.code).toBe('700.400.402');
    expect((await chargeBack(id)).status).toBe(200);
  });
});
