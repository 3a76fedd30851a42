import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Answer,
  addToken,
  CARD,
  type HttpHarness,
  openHttpHarness,
} from '../../app/http/http-harness.test.support.js';
import { ENTITY, OTHER_ENTITY } from '../payments/payment-harness.test.support.js';

type Form = Readonly<Record<string, string>>;

let harness: HttpHarness;
beforeEach(async () => {
  harness = await openHttpHarness();
});
afterEach(() => harness.dispose());

/** A payment with a standing instruction, its members by their short names. */
const pay = (standing: Form, more: Form = {}): Promise<Answer> =>
  harness.post('/v1/payments', {
    ...CARD,
    paymentType: 'DB',
    ...Object.fromEntries(
      Object.entries(standing).map(([name, value]) => [`standingInstruction.${name}`, value]),
    ),
    ...more,
  });
const INITIAL = { mode: 'INITIAL', source: 'CIT', type: 'UNSCHEDULED' };
const REPEATED = { mode: 'REPEATED', source: 'MIT', type: 'UNSCHEDULED' };
const MASTERCARD = { paymentBrand: 'MASTER', 'card.number': '5454545454545454' };

interface Standing {
  readonly initialTransactionId: string;
  readonly agreementId?: string;
}
const standingOf = (answer: Answer): Standing =>
  (answer.body as unknown as { standingInstruction: Standing }).standingInstruction;
const begin = async (standing: Form = INITIAL, more: Form = {}): Promise<Standing> => {
  const answer = await pay(standing, more);
  expect(answer.body.result.code).toBe('000.100.110');
  return standingOf(answer);
};
const explained = ({ body }: Answer): readonly (string | undefined)[] => [
  body.result.code,
  body.resultDetails?.ExtendedDescription,
];

describe('the first payment of an agreement', () => {
  it('gives the reference of the network back, in the answer and when it is read again', async () => {
    const answer = await pay(INITIAL);
    const { initialTransactionId } = standingOf(answer);
    expect(initialTransactionId).toMatch(/^\d{15}$/);
    expect(answer.body.resultDetails.CardholderInitiatedTransactionID).toBe(initialTransactionId);
    const read = await harness.get(`/v1/payments/${answer.body.id}?entityId=${ENTITY}`);
    expect(standingOf(read)).toEqual({ ...INITIAL, initialTransactionId });
  });

  it('gives no reference when it is declined', async () => {
    const answer = await pay(INITIAL, { paymentBrand: 'MASTER', 'card.number': '5200000000001013' });
    expect(answer.status).toBe(400);
    expect(standingOf(answer)).toEqual(INITIAL);
  });

  it('has an agreement id where the network knows one: the merchant’s, or that of the payment', async () => {
    const own = await begin({ ...INITIAL, agreementId: 'contract-1' }, MASTERCARD);
    expect(own.agreementId).toBe('contract-1');
    const made = await begin(INITIAL, MASTERCARD);
    expect(made.agreementId).toBe(made.initialTransactionId);
  });

  it('is finished with its reference after the gateway died and the answer was lost', async () => {
    harness.line.fault = 'answer-lost';
    harness.line.cut = false;
    const answer = await pay(INITIAL);
    harness.restart();
    await harness.service.resolveOpen();
    const read = await harness.get(`/v1/payments/${answer.body.id}?entityId=${ENTITY}`);
    const { initialTransactionId } = standingOf(read);
    expect(await harness.store.get('agreements', [ENTITY, initialTransactionId])).toMatchObject({
      paymentId: answer.body.id,
    });
  });
});

describe('a payment that the merchant repeats', () => {
  it('is paid with the reference of the first', async () => {
    const { initialTransactionId } = await begin();
    const answer = await pay({ ...REPEATED, initialTransactionId });
    expect(answer.body.result.code).toBe('000.100.110');
    expect(harness.line.sent.at(-1)).toMatchObject({ standing: { source: 'MIT', initialTransactionId } });
  });

  it.each(['RESUBMISSION', 'DELAYED_CHARGES', 'NO_SHOW'])(
    'is paid as the industry practice %s',
    async (industryPractice) => {
      const { initialTransactionId } = await begin();
      const answer = await pay({ source: 'MIT', industryPractice, initialTransactionId });
      expect(answer.body.result.code).toBe('000.100.110');
    },
  );

  it('is refused without a reference', async () => {
    expect(explained(await pay(REPEATED))).toEqual([
      '100.150.300',
      'standingInstruction.initialTransactionId: must be sent where source is MIT',
    ]);
  });

  it('names its agreement by id where the network takes that, and nowhere else', async () => {
    const agreementId = 'contract-1';
    await begin({ ...INITIAL, agreementId }, MASTERCARD);
    const repeated = await pay({ ...REPEATED, agreementId }, MASTERCARD);
    expect(repeated.body.result.code).toBe('000.100.110');
    expect((await pay({ ...REPEATED, agreementId })).body.result.code).toBe('100.150.300');
  });

  it('is refused with another card', async () => {
    const { initialTransactionId } = await begin();
    const answer = await pay({ ...REPEATED, initialTransactionId }, { 'card.number': '4111111111111111' });
    expect(explained(answer)).toEqual([
      '100.150.300',
      'standingInstruction.initialTransactionId: must be that of a payment with this card',
    ]);
  });

  it('is refused as another type', async () => {
    const { initialTransactionId } = await begin();
    const answer = await pay({ ...REPEATED, type: 'RECURRING', initialTransactionId });
    expect(explained(answer)).toEqual([
      '600.200.501',
      'standingInstruction.type: must be UNSCHEDULED, as at first',
    ]);
  });

  it('is refused after the agreement has ended', async () => {
    const { initialTransactionId } = await begin({ ...INITIAL, expiry: '2026-11-20' });
    const repeat = () => pay({ ...REPEATED, initialTransactionId });
    expect((await repeat()).body.result.code).toBe('000.100.110');
    await harness.clock.advance(24 * 3_600_000);
    expect((await repeat()).body.result.code).toBe('600.200.501');
  });

  it('passes a reference on that another processor got from the network', async () => {
    const initialTransactionId = '123456789012345';
    expect((await pay({ ...REPEATED, initialTransactionId })).body.result.code).toBe('000.100.110');
  });

  it('of another merchant meets an agreement of a foreign one as an unknown one', async () => {
    const { initialTransactionId } = await begin();
    const token = 'tb_test-token-of-the-other';
    await addToken(harness.store, token, ['pay'], { entityId: OTHER_ENTITY, merchantId: OTHER_ENTITY });
    const form = {
      ...CARD,
      paymentType: 'DB',
      entityId: OTHER_ENTITY,
      'card.number': '4111111111111111',
      'standingInstruction.mode': 'REPEATED',
      'standingInstruction.source': 'MIT',
      'standingInstruction.initialTransactionId': initialTransactionId,
    };
    const answer = await harness.send('POST', '/v1/payments', {
      body: new URLSearchParams(form).toString(),
      authorization: `Bearer ${token}`,
    });
    expect(answer.body.result.code).toBe('000.100.110');
  });
});

describe('the cardholder', () => {
  it('may pay again with the stored card, with a reference or without', async () => {
    const { initialTransactionId } = await begin();
    for (const more of [{}, { initialTransactionId }]) {
      const answer = await pay({ mode: 'REPEATED', source: 'CIT', ...more });
      expect(answer.body.result.code).toBe('000.100.110');
    }
  });
});

describe('an agreement id', () => {
  const agreementId = 'contract-1';
  const first = { ...INITIAL, agreementId };
  const other = { ...MASTERCARD, 'card.number': '5105105105105100' };
  const declined = { ...MASTERCARD, 'card.number': '5200000000001013' };

  it('belongs to the card of its first payment', async () => {
    await begin(first, MASTERCARD);
    expect(explained(await pay(first, other))).toEqual([
      '600.200.501',
      'standingInstruction.agreementId: must be another one: the agreement of this id began with another card',
    ]);
    expect((await pay({ ...REPEATED, agreementId }, MASTERCARD)).status).toBe(200);
    expect((await pay({ ...REPEATED, agreementId }, other)).body.result.code).toBe('100.150.300');
  });

  it('stands for the latest agreement of its card', async () => {
    await begin({ ...first, expiry: '2026-12-01' }, MASTERCARD);
    await begin({ ...first, type: 'RECURRING' }, MASTERCARD);
    expect((await pay({ ...REPEATED, agreementId }, MASTERCARD)).body.result.code).toBe('600.200.501');
    expect((await pay({ ...REPEATED, type: 'RECURRING', agreementId }, MASTERCARD)).status).toBe(200);
  });

  it('is free for another card after its first payment was declined', async () => {
    expect((await pay(first, declined)).status).toBe(400);
    expect((await pay({ ...REPEATED, agreementId }, MASTERCARD)).status).toBe(200);
    await begin(first, other);
    expect((await pay(first, MASTERCARD)).body.result.code).toBe('600.200.501');
  });
});
