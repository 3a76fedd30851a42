import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { METHODS } from '../../app/http/docs/methods.js';
import { addToken, type HttpHarness, openHttpHarness } from '../../app/http/http-harness.test.support.js';
import { CHARGEBACK_LIMITS, Chargebacks } from '../payments/chargebacks/chargebacks.js';
import { eventsOfPayment } from '../payments/events/stored-events.test.support.js';
import { WAITS } from '../payments/rules/waits.js';

const DAY_MS = 24 * 3_600_000;
const AMOUNT = { amount: '12.34', currency: 'EUR' };
const BASE = { ...AMOUNT, paymentType: 'DB', shopperResultUrl: 'https://shop.example/done' };
const APPROVED = '000.100.110';
const PENDING = '000.200.000';
const ADMINISTRATOR = 'tb_administrator';

let harness: HttpHarness;
beforeAll(async () => {
  harness = await openHttpHarness();
  await addToken(harness.store, ADMINISTRATOR, ['administration']);
});
afterAll(() => harness.dispose());

const codeOf = async (id: string) => (await harness.get(`/v1/payments/${id}`)).body.result.code;
const notificationsOf = async (id: string) => {
  const rows = await eventsOfPayment(harness.store, id);
  return rows.map(({ payload }) => (JSON.parse(payload) as { result: { code: string } }).result.code);
};

/** What stands of a payment at the acquirer, in minor units; undefined where it knows nothing of it. */
async function standingOf(id: string): Promise<number | undefined> {
  const [intent] = await harness.store.find('intents', 'payment', [id]);
  const entry = await harness.record.entry(intent?.id ?? '');
  return entry && (entry.approved ? entry.amountMinor - entry.reversedMinor : 0);
}

/** Books what the acquirer has taken back. */
function bookChargebacks(): Promise<void> {
  const { record: feed, context, alerts } = harness;
  return new Chargebacks({ feed, context, alerts }).round();
}

/** Type and code of each chargeback of a payment, and of each reversal of one. */
async function chargebacksOf(id: string): Promise<string[]> {
  const rows = await harness.store.find('payments', 'root', [id]);
  return rows
    .filter(({ type }) => type === 'CB' || type === 'CR')
    .map(({ type, resultCode }) => `${type} ${resultCode}`);
}

/** What a shopper's browser does at the bank: decides or not, then comes back to us. */
async function visitBank(id: string, decision?: 'approved' | 'refused'): Promise<void> {
  const [intent] = await harness.store.find('intents', 'payment', [id]);
  const reference = intent?.id ?? '';
  if (decision) harness.bank.payments.decide(reference, decision);
  const { returnUrl = '' } = harness.bank.payments.find(reference) ?? {};
  const back = await harness.send('GET', returnUrl.replace(harness.url, ''), { authorization: null });
  expect(back.headers.get('location')).toContain(`https://shop.example/done?id=${id}&resourcePath=`);
}

/** The transfer of a payment comes in. @returns the code of the answer */
async function receive(id: string): Promise<string> {
  const authorization = `Bearer ${ADMINISTRATOR}`;
  const { body } = await harness.send('POST', `/v1/payments/${id}/receipt`, {
    authorization,
    body: 'entityId=',
  });
  return body.result.code;
}

/** What an answer names of the account that a transfer goes to. */
interface Paid {
  readonly merchant: { readonly bankAccount: Readonly<Record<string, string>> };
}

/** Code of the answer to a payment, by when it ends. */
const FIRST_CODE = { 'at once': APPROVED, redirect: PENDING, receipt: WAITS.receipt.pendingCode };

/** 20 bytes in base64. */
const newCryptogram = () => randomBytes(20).toString('base64');

describe.each(METHODS)('$name', ({ brands, pays, refused, returned, outcome, followUps, code }) => {
  const named = 'paymentBrand' in pays || brands.length === 0 ? undefined : brands[0];
  const form = { ...BASE, ...(named !== undefined && { paymentBrand: named }), ...pays };

  /** Makes a payment of which nothing is decided yet where its shopper decides. */
  async function begin(more: Readonly<Record<string, string>> = {}) {
    // A cryptogram is for one payment.
    const own = 'threeDSecure.verificationId' in form && { 'threeDSecure.verificationId': newCryptogram() };
    const { body } = await harness.post('/v1/payments', { ...form, ...own, ...more });
    return body;
  }

  /** What the shopper or the payer does afterwards. */
  async function decide(id: string, decision: 'approved' | 'refused'): Promise<void> {
    if (outcome === 'redirect') await visitBank(id, decision);
    if (outcome === 'receipt') expect(await receive(id)).toBe(APPROVED);
  }

  async function paid(more: Readonly<Record<string, string>> = {}): Promise<string> {
    const { id, result } = await begin(more);
    expect(result.code).toBe(FIRST_CODE[outcome]);
    await decide(id, 'approved');
    expect(await codeOf(id)).toBe(APPROVED);
    return id;
  }

  it('is approved, and notified to the merchant once', async () => {
    const id = await paid();
    expect(await notificationsOf(id)).toEqual([APPROVED]);
    const [event] = await eventsOfPayment(harness.store, id);
    expect(JSON.parse(event?.payload ?? '')).toMatchObject({ paymentMethod: code });
  });

  it.runIf(outcome !== 'receipt')('is refused', async () => {
    const { id, result } = await begin(refused);
    await decide(id, 'refused');
    const refusal = outcome === 'redirect' ? '100.396.101' : result.code;
    expect(refusal).toMatch(/^(800\.100|100\.396)\./);
    expect(await codeOf(id)).toBe(refusal);
    expect(await notificationsOf(id)).toEqual([refusal]);
    expect(await standingOf(id)).toBe(0);
  });

  it('whose answer is late is approved once it has come, and once', async () => {
    const { id, result } = await begin({ 'customParameters[unknownForSeconds]': '60' });
    if (outcome === 'redirect') await decide(id, 'approved');
    else expect(result.code).toBe('000.200.001');
    await harness.clock.advance(60_000);
    if (outcome === 'receipt') {
      expect(await codeOf(id)).toBe(FIRST_CODE.receipt);
      await decide(id, 'approved');
    }
    expect(await codeOf(id)).toBe(APPROVED);
    expect(await standingOf(id)).toBe(1_234);
  });

  it('whose request is lost is reversed and ends', async () => {
    harness.line.fault = 'request-lost';
    const { id } = await begin();
    await harness.service.resolveOpen();
    expect(await codeOf(id)).toBe('900.100.301');
    expect(await standingOf(id)).toBeUndefined();
  });

  it('is refunded in parts, and not beyond', async () => {
    const id = await paid();
    const refund = async (amount: string) =>
      (await harness.post(`/v1/payments/${id}`, { paymentType: 'RF', amount, currency: 'EUR' })).body.result
        .code;
    expect([await refund('10.00'), await refund('2.34'), await refund('0.01')]).toEqual([
      APPROVED,
      APPROVED,
      '700.400.200',
    ]);
    const refunds = (await harness.store.find('payments', 'root', [id])).filter(
      ({ state }) => state === 'completed',
    );
    for (const each of refunds) {
      const [event] = await eventsOfPayment(harness.store, each.id);
      expect(JSON.parse(event?.payload ?? '')).toMatchObject({ paymentMethod: code, referencedId: id });
    }
    expect(refunds).toHaveLength(2);
  });

  it('is reserved, captured in part, and the rest set free', async () => {
    const id = await paid({ paymentType: 'PA' });
    const follow = async (paymentType: string, amount: string) =>
      (await harness.post(`/v1/payments/${id}`, { paymentType, amount, currency: 'EUR' })).body.result.code;
    expect([await follow('CP', '10.00'), await follow('RV', '2.34'), await follow('CP', '1.00')]).toEqual([
      APPROVED,
      APPROVED,
      '700.400.100',
    ]);
  });

  it('sends money to the shopper', async () => {
    expect((await begin({ paymentType: 'CD' })).result.code).toBe(APPROVED);
  });

  it('is followed by what the table names, and by nothing else that needs the issuer again', async () => {
    const id = await paid();
    const { body } = await harness.post(`/v1/payments/${id}`, { ...AMOUNT, paymentType: 'RB' });
    expect(body.result.code).toBe(followUps.includes('RB') ? APPROVED : '700.300.100');
  });

  if (outcome === 'receipt') {
    it('names its reference still when the money has come in', async () => {
      const { merchant } = (await begin().then(({ id }) => harness.get(`/v1/payments/${id}`)))
        .body as unknown as { readonly merchant: object };
      const id = await paid();
      const { body } = await harness.get(`/v1/payments/${id}`);
      const { reference, ...account } = (body as unknown as Paid).merchant.bankAccount;
      expect(merchant).toMatchObject({ bankAccount: account });
      expect(reference).toMatch(/^RF/);
    });

    it('answers what is to be transferred where, waits, and ends at its deadline', async () => {
      const body = (await begin()) as unknown as Readonly<Record<string, object>>;
      const { id, amount, currency } = body as unknown as Readonly<Record<string, string>>;
      const payee = {
        holder: 'Test Merchant',
        number: 'DE02100000000000000010',
        bic: 'MARKDEF1100',
        country: 'DE',
      };
      const reference = expect.stringMatching(/^RF\d\d[0-9A-F]{16}$/);
      expect({ amount, currency, merchant: body.merchant }).toEqual({
        ...AMOUNT,
        merchant: { bankAccount: { ...payee, reference } },
      });
      expect(body).not.toHaveProperty('redirect');
      await harness.clock.advance(WAITS.receipt.lifetimeMs / 2);
      expect(await codeOf(id ?? '')).toBe(WAITS.receipt.pendingCode);
      await harness.clock.advance(WAITS.receipt.lifetimeMs / 2);
      await harness.service.endOverdueWaits();
      expect(await codeOf(id ?? '')).toBe(WAITS.receipt.expiredCode);
      expect(await receive(id ?? '')).toBe('700.400.560');
      expect(await standingOf(id ?? '')).toBe(0);
    });
  }

  if (outcome === 'redirect') {
    it('that its shopper leaves waits, and ends at its deadline', async () => {
      const { id } = await begin();
      await visitBank(id);
      expect(await codeOf(id)).toBe(PENDING);
      await harness.clock.advance(WAITS.redirect.lifetimeMs);
      await harness.service.endOverdueWaits();
      expect(await codeOf(id)).toBe(WAITS.redirect.expiredCode);
      expect(await notificationsOf(id)).toEqual([WAITS.redirect.expiredCode]);
      expect(await standingOf(id)).toBe(0);
    });
  }

  it('is charged back, and gets its money again', async () => {
    const id = await paid();
    const [intent] = await harness.store.find('intents', 'payment', [id]);
    const originalReference = intent?.id ?? '';
    const about = { amount: { minor: 1_234, currency: 'EUR' }, reason: code === 'CC' ? '10.4' : 'MD06' };
    const chargeback = {
      kind: 'chargeback',
      reference: `c${originalReference.slice(1)}`,
      originalReference,
    } as const;
    expect(await harness.record.chargeBack({ ...chargeback, ...about })).toBe(true);
    await bookChargebacks();
    const taken = code === 'CC' ? 'CB 000.100.220' : 'CB 000.100.206';
    expect(await chargebacksOf(id)).toEqual([taken]);
    const refund = async () =>
      (await harness.post(`/v1/payments/${id}`, { ...AMOUNT, paymentType: 'RF' })).body.result.code;
    expect(await refund()).toBe('700.300.600');
    const reversal = {
      kind: 'chargeback-reversal',
      reference: `d${originalReference.slice(1)}`,
      originalReference: chargeback.reference,
    } as const;
    expect(await harness.record.chargeBack({ ...reversal, ...about })).toBe(true);
    await bookChargebacks();
    expect((await chargebacksOf(id)).map((each) => each.slice(0, 2)).sort()).toEqual(['CB', 'CR']);
    expect(await refund()).toBe(APPROVED);
  });

  if (returned) {
    it('is charged back when the bank returns it', async () => {
      const id = await paid(returned);
      await harness.clock.advance(3 * DAY_MS + CHARGEBACK_LIMITS.intervalMs);
      await bookChargebacks();
      expect(await chargebacksOf(id)).toEqual([expect.stringMatching(/^CB 000\.100\.2/)]);
      const refund = await harness.post(`/v1/payments/${id}`, { ...AMOUNT, paymentType: 'RF' });
      expect(refund.body.result.code).toBe('700.300.600');
    });
  }

  // Test cards of each brand are tried in payments.test.ts.
  for (const paymentBrand of 'card.number' in pays ? [] : brands.slice(1)) {
    it(`is approved with brand ${paymentBrand}`, async () => {
      await paid({ paymentBrand });
    });
  }
});
