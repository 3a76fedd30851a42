import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  type Answer,
  CARD,
  type HttpHarness,
  openHttpHarness,
} from '../../app/http/http-harness.test.support.js';
import { everyRate } from '../../kernel/http/throttle/testing/every-rate.js';
import { AcquirerUnreachableError } from '../acquirers/acquirer.js';
import { ENTITY, MASTERCARD_DECLINED } from '../payments/payment-harness.test.support.js';

const DAY_MS = 86_400_000;
const PRACTICE = 'standingInstruction.industryPractice';

let harness: HttpHarness;
// The clock stands still here, so that nothing flows back into a bucket.
beforeAll(async () => {
  harness = await openHttpHarness(undefined, { rates: everyRate({ perSecond: 1, burst: 100_000 }) });
});
afterAll(() => harness.dispose());

type Form = Readonly<Record<string, string>>;

/** A payment of EUR 12.34, with its id. */
const pay = async (more: Form = {}): Promise<string> =>
  (await harness.post('/v1/payments', { ...CARD, ...more })).body.id;
const follow = (id: string, paymentType: string, more: Form = {}): Promise<Answer> =>
  harness.post(`/v1/payments/${id}`, {
    paymentType,
    ...(paymentType !== 'RV' && { amount: '1.00', currency: 'EUR' }),
    ...more,
  });
const done = async (id: string, paymentType: string, more: Form = {}): Promise<string> => {
  const { status, body } = await follow(id, paymentType, more);
  expect(status, body.result.description).toBe(200);
  return body.id;
};
const ALL = { amount: '12.34' };
const INCREMENT = { [PRACTICE]: 'INCREMENTAL_AUTH' };
const REAUTHORIZATION = { [PRACTICE]: 'REAUTHORIZATION' };

/** What was requested last, what has to be there for it, and the refusal. */
const REFUSALS: readonly (readonly [code: string, what: string, ask: () => Promise<Answer>])[] = [
  ['700.100.400', 'another brand', async () => follow(await pay(), 'CP', { paymentBrand: 'MASTER' })],
  ['700.100.500', 'another currency', async () => follow(await pay(), 'CP', { currency: 'USD' })],
  ['700.100.600', 'another mode', async () => follow(await pay(), 'CP', { testMode: 'EXTERNAL' })],
  [
    '700.100.710',
    'another lifecycle',
    async () => follow(await pay({ lifecycleId: 'one' }), 'CP', { lifecycleId: 'other' }),
  ],
  ['700.300.100', 'a refund of what was only reserved', async () => follow(await pay(), 'RF')],
  ['700.300.100', 'a refund of a credit', async () => follow(await pay({ paymentType: 'CD' }), 'RF')],
  ['700.300.100', 'a rebill of what was only reserved', async () => follow(await pay(), 'RB')],
  ['700.300.100', 'a credit on what was only reserved', async () => follow(await pay(), 'CD')],
  ['700.300.100', 'a reversal of a reversal', async () => follow(await done(await pay(), 'RV'), 'RV')],
  [
    '700.300.100',
    'a reversal of a refund',
    async () => follow(await done(await pay({ paymentType: 'DB' }), 'RF'), 'RV'),
  ],
  [
    '700.300.100',
    'a reversal of a receipt',
    async () => follow(await done(await pay({ paymentType: 'DB' }), 'RC'), 'RV'),
  ],
  [
    '700.300.100',
    'more money on a debit',
    async () => follow(await pay({ paymentType: 'DB' }), 'PA', INCREMENT),
  ],
  [
    '700.300.100',
    'a reauthorization of a debit',
    async () => follow(await pay({ paymentType: 'DB' }), 'PA', REAUTHORIZATION),
  ],
  [
    '700.300.200',
    'a capture of what was declined',
    async () => follow(await pay({ paymentBrand: 'MASTER', 'card.number': MASTERCARD_DECLINED }), 'CP'),
  ],
  [
    '700.300.300',
    'more money on what was captured',
    async () => {
      const id = await pay();
      await done(id, 'CP');
      return follow(id, 'PA', INCREMENT);
    },
  ],
  [
    '700.300.300',
    'more money on a PA.CP',
    async () => follow(await pay({ paymentType: 'PA.CP' }), 'PA', INCREMENT),
  ],
  [
    '700.300.300',
    'a rebill of what was reversed',
    async () => {
      const id = await pay({ paymentType: 'DB' });
      await done(id, 'RV');
      return follow(id, 'RB');
    },
  ],
  [
    '700.300.400',
    'a capture after 30 days',
    async () => {
      const id = await pay();
      await harness.clock.advance(30 * DAY_MS + 1);
      return follow(id, 'CP');
    },
  ],
  [
    '700.300.600',
    'a refund of what was charged back',
    async () => follow(await pay({ paymentType: 'DB', chargebackResultCode: '000.100.220' }), 'RF'),
  ],
  [
    '700.300.700',
    'a reversal after 72 hours',
    async () => {
      const id = await pay({ paymentType: 'DB' });
      await harness.clock.advance(3 * DAY_MS + 1);
      return follow(id, 'RV');
    },
  ],
  ['700.400.100', 'a capture of too much', async () => follow(await pay(), 'CP', { amount: '12.35' })],
  [
    '700.400.100',
    'a capture of what was reversed',
    async () => {
      const id = await pay();
      await done(id, 'RV');
      return follow(id, 'CP');
    },
  ],
  [
    '700.400.100',
    'one capture too many',
    async () => {
      const id = await pay({ numberOfCaptures: '1' });
      await done(id, 'CP');
      return follow(id, 'CP');
    },
  ],
  [
    '700.400.100',
    'a capture after the final one',
    async () => {
      const id = await pay();
      await done(id, 'CP', { sequence: 'FINAL' });
      return follow(id, 'CP');
    },
  ],
  ['700.400.100', 'a capture of a PA.CP', async () => follow(await pay({ paymentType: 'PA.CP' }), 'CP')],
  [
    '700.400.200',
    'a refund of too much',
    async () => follow(await pay({ paymentType: 'DB' }), 'RF', { amount: '12.35' }),
  ],
  [
    '700.400.200',
    'a second refund of the whole',
    async () => {
      const id = await pay({ paymentType: 'PA.CP' });
      await done(id, 'RF', ALL);
      return follow(id, 'RF', ALL);
    },
  ],
  [
    '700.400.200',
    'a refund after the final one',
    async () => {
      const id = await pay({ paymentType: 'DB' });
      await done(id, 'RF', { sequence: 'FINAL' });
      return follow(id, 'RF');
    },
  ],
  [
    '700.400.200',
    'a refund of what was reversed',
    async () => {
      const id = await pay({ paymentType: 'DB' });
      await done(id, 'RV');
      return follow(id, 'RF');
    },
  ],
  [
    '700.400.200',
    'a refund beyond a receipt',
    async () => follow(await done(await pay({ paymentType: 'DB' }), 'RC'), 'RF', { amount: '1.01' }),
  ],
  [
    '700.400.300',
    'a second reversal',
    async () => {
      const id = await pay({ paymentType: 'PA.CP' });
      await done(id, 'RV');
      return follow(id, 'RV');
    },
  ],
  [
    '700.400.300',
    'a reversal of what was refunded',
    async () => {
      const id = await pay({ paymentType: 'DB' });
      await done(id, 'RF');
      return follow(id, 'RV');
    },
  ],
  [
    '700.400.300',
    'a reversal of more than there is',
    async () => follow(await pay(), 'RV', { amount: '12.35', currency: 'EUR' }),
  ],
  [
    '100.550.701',
    'a reversal of a part',
    async () => follow(await pay(), 'RV', { amount: '12.33', currency: 'EUR' }),
  ],
  ['100.550.300', 'a capture of nothing', async () => follow(await pay(), 'CP', { amount: '0.00' })],
  ['700.400.510', 'a capture of a debit', async () => follow(await pay({ paymentType: 'DB' }), 'CP')],
  ['700.400.510', 'a capture of nothing known', () => follow('0'.repeat(32), 'CP')],
  ['700.400.530', 'a reversal of nothing known', () => follow('0'.repeat(32), 'RV')],
  ['600.200.500', 'a refund of nothing known', () => follow('0'.repeat(32), 'RF')],
  ['700.100.100', 'a rebill of nothing known', () => follow('0'.repeat(32), 'RB')],
  ['700.100.100', 'a credit on nothing known', () => follow('0'.repeat(32), 'CD')],
  ['700.400.560', 'a receipt for nothing known', () => follow('0'.repeat(32), 'RC')],
  ['700.400.560', 'a receipt for a credit', async () => follow(await pay({ paymentType: 'CD' }), 'RC')],
  [
    '700.400.570',
    'a capture of what is pending',
    async () => follow(await pay({ 'customParameters[unknownForSeconds]': '30' }), 'CP'),
  ],
  [
    '700.400.700',
    'a capture by another channel',
    async () => {
      const id = await pay();
      const channel = 'c'.repeat(32);
      const merchant = await harness.store.get('entities', [ENTITY]);
      if (!merchant) throw new Error('no merchant');
      const row = { ...merchant, id: channel, kind: 'channel', parentId: ENTITY, version: 1 } as const;
      await harness.store.commit([{ op: 'insert', table: 'entities', row }]);
      return follow(id, 'CP', { entityId: channel });
    },
  ],
];

describe('a request on an earlier payment', () => {
  it.each(REFUSALS)('is refused with %s: %s', async (code, _what, ask) => {
    const { status, body } = await ask();
    expect(status).toBe(400);
    expect(body.result.code).toBe(code);
    expect(body.id).toMatch(/^[0-9a-f]{32}$/);
    expect(body.amount).not.toBe('0.00');
    const read = await harness.get(`/v1/payments/${body.id}`);
    expect(read.body).toEqual({ ...body, ndc: expect.any(String), timestamp: expect.any(String) });
  });

  it('waits for the one before it, and gets a retry answer where that has no outcome', async () => {
    const id = await pay();
    const send = harness.line.send.bind(harness.line);
    onTestFinished(() => {
      Object.assign(harness.line, { send, cut: false });
    });
    harness.line.send = async (request) => {
      if (request.kind === 'capture') throw new AcquirerUnreachableError('the line is cut');
      return send(request);
    };
    harness.line.cut = true;
    const first = await follow(id, 'CP');
    expect(first).toMatchObject({ status: 200, body: { result: { code: '000.200.001' } } });
    expect((await follow(id, 'CP')).body.result.code).toBe('800.700.100');
  });

  it('names one payment, in the path or in the body', async () => {
    const id = await pay();
    const { body } = await follow(id, 'CP', { referenceUuid: '0'.repeat(32) });
    expect(body.result.parameterErrors).toMatchObject([{ name: 'referenceUuid' }]);
    await done(id, 'CP', { referenceUuid: id });
  });

  it('has to say under which practice a PA follows another', async () => {
    const { body } = await follow(await pay(), 'PA');
    expect(body.result.parameterErrors).toMatchObject([{ name: PRACTICE }]);
  });

  it('authorizes again with the card that is sent, linked to the payment that is named', async () => {
    const first = await pay();
    const form = { ...CARD, 'card.number': '4111111111111111', [PRACTICE]: 'REAUTHORIZATION' };
    const { status, body } = await harness.post('/v1/payments', { ...form, referenceUuid: first });
    expect(status).toBe(200);
    expect(body.card).toMatchObject({ bin: '411111', last4Digits: '1111' });
    expect(await harness.service.find(body.id, ENTITY)).toMatchObject({ type: 'PA', referencedId: first });
  });

  it.each([
    ['INCREMENTAL_AUTH', 'CP', '13.34'],
    ['REAUTHORIZATION', 'CP', '12.34'],
  ])('does %s by path and by referenceUuid alike', async (practice, paymentType, amount) => {
    const byPath = await pay();
    await done(byPath, 'PA', { [PRACTICE]: practice });
    await done(byPath, paymentType, { amount });
    const byReference = await pay();
    const form = { paymentType: 'PA', amount: '1.00', currency: 'EUR', [PRACTICE]: practice };
    const more = await harness.post('/v1/payments', { ...form, referenceUuid: byReference });
    expect(more.status).toBe(200);
    await done(byReference, paymentType, { amount });
  });
});
