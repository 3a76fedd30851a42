import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ENGINES,
  ENTITY,
  followUp,
  MASTERCARD_DECLINED,
  OTHER_ENTITY,
  openPaymentHarness,
  type PaymentHarness,
  restPayment,
  storeOf,
} from './payment-harness.test.support.js';

describe.each(ENGINES)('on the %s store', (engine) => {
  let harness: PaymentHarness;
  beforeEach(async () => {
    harness = await openPaymentHarness(storeOf(engine));
  });
  afterEach(() => harness.dispose());

  const APPROVED = '000.100.110';

  describe('REST payments', () => {
    it('authorizes, records and finds a payment, with no card data beyond the trace', async () => {
      const result = await harness.service.authorize(restPayment({ reference: 'order-0001' }));
      expect(result).toMatchObject({
        disposition: 'approved',
        resultCode: APPROVED,
        amount: { minor: 1_234, currency: 'EUR' },
        brand: 'VISA',
        responseCode: '00',
      });
      expect(result.approvalCode).toMatch(/^\w{6}$/);
      const stored = await harness.service.find(result.paymentId ?? '', ENTITY);
      expect(stored).toMatchObject({
        type: 'PA',
        state: 'authorized',
        authorizedMinor: 1_234,
        capturedMinor: 0,
        bin: '420000',
        last4Digits: '0000',
        reference: 'order-0001',
      });
      const [transaction] = await harness.transactions();
      expect(transaction?.acquirerReference).toBe(stored?.acquirerReference);
      expect(JSON.stringify([stored, await harness.store.find('intents', 'state', ['done'])])).not.toContain(
        '4200000000000000',
      );
      expect(await harness.context.vault.open(stored?.vaultId ?? '', ENTITY)).toMatchObject({
        pan: '4200000000000000',
      });
    });

    it('shows a payment to its own entity alone', async () => {
      const { paymentId } = await harness.service.authorize(restPayment());
      expect(await harness.service.find(paymentId ?? '', OTHER_ENTITY)).toBeUndefined();
      const foreign = {
        ...followUp('RV', paymentId),
        origin: { kind: 'rest', entityId: OTHER_ENTITY } as const,
      };
      expect((await harness.service.followUp(foreign)).resultCode).toBe('700.400.530');
      expect((await harness.service.find(paymentId ?? '', ENTITY))?.state).toBe('authorized');
    });

    it('passes a decline on', async () => {
      const card = { number: MASTERCARD_DECLINED, expiryMonth: '12', expiryYear: '2031' };
      const result = await harness.service.authorize(restPayment({ card }));
      expect(result.disposition).toBe('declined');
      expect(result.responseCode).toBe('51');
      expect(await harness.service.find(result.paymentId ?? '', ENTITY)).toMatchObject({
        state: 'declined',
        authorizedMinor: 0,
      });
    });

    it.each([
      ['a wrong check digit', { number: '4200000000000001' }, {}, '100.100.101'],
      ['an expired card', { expiryMonth: '10', expiryYear: '2026' }, {}, '100.100.303'],
      ['a brand that is not the card’s', {}, { brand: 'MASTER' }, '100.100.700'],
      ['an unknown brand', {}, { brand: 'NOBRAND' }, '100.100.501'],
      ['a CVV of the wrong length', { cvv: '1234' }, {}, '100.100.601'],
      ['no amount', {}, { amount: { minor: 0, currency: 'EUR' } }, '100.550.300'],
      ['a link that is not set up', {}, { testMode: 'EXTERNAL' as const }, '600.200.700'],
    ])('refuses %s itself, records it, and sends no request', async (_, card, overrides, code) => {
      const base = restPayment();
      if (!base.card) throw new Error('no card');
      const result = await harness.service.authorize({
        ...base,
        card: { ...base.card, ...card },
        ...overrides,
      });
      expect(result).toMatchObject({ disposition: 'refused', resultCode: code });
      expect(harness.line.sent).toEqual([]);
      expect((await harness.service.find(result.paymentId ?? '', ENTITY))?.state).toBe('declined');
    });

    it('takes a card until the last day of its expiry month', async () => {
      const card = { number: '4200000000000000', expiryMonth: '11', expiryYear: '2026' };
      expect((await harness.service.authorize(restPayment({ card }))).disposition).toBe('approved');
    });
  });

  describe('follow-ups', () => {
    const authorize = async (type: 'PA' | 'DB' | 'CD' = 'PA', numberOfCaptures?: number): Promise<string> => {
      const extra = numberOfCaptures === undefined ? {} : { numberOfCaptures };
      return (await harness.service.authorize(restPayment({ type, ...extra }))).paymentId ?? '';
    };
    const code = async (...args: Parameters<typeof followUp>): Promise<string> =>
      (await harness.service.followUp(followUp(...args))).resultCode;

    it('captures in parts up to what was authorized, and refunds up to what was captured', async () => {
      const id = await authorize();
      expect(await code('CP', id, 1_000)).toBe(APPROVED);
      expect(await code('CP', id, 235)).toBe('700.400.100');
      expect(await code('CP', id, 234)).toBe(APPROVED);
      expect(await code('CP', id, 1)).toBe('700.400.100');
      expect(await code('RF', id, 1_235)).toBe('700.400.200');
      expect(await code('RF', id, 1_234)).toBe(APPROVED);
      expect(await code('RF', id, 1)).toBe('700.400.200');
      expect(await harness.service.find(id, ENTITY)).toMatchObject({
        capturedMinor: 1_234,
        refundedMinor: 1_234,
        captureCount: 2,
      });
      const kinds = (await harness.transactions()).map((one) => `${one.kind} ${one.amount}`);
      expect(kinds).toEqual(['authorization 12.34', 'capture 10.00', 'capture 2.34', 'refund 12.34']);
    });

    it('records a follow-up as a separate payment that points to what it followed', async () => {
      const id = await authorize();
      const result = await harness.service.followUp(followUp('CP', id, 1_000));
      expect(await harness.service.find(result.paymentId ?? '', ENTITY)).toMatchObject({
        type: 'CP',
        state: 'completed',
        referencedId: id,
        rootId: id,
        amountMinor: 1_000,
        last4Digits: null,
      });
    });

    it('never captures more than authorized, however many captures race', async () => {
      const id = await authorize();
      const results = await Promise.all(
        Array.from({ length: 6 }, () => harness.service.followUp(followUp('CP', id, 500))),
      );
      expect(results.filter((one) => one.disposition === 'approved')).toHaveLength(2);
      expect((await harness.service.find(id, ENTITY))?.capturedMinor).toBe(1_000);
      expect((await harness.transactions()).filter((one) => one.kind === 'capture')).toHaveLength(2);
    });

    it('keeps to numberOfCaptures and to the final capture', async () => {
      const limited = await authorize('PA', 1);
      expect(await code('CP', limited, 100)).toBe(APPROVED);
      expect(await code('CP', limited, 100)).toBe('700.400.100');
      const final = await authorize();
      expect(
        (await harness.service.followUp({ ...followUp('CP', final, 100), final: true })).disposition,
      ).toBe('approved');
      expect(await code('CP', final, 100)).toBe('700.400.100');
    });

    it('reverses what is left of a partly captured preauthorization', async () => {
      const id = await authorize();
      await code('CP', id, 1_000);
      const result = await harness.service.followUp(followUp('RV', id));
      expect(result).toMatchObject({ disposition: 'reversed', amount: { minor: 234, currency: 'EUR' } });
      expect(await harness.service.find(id, ENTITY)).toMatchObject({
        state: 'captured',
        capturedMinor: 1_000,
        reversedMinor: 234,
      });
      expect(await code('RV', id)).toBe('700.400.300');
      expect(await code('CP', id, 1)).toBe('700.400.100');
      expect(await code('RF', id, 1_000)).toBe(APPROVED);
    });

    it('reverses a debit once, and refunds nothing of it afterwards', async () => {
      const id = await authorize('DB');
      expect(await code('RV', id)).toBe(APPROVED);
      expect(await code('RV', id)).toBe('700.400.300');
      expect(await code('RF', id, 1)).toBe('700.400.200');
      expect((await harness.transactions())[0]).toMatchObject({ reversed: true });
    });

    it('refunds and reverses a capture by its own id', async () => {
      const id = await authorize();
      const first = (await harness.service.followUp(followUp('CP', id, 400))).paymentId;
      const second = (await harness.service.followUp(followUp('CP', id, 500))).paymentId;
      expect(await code('RF', first, 401)).toBe('700.400.200');
      expect(await code('RF', first, 400)).toBe(APPROVED);
      expect(await code('RV', first)).toBe('700.400.300');
      expect(await code('RV', second)).toBe(APPROVED);
      expect(await harness.service.find(id, ENTITY)).toMatchObject({
        capturedMinor: 400,
        refundedMinor: 400,
      });
      expect(await code('CP', id, 834)).toBe(APPROVED);
    });

    it.each([
      ['CP', 'DB', '700.400.510'],
      ['CP', 'CD', '700.400.510'],
      ['RF', 'PA', '700.300.100'],
      ['RF', 'CD', '700.300.100'],
    ] as const)('refuses %s on an unsuitable %s with %s', async (type, root, expected) => {
      expect(await code(type, await authorize(root), 1_234)).toBe(expected);
    });

    it('refuses other currencies, unequal reversals, refunded reversals and reversals of refunds', async () => {
      const id = await authorize('DB');
      const dollars = { ...followUp('RF', id), amount: { minor: 100, currency: 'USD' } };
      expect((await harness.service.followUp(dollars)).resultCode).toBe('700.100.500');
      expect(await code('RV', id, 1_000)).toBe('100.550.701');
      expect(await code('RV', id, 2_000)).toBe('700.400.300');
      const refund = (await harness.service.followUp(followUp('RF', id, 100))).paymentId;
      expect(await code('RV', id)).toBe('700.400.300');
      expect(await code('RV', refund)).toBe('700.300.100');
    });

    it.each([
      ['CP', '700.400.510'],
      ['RF', '600.200.500'],
      ['RV', '700.400.530'],
    ] as const)('answers %s on an unknown id with %s and its own id', async (type, expected) => {
      const result = await harness.service.followUp(followUp(type, 'f'.repeat(32), 1));
      expect(result).toMatchObject({ disposition: 'refused', resultCode: expected });
      expect(result.paymentId).toMatch(/^[0-9a-f]{32}$/);
    });

    it('refuses to follow what was declined', async () => {
      const card = { number: MASTERCARD_DECLINED, expiryMonth: '12', expiryYear: '2031' };
      const { paymentId } = await harness.service.authorize(restPayment({ card }));
      expect(await code('CP', paymentId, 1)).toBe('700.300.200');
      expect(await code('RV', paymentId)).toBe('700.300.200');
    });
  });
});
