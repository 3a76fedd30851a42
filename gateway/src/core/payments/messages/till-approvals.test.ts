import { TEST_CARDS } from '@tillbridge/wire/payment/test-cards.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  AGENT,
  ENGINES,
  ENTITY,
  message,
  openPaymentHarness,
  type PaymentHarness,
  storeOf,
  tillReversal,
  tillSale,
} from '../payment-harness.test.support.js';
import type { PaymentRequest } from '../rules/requests.js';
import { verificationResultsOf } from '../rules/verification-results.js';

const typed = (number: string) => ({ number, expiryMonth: '12', expiryYear: '2031' });
const PARTIAL = typed(TEST_CARDS.visaPartial.pan);
const REFERRAL = typed(TEST_CARDS.visaReferral.pan);

/** The code of a call for the sale that was sent as `originalMessageId`. */
function voiceSale(
  messageId: string,
  originalMessageId: string,
  more: Partial<PaymentRequest> & { readonly code?: string } = {},
): PaymentRequest {
  const { code: approvalCode = 'AB12', ...rest } = more;
  const { card: _card, ...sale } = tillSale(messageId, 'R-1', { origin: message(messageId, 1) });
  return { ...sale, voice: { approvalCode, originalMessageId }, ...rest };
}

describe.each(ENGINES)('on the %s store', (engine) => {
  let harness: PaymentHarness;
  beforeEach(async () => {
    harness = await openPaymentHarness(storeOf(engine));
  });
  afterEach(() => harness.dispose());

  const standing = async () =>
    (await harness.transactions()).filter(
      (one) => one.kind === 'authorization' && one.approved && !one.reversed,
    );

  describe('a sale with tip and cash back', () => {
    const [tip, cashBack] = [
      { minor: 100, currency: 'EUR' },
      { minor: 500, currency: 'EUR' },
    ];
    const allow = (policy: object) => {
      const row = {
        entityId: ENTITY,
        policy: JSON.stringify({ version: 1, ...policy }),
        updatedAtMs: 1,
        version: 1,
      };
      return harness.store.commit([{ op: 'insert', table: 'storePolicies', row }]);
    };

    it('keeps both with the payment, and reports the cash to the till, the same again after a restart', async () => {
      await allow({ maxTipPercent: 20, cashBack: { EUR: 500 } });
      const sale = tillSale('m1', 'R-1', { tip, cashBack });
      const result = await harness.service.authorize(sale);
      expect(result).toMatchObject({ disposition: 'approved', cashBack });
      const payment = await harness.store.get('payments', [result.paymentId ?? '']);
      expect(payment && verificationResultsOf(payment).acquirerDetails).toMatchObject({
        TipAmount: '1.00 EUR',
        CashBackAmount: '5.00 EUR',
      });
      harness.restart();
      expect(await harness.service.authorize(sale)).toEqual(result);
    });

    it('is refused where the policy of the store does not allow it', async () => {
      const sale = tillSale('m1', 'R-1', { cashBack });
      expect(await harness.service.authorize(sale)).toMatchObject({
        disposition: 'refused',
        resultCode: '600.200.202',
      });
      expect(await standing()).toEqual([]);
    });
  });

  describe('an approval of a part', () => {
    const sale = tillSale('m1', 'R-1', { card: PARTIAL, partialAllowed: true });

    it('is recorded and answered as the part, the same again after a restart', async () => {
      const result = await harness.service.authorize(sale);
      expect(result).toMatchObject({
        disposition: 'approved',
        resultCode: '000.400.040',
        responseCode: '10',
        amount: { minor: 617, currency: 'EUR' },
      });
      harness.restart();
      expect(await harness.service.authorize(sale)).toEqual(result);
      expect(await standing()).toMatchObject([{ amount: '6.17' }]);
    });

    it('is reversed by its own amount', async () => {
      await harness.service.authorize(sale);
      const reversed = await harness.service.followUp(tillReversal('m2', 'm1'));
      expect(reversed).toMatchObject({ disposition: 'reversed', amount: { minor: 617, currency: 'EUR' } });
      expect(await standing()).toEqual([]);
    });

    it('bounds the captures of a preauthorization', async () => {
      await harness.service.authorize({ ...sale, type: 'PA' });
      const capture = (messageId: string, sequence: number, minor: number) =>
        harness.service.followUp({
          origin: message(messageId, sequence),
          type: 'CP',
          target: { by: 'message', messageId: 'm1' },
          amount: { minor, currency: 'EUR' },
        });
      expect(await capture('c1', 1, 600)).toMatchObject({ disposition: 'approved' });
      expect(await capture('c2', 2, 18)).toMatchObject({ disposition: 'refused', resultCode: '700.400.100' });
      expect(await capture('c3', 3, 17)).toMatchObject({ disposition: 'approved' });
    });

    it('is a decline where the till does not take one', async () => {
      const result = await harness.service.authorize(tillSale('m1', 'R-1', { card: PARTIAL }));
      expect(result).toMatchObject({ disposition: 'declined', responseCode: '51' });
    });
  });

  describe('a referral', () => {
    beforeEach(async () => {
      const result = await harness.service.authorize(tillSale('m1', 'R-1', { card: REFERRAL }));
      expect(result).toMatchObject({
        disposition: 'declined',
        resultCode: '800.100.200',
        responseCode: '01',
      });
    });

    it('is approved by the code of a call, with the card that the gateway kept', async () => {
      const voice = voiceSale('m2', 'm1');
      const result = await harness.service.authorize(voice);
      expect(result).toMatchObject({ disposition: 'approved', approvalCode: 'AB12', brand: 'VISA' });
      harness.restart();
      expect(await harness.service.authorize(voice)).toEqual(result);
      expect(await standing()).toMatchObject([{ messageId: 'm2', amount: '12.34', last4Digits: '0158' }]);
      expect((await harness.store.get('streams', [AGENT, '1']))?.nextSequence).toBe(2);
      expect((await harness.service.followUp(tillReversal('m3', 'm2', 2))).disposition).toBe('reversed');
      expect(await standing()).toEqual([]);
    });

    it('is sold once, however often codes are sent', async () => {
      expect((await harness.service.authorize(voiceSale('m2', 'm1'))).disposition).toBe('approved');
      const second = voiceSale('m3', 'm1', { origin: message('m3', 2) });
      expect(await harness.service.authorize(second)).toMatchObject({
        disposition: 'refused',
        resultCode: '200.200.106',
      });
      expect(await standing()).toHaveLength(1);
    });

    it('stays declined with a code that the issuer has not given', async () => {
      const result = await harness.service.authorize(voiceSale('m2', 'm1', { code: '000000' }));
      expect(result).toMatchObject({ disposition: 'declined', responseCode: '05' });
      expect(await standing()).toEqual([]);
    });

    it.each([
      ['another amount', { amount: { minor: 1_235, currency: 'EUR' } }],
      ['another currency', { amount: { minor: 1_234, currency: 'USD' } }],
      ['another type', { type: 'PA' }],
      ['another reference', { reference: 'R-2' }],
      ['another original', { voice: { approvalCode: 'AB12', originalMessageId: 'm9' } }],
    ] as const)('takes no code for %s', async (_what, more) => {
      expect(await harness.service.authorize(voiceSale('m2', 'm1', more))).toMatchObject({
        resultCode: '700.300.100',
      });
      expect(await standing()).toEqual([]);
    });

    it('takes no code for a sale that was not referred', async () => {
      await harness.service.authorize(tillSale('m3', 'R-1', { card: PARTIAL }));
      expect(await harness.service.authorize(voiceSale('m2', 'm3'))).toMatchObject({
        resultCode: '700.300.100',
      });
    });
  });
});
