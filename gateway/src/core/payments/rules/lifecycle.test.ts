import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Change } from '../../../kernel/store/store.js';
import {
  ENGINES,
  ENTITY,
  followUp,
  OTHER_ENTITY,
  openPaymentHarness,
  type PaymentHarness,
  restPayment,
  storeOf,
} from '../payment-harness.test.support.js';
import type { FollowUpRequest, PaymentResult } from './requests.js';

const APPROVED = '000.100.110';
const DAY_MS = 86_400_000;

describe.each(ENGINES)('the lifecycle on the %s engine', (engine) => {
  let harness: PaymentHarness;
  beforeEach(async () => {
    harness = await openPaymentHarness(storeOf(engine));
  });
  afterEach(() => harness.dispose());

  const pay = async (overrides: Parameters<typeof restPayment>[0] = {}): Promise<string> =>
    (await harness.service.authorize(restPayment(overrides))).paymentId ?? '';
  const follow = (
    type: FollowUpRequest['type'],
    paymentId: string | undefined,
    minor?: number,
    more: Partial<FollowUpRequest> = {},
  ): Promise<PaymentResult> => harness.service.followUp({ ...followUp(type, paymentId, minor), ...more });
  const code = async (...request: Parameters<typeof follow>) => (await follow(...request)).resultCode;

  it('rebills a debit with the card it was paid with, and refunds the rebill alone', async () => {
    const debit = await pay({ type: 'DB' });
    const rebill = await follow('RB', debit, 5_000);
    expect(rebill).toMatchObject({ resultCode: APPROVED, brand: 'VISA' });
    expect(await harness.service.find(rebill.paymentId ?? '', ENTITY)).toMatchObject({
      type: 'RB',
      referencedId: debit,
      capturedMinor: 5_000,
      last4Digits: '0000',
    });
    expect(await code('RF', rebill.paymentId, 5_001)).toBe('700.400.200');
    expect(await code('RF', rebill.paymentId, 5_000)).toBe(APPROVED);
    expect(await code('RF', debit, 1_234)).toBe(APPROVED);
    expect(await code('RB', await pay(), 1)).toBe('700.300.100');
  });

  it('credits a card again by reference, whatever the amount', async () => {
    const credit = await follow('CD', await pay({ type: 'DB' }), 9_999);
    expect(credit.resultCode).toBe(APPROVED);
    const [, credited] = harness.line.sent;
    expect(credited).toMatchObject({ kind: 'credit', instrument: { pan: '4200000000000000' } });
  });

  it('ledgers a receipt at the acquirer as separate money, which can be given back', async () => {
    const debit = await pay({ type: 'DB' });
    const receipt = await follow('RC', debit, 700);
    expect(receipt.resultCode).toBe(APPROVED);
    expect(receipt).not.toHaveProperty('brand');
    expect(harness.line.sent.at(-1)).toMatchObject({ kind: 'receipt', amount: { minor: 700 } });
    expect(await harness.service.find(receipt.paymentId ?? '', ENTITY)).toMatchObject({
      type: 'RC',
      state: 'completed',
      referencedId: debit,
      rootId: null,
      capturedMinor: 700,
      last4Digits: null,
    });
    expect(await code('RC', receipt.paymentId, 1)).toBe('700.400.560');
    expect(await code('RV', receipt.paymentId)).toBe('700.300.100');
    expect(await code('RF', receipt.paymentId, 701)).toBe('700.400.200');
    expect(await code('RF', receipt.paymentId, 700)).toBe(APPROVED);
    expect(await code('RF', receipt.paymentId, 1)).toBe('700.400.200');
    expect(await code('RF', debit, 1_234)).toBe(APPROVED);
    expect((await harness.transactions()).map(({ kind, amount }) => [kind, amount])).toEqual([
      ['authorization', '12.34'],
      ['advice', '7.00'],
      ['refund', '7.00'],
      ['refund', '12.34'],
    ]);
  });

  it('pays out once: a credit can be reversed, and not given back', async () => {
    const credit = await pay({ type: 'CD' });
    expect(await code('RF', credit, 1)).toBe('700.300.100');
    expect(await code('RC', credit, 1)).toBe('700.400.560');
    expect(await code('RV', credit)).toBe(APPROVED);
    expect(await code('RV', credit)).toBe('700.400.300');
    expect((await harness.transactions()).map(({ kind, reversed }) => [kind, reversed])).toEqual([
      ['credit', true],
      ['reversal', false],
    ]);
  });

  it('keeps a lifecycle together: its id goes on, and another is refused', async () => {
    const payment = await pay({ echo: { lifecycleId: 'one' } });
    expect(await code('CP', payment, 1, { echo: { lifecycleId: 'other' } })).toBe('700.100.710');
    const capture = await follow('CP', payment, 1, { echo: { lifecycleId: 'one' } });
    expect(capture.resultCode).toBe(APPROVED);
    const refund = await follow('RF', capture.paymentId, 1);
    expect((await harness.service.find(refund.paymentId ?? '', ENTITY))?.echo).toBe('{"lifecycleId":"one"}');
  });

  it('gives nothing back of a payment whose chargeback was announced', async () => {
    const payment = await pay({ type: 'DB', echo: { chargebackResultCode: '000.100.220' } });
    expect(await code('RF', payment, 1)).toBe('700.300.600');
    expect(await code('RV', payment)).toBe('700.300.600');
  });

  it('holds more after an incremental authorization, here and at the acquirer', async () => {
    const payment = await pay();
    const more = await follow('INCREMENTAL_AUTH', payment, 1_000);
    expect(more.resultCode).toBe(APPROVED);
    expect(await harness.service.find(payment, ENTITY)).toMatchObject({ authorizedMinor: 2_234 });
    expect(await code('CP', more.paymentId, 1)).toBe('700.400.100');
    expect(await code('CP', payment, 2_235)).toBe('700.400.100');
    expect(await code('CP', payment, 2_234)).toBe(APPROVED);
    expect(await code('INCREMENTAL_AUTH', payment, 1)).toBe('700.300.300');
  });

  it('holds no more when the answer to the increment never came', async () => {
    const payment = await pay();
    harness.line.fault = 'answer-lost';
    const lost = await follow('INCREMENTAL_AUTH', payment, 1_000);
    expect(lost.resultCode).toBe(APPROVED);
    harness.line.fault = 'request-lost';
    const never = await follow('INCREMENTAL_AUTH', payment, 500);
    expect(never.resultCode).toBe('900.100.301');
    expect(await harness.service.find(payment, ENTITY)).toMatchObject({
      authorizedMinor: 2_234,
      lockedBy: null,
    });
    expect(await code('RV', payment)).toBe(APPROVED);
  });

  it('authorizes again by reference as a separate payment', async () => {
    const payment = await pay();
    const again = await follow('REAUTHORIZATION', payment, 400, { numberOfCaptures: 1 });
    expect(await harness.service.find(again.paymentId ?? '', ENTITY)).toMatchObject({
      type: 'PA',
      state: 'authorized',
      referencedId: payment,
      rootId: null,
    });
    expect(await code('CP', again.paymentId, 100)).toBe(APPROVED);
    expect(await code('CP', again.paymentId, 100)).toBe('700.400.100');
    expect(await code('CP', payment, 1_234)).toBe(APPROVED);
  });

  it('captures up to the number of captures, and none after the last', async () => {
    const twice = await pay({ numberOfCaptures: 2 });
    expect(await code('CP', twice, 100)).toBe(APPROVED);
    expect(await code('CP', twice, 100)).toBe(APPROVED);
    expect(await code('CP', twice, 100)).toBe('700.400.100');
    const final = await pay();
    expect(await code('CP', final, 100, { final: true })).toBe(APPROVED);
    expect(await code('CP', final, 100)).toBe('700.400.100');
  });

  it('counts a capture that was reversed as none', async () => {
    const payment = await pay({ numberOfCaptures: 1 });
    const capture = await follow('CP', payment, 100, { final: true });
    expect(await code('CP', payment, 100)).toBe('700.400.100');
    expect(await code('RV', capture.paymentId)).toBe(APPROVED);
    expect(await harness.service.find(payment, ENTITY)).toMatchObject({
      state: 'authorized',
      captureCount: 0,
    });
    expect(await code('CP', payment, 1_234)).toBe(APPROVED);
  });

  it('frees all that is left when a capture is reversed after the rest was', async () => {
    const payment = await pay();
    const capture = await follow('CP', payment, 400);
    expect(await follow('RV', payment)).toMatchObject({ resultCode: APPROVED, amount: { minor: 834 } });
    expect(await code('RV', capture.paymentId)).toBe(APPROVED);
    expect(await follow('RV', payment)).toMatchObject({ resultCode: APPROVED, amount: { minor: 400 } });
    expect(await harness.service.find(payment, ENTITY)).toMatchObject({
      state: 'reversed',
      reversedMinor: 1_234,
    });
    expect((await harness.transactions())[0]).toMatchObject({ kind: 'authorization', reversed: true });
  });

  it('gives nothing back after the refund that was the last', async () => {
    const payment = await pay({ type: 'DB' });
    expect(await code('RF', payment, 100, { final: true })).toBe(APPROVED);
    expect(await code('RF', payment, 100)).toBe('700.400.200');
  });

  it.each([
    ['another currency', { amount: { minor: 1, currency: 'USD' } }, '700.100.500'],
    ['another brand', { brand: 'MASTER' }, '700.100.400'],
    ['another mode', { testMode: 'EXTERNAL' }, '700.100.600'],
    ['no amount', {}, '100.550.300'],
  ] as const)('refuses a capture in %s', async (what, more, expected) => {
    const minor = what === 'no amount' ? undefined : 1;
    expect(await code('CP', await pay(), minor, more)).toBe(expected);
  });

  it('refuses what comes too late', async () => {
    const [payment, freed] = [await pay(), await pay()];
    await harness.clock.advance(3 * DAY_MS + 1);
    expect(await code('RV', freed)).toBe(APPROVED);
    expect(await code('CP', payment, 1)).toBe(APPROVED);
    await harness.clock.advance(27 * DAY_MS);
    expect(await code('CP', payment, 1)).toBe('700.300.400');
    expect(await code('RV', payment)).toBe('700.300.700');
  });

  it('separates a payment of another channel from one that does not exist', async () => {
    const payment = await pay();
    const channel = {
      id: 'c'.repeat(32),
      kind: 'channel',
      compatibility: 'specification',
      parentId: ENTITY,
      name: 'c',
      createdAtMs: 1,
      version: 1,
    };
    await harness.store.commit([{ op: 'insert', table: 'entities', row: channel } as Change]);
    expect(await code('CP', payment, 1, { origin: { kind: 'rest', entityId: channel.id } })).toBe(
      '700.400.700',
    );
    expect(await code('CP', payment, 1, { origin: { kind: 'rest', entityId: OTHER_ENTITY } })).toBe(
      '700.400.510',
    );
  });
});
