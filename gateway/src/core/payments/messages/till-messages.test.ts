import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  encipheredPin,
  encipheredTrack2,
  exampleIccData,
  magstripeWithoutPin,
  nextKsn,
  track2Of,
} from '../../../security/module/card-example.test.support.js';
import { eventsOfPayment } from '../events/stored-events.test.support.js';
import { overTime } from '../harness-clock.test.support.js';
import {
  AGENT,
  ENGINES,
  MASTERCARD_DECLINED,
  message,
  NOW_MS,
  openPaymentHarness,
  type PaymentHarness,
  restPayment,
  storeOf,
  tillReversal,
  tillSale,
  VISA,
} from '../payment-harness.test.support.js';
import { StaleSessionError } from '../rules/requests.js';

describe.each(ENGINES)('on the %s store', (engine) => {
  let harness: PaymentHarness;
  beforeEach(async () => {
    harness = await openPaymentHarness(storeOf(engine));
  });
  afterEach(() => harness.dispose());

  const standing = async () => (await harness.transactions()).filter((one) => one.approved && !one.reversed);
  const declinedCard = { number: MASTERCARD_DECLINED, expiryMonth: '12', expiryYear: '2031' };

  describe('a till’s sale', () => {
    it('gives the same message the same answer, running or stored', async () => {
      const sale = tillSale('m1', 'R-1');
      const [first, second] = await Promise.all([
        harness.service.authorize(sale),
        harness.service.authorize(sale),
      ]);
      expect(second).toEqual(first);
      harness.restart();
      expect(await harness.service.authorize(sale)).toEqual(first);
      expect(harness.line.sent).toHaveLength(1);
      expect(await harness.service.status(AGENT, 'm1')).toEqual({ state: 'answered', result: first });
    });

    it('lets a reference be sold once, also when two messages race for it', async () => {
      const results = await Promise.all(
        ['m1', 'm2', 'm3'].map((id) => harness.service.authorize(tillSale(id, 'R-1'))),
      );
      expect(results.map((one) => one.disposition).sort()).toEqual(['approved', 'refused', 'refused']);
      expect(results.find((one) => one.disposition === 'refused')?.resultCode).toBe('200.200.106');
      expect(await standing()).toHaveLength(1);
    });

    it('frees the reference with a decline and with a reversal, not with a refund', async () => {
      expect(
        (await harness.service.authorize(tillSale('m1', 'R-1', { card: declinedCard }))).disposition,
      ).toBe('declined');
      expect((await harness.service.authorize(tillSale('m2', 'R-1'))).disposition).toBe('approved');
      expect((await harness.service.followUp(tillReversal('m3', 'm2'))).disposition).toBe('reversed');
      const third = await harness.service.authorize(tillSale('m4', 'R-1'));
      expect(third.disposition).toBe('approved');
      await harness.service.followUp({ ...tillReversal('m5', 'm4', 2), type: 'RF' });
      expect((await harness.service.authorize(tillSale('m6', 'R-1'))).disposition).toBe('refused');
    });

    it('deciphers account data, checks the cryptogram and gives the card its answer', async () => {
      const pos = {
        terminalId: '1',
        entryMode: 'ICC',
        deviceType: 'GERTEC_PPC930',
        panSequenceNumber: '01',
        iccData: exampleIccData({ scheme: 'visa', pan: VISA }),
        sred: encipheredTrack2(track2Of(VISA, '1234')),
        pin: encipheredPin(VISA, '1234'),
      };
      const { card: _card, ...sale } = tillSale('m1', 'R-1', { pos });
      const result = await harness.service.authorize(sale);
      expect(result).toMatchObject({ disposition: 'approved', responseCode: '00', brand: 'VISA' });
      expect(Buffer.from(result.iccDataResponse ?? []).toString('hex')).toMatch(/^91/);
      expect(await harness.service.authorize(sale)).toEqual(result);
      const iccData = exampleIccData({ scheme: 'visa', pan: VISA, atc: '0043' });
      const sred = encipheredTrack2(track2Of(VISA, '1234'));
      const wrongPin = { ...pos, iccData, sred, pin: encipheredPin(VISA, '4321') };
      const { card: _typed, ...second } = tillSale('m2', 'R-2', { pos: wrongPin });
      expect(await harness.service.authorize(second)).toMatchObject({
        disposition: 'declined',
        responseCode: '55',
      });
    });

    it('refuses account data that cannot be read, and goes on', async () => {
      const sred = encipheredTrack2(magstripeWithoutPin(VISA));
      const pos = { terminalId: '1', entryMode: 'MAGSTRIPE', deviceType: 'GERTEC_PPC930', sred };
      const { card: _card, ...sale } = tillSale('m1', 'R-1', {
        pos: { ...pos, sred: { ksn: nextKsn(), data: Buffer.alloc(24) } },
      });
      expect(await overTime(harness.clock, harness.service.authorize(sale))).toMatchObject({
        disposition: 'refused',
        responseCode: '30',
      });
      expect(harness.line.sent).toEqual([]);
      const { card: _typed, ...good } = tillSale('m2', 'R-1', { pos });
      expect((await harness.service.authorize(good)).disposition).toBe('approved');
    });

    it('writes nothing for a session that has been superseded', async () => {
      const sale = tillSale('m1', 'R-1', { origin: message('m1', 0, 0) });
      await expect(harness.service.authorize(sale)).rejects.toBeInstanceOf(StaleSessionError);
      expect(harness.line.sent).toEqual([]);
      expect(await harness.service.status(AGENT, 'm1')).toEqual({ state: 'not-seen' });
    });
  });

  describe('a till’s reversal', () => {
    it('reverses a sale once and answers the same again', async () => {
      await harness.service.authorize(tillSale('m1', 'R-1'));
      const reversal = tillReversal('m2', 'm1');
      const result = await harness.service.followUp(reversal);
      expect(result).toMatchObject({ disposition: 'reversed', amount: { minor: 1_234, currency: 'EUR' } });
      harness.restart();
      expect(await harness.service.followUp(reversal)).toEqual(result);
      expect(await standing()).toEqual(
        (await harness.transactions()).filter((one) => one.kind === 'reversal'),
      );
      expect((await harness.service.followUp(tillReversal('m3', 'm1', 2))).disposition).toBe('reversed');
      expect((await harness.transactions()).filter((one) => one.kind === 'reversal')).toHaveLength(1);
    });

    it('moves its terminal’s stream with its answer', async () => {
      await harness.service.authorize(tillSale('m1', 'R-1'));
      await harness.service.followUp(tillReversal('m2', 'm1', 7));
      expect((await harness.store.get('streams', [AGENT, '1']))?.nextSequence).toBe(8);
    });

    it('waits for an original that is still running', async () => {
      let open: () => void = () => undefined;
      harness.line.gate = new Promise((resolve) => {
        open = resolve;
      });
      const reached = new Promise<void>((resolve) => {
        harness.line.onSend = resolve;
      });
      const sale = harness.service.authorize(tillSale('m1', 'R-1'));
      expect(await harness.service.status(AGENT, 'm1')).toEqual({ state: 'in-progress' });
      await reached;
      const reversal = harness.service.followUp(tillReversal('m2', 'm1'));
      open();
      expect((await sale).disposition).toBe('approved');
      expect((await reversal).disposition).toBe('reversed');
      expect((await harness.transactions())[0]).toMatchObject({ kind: 'authorization', reversed: true });
    });

    it('keeps a late original from ever moving money', async () => {
      const result = await harness.service.followUp(tillReversal('m2', 'm1'));
      expect(result.disposition).toBe('nothing-to-reverse');
      expect(await harness.service.status(AGENT, 'm1')).toEqual({ state: 'tombstoned' });
      const late = await harness.service.authorize(tillSale('m1', 'R-1'));
      expect(late).toMatchObject({ disposition: 'refused', resultCode: '700.300.300' });
      expect(await harness.service.authorize(tillSale('m1', 'R-1'))).toEqual(late);
      expect(await harness.transactions()).toEqual([]);
    });

    it('lets either the original or its reversal win when both come at once', async () => {
      for (let round = 0; round < 10; round += 1) {
        const [sale, reversal] = await Promise.all([
          harness.service.authorize(tillSale(`s${round}`, `R-${round}`)),
          harness.service.followUp(tillReversal(`r${round}`, `s${round}`, round + 1)),
        ]);
        const reversed = reversal.disposition === 'reversed' && sale.disposition === 'approved';
        const prevented = reversal.disposition === 'nothing-to-reverse' && sale.disposition === 'refused';
        expect(reversed || prevented).toBe(true);
      }
      expect((await standing()).filter((one) => one.kind === 'authorization')).toEqual([]);
    });

    it('has nothing to reverse where the original was declined or refused', async () => {
      await harness.service.authorize(tillSale('m1', 'R-1', { card: declinedCard }));
      expect((await harness.service.followUp(tillReversal('m2', 'm1'))).disposition).toBe(
        'nothing-to-reverse',
      );
      await harness.service.authorize(tillSale('m3', 'R-2'));
      await harness.service.authorize(tillSale('m4', 'R-2'));
      expect((await harness.service.followUp(tillReversal('m5', 'm4', 2))).disposition).toBe(
        'nothing-to-reverse',
      );
      expect(await standing()).toHaveLength(1);
    });

    it('takes back a refund whose answer the till never got', async () => {
      await harness.service.authorize(tillSale('m1', 'R-1'));
      const refund = { ...tillReversal('m2', 'm1', 0), type: 'RF' as const };
      expect((await harness.service.followUp(refund)).disposition).toBe('approved');
      expect((await harness.service.followUp(tillReversal('m3', 'm2'))).disposition).toBe('reversed');
      const payments = await harness.store.find('payments', 'message', [AGENT, 'm1']);
      expect(payments[0]).toMatchObject({ state: 'captured', refundedMinor: 0 });
    });
  });

  describe('offline records', () => {
    const offline = (
      kind: 'card-approved' | 'deferred',
      id: string,
      reference: string,
      type: 'TC' | 'ARQC',
      atc = '0042',
    ) => {
      const { card: _card, ...sale } = restPayment({
        origin: message(id, 1),
        type: 'DB',
        reference,
        offline: { kind, decidedAtMs: NOW_MS },
        pos: {
          terminalId: '1',
          entryMode: 'ICC',
          deviceType: 'GERTEC_PPC930',
          panSequenceNumber: '01',
          iccData: exampleIccData({ scheme: 'visa', pan: VISA, type, atc }),
          sred: encipheredTrack2(track2Of(VISA, '1234')),
        },
      });
      return sale;
    };

    it('sends a card-approved sale as advice and requests the authorization of a deferred one', async () => {
      expect((await harness.service.authorize(offline('card-approved', 'm1', 'R-1', 'TC'))).disposition).toBe(
        'approved',
      );
      expect(
        (await harness.service.authorize(offline('deferred', 'm2', 'R-2', 'ARQC', '0043'))).disposition,
      ).toBe('approved');
      expect((await harness.transactions()).map((one) => one.kind)).toEqual(['advice', 'authorization']);
    });

    it('makes a late decline an event', async () => {
      const result = await harness.service.authorize(offline('deferred', 'm1', 'R-1', 'TC'));
      expect(result.disposition).toBe('declined');
      const events = await eventsOfPayment(harness.store, result.paymentId ?? '');
      expect(events.map((event) => event.kind)).toEqual(['offline-sale-declined']);
    });

    it('refuses an offline sale of a reference that stands approved online', async () => {
      await harness.service.authorize(tillSale('m1', 'R-1'));
      expect((await harness.service.authorize(offline('card-approved', 'm2', 'R-1', 'TC'))).disposition).toBe(
        'refused',
      );
      expect(await standing()).toHaveLength(1);
    });
  });
});
