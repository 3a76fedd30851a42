import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { peersOf } from '@tillbridge/platform/net/peers.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Answer,
  addToken,
  CARD,
  type HttpHarness,
  openHttpHarness,
  reviewWork,
} from '../../app/http/http-harness.test.support.js';
import { setRiskRules } from '../../features/risk/entity-rules.js';
import type { WhenSilent } from '../../features/risk/rules/assess.js';
import { readRiskRules } from '../../features/risk/rules/risk-rules.js';
import { HttpScreening } from '../../features/risk/screening.js';
import { carryOutReviews, decideReview } from '../../features/risk/service.js';
import { Egress } from '../../kernel/egress/egress.js';
import type { TableName } from '../../kernel/store/rows.js';
import { MemoryStore } from '../../kernel/store/testing/memory-store.js';
import { Chargebacks } from '../payments/chargebacks/chargebacks.js';
import { ENTITY, FailingStore, OTHER_ENTITY } from '../payments/payment-harness.test.support.js';
import { WAITS } from '../payments/rules/waits.js';
import { DEADLINE_LIMITS } from '../payments/waits/wait-deadlines.js';
import { riskDataOf } from './risk-data.js';

type Form = Readonly<Record<string, string>>;

let harness: HttpHarness;
let service: Server | undefined;
beforeEach(async () => {
  harness = await openHttpHarness();
});
afterEach(async () => {
  await harness.dispose();
  service?.closeAllConnections();
  service?.close();
  service = undefined;
});

const SHOPPER = { 'customer.givenName': 'Jane', 'customer.surname': 'Jones' };
const pay = (more: Form = {}): Promise<Answer> =>
  harness.post('/v1/payments', { ...CARD, paymentType: 'DB', ...more });
const rules = (set: object, entityId = ENTITY): Promise<void> =>
  setRiskRules(harness, entityId, readRiskRules(JSON.stringify(set)));
const rule = (more: object, set: object = {}): Promise<void> =>
  rules({ rules: [{ name: 'rule', ...more }], ...set });
const codeOf = async (answer: Promise<Answer>): Promise<string> => (await answer).body.result.code;
const APPROVED = '000.100.110';
const ADMINISTRATION = 'tb_test-token-of-an-administrator';
const administer = (method: string, path: string, form: Form = {}): Promise<Answer> =>
  harness.send(method, path, {
    authorization: `Bearer ${ADMINISTRATION}`,
    ...(method === 'POST' && { body: new URLSearchParams(form).toString() }),
  });

describe('the rules of an entity', () => {
  it('refuse what is paid with one card too often, in whatever order it comes', async () => {
    await rule({ kind: 'velocity', by: 'card', count: 2, minutes: 10, action: 'refuse' });
    expect(await codeOf(pay())).toBe(APPROVED);
    expect(await codeOf(pay())).toBe(APPROVED);
    expect(await codeOf(pay())).toBe('800.120.101');
    expect(await codeOf(pay({ 'card.number': '4111111111111111' }))).toBe(APPROVED);
    await harness.clock.advance(11 * 60_000);
    expect(await codeOf(pay())).toBe(APPROVED);
  });

  it('let no more through when all come at once', async () => {
    await rule({ kind: 'velocity', by: 'card', count: 2, minutes: 10, action: 'refuse' });
    const codes = await Promise.all([1, 2, 3, 4, 5, 6].map(() => codeOf(pay())));
    expect(codes.filter((code) => code === APPROVED).length).toBeLessThanOrEqual(2);
  });

  it.each([
    ['email', { 'customer.email': 'jane@example.com' }, '800.120.103'],
    ['ip', { 'customer.ip': '192.0.2.1' }, '800.120.102'],
  ])('count payments by %s', async (by, who, code) => {
    await rule({ kind: 'velocity', by, count: 1, minutes: 10, action: 'refuse' });
    expect(await codeOf(pay({ ...SHOPPER, ...who }))).toBe(APPROVED);
    expect(await codeOf(pay({ ...SHOPPER, ...who, 'card.number': '4111111111111111' }))).toBe(code);
    expect(await codeOf(pay())).toBe(APPROVED);
  });

  it('refuse an amount, a mismatch of countries, a block list', async () => {
    await rule({ kind: 'amount', currency: 'EUR', above: '12.33', action: 'refuse' });
    expect(await codeOf(pay())).toBe('100.400.020');
    expect(await codeOf(pay({ amount: '12.33' }))).toBe(APPROVED);
    await rule({ kind: 'country-mismatch', between: ['billing', 'shipping'], action: 'refuse' });
    expect(await codeOf(pay({ 'billing.country': 'DE', 'shipping.country': 'FR' }))).toBe('100.400.021');
    expect(await codeOf(pay({ 'billing.country': 'DE', 'shipping.country': 'DE' }))).toBe(APPROVED);
    await rule({ kind: 'list', of: 'country', values: ['fr'], action: 'refuse' });
    expect(await codeOf(pay({ 'billing.country': 'FR' }))).toBe('800.300.102');
    await rule({ kind: 'list', of: 'bin', values: ['4200'], action: 'refuse' });
    expect(await codeOf(pay())).toBe('800.300.401');
    const card = harness.context.fingerprint('card', CARD['card.number']);
    await rule({ kind: 'list', of: 'card', values: [card], action: 'refuse' });
    expect(await codeOf(pay())).toBe('800.300.101');
    await rule({ kind: 'list', of: 'email', values: ['Jane@Example.com'], action: 'refuse' });
    expect(await codeOf(pay({ ...SHOPPER, 'customer.email': 'jane@example.COM' }))).toBe('800.300.200');
  });

  it('look at the country of the card where the table of card ranges has it', async () => {
    harness.risk.countryOf = (bin) => (bin === '420000' ? 'US' : undefined);
    await rule({ kind: 'country-mismatch', between: ['billing', 'card'], action: 'refuse' });
    expect(await codeOf(pay({ 'billing.country': 'DE' }))).toBe('100.400.021');
    expect(await codeOf(pay({ 'billing.country': 'US' }))).toBe(APPROVED);
  });

  it('look at the country of the IP address where a table has it', async () => {
    harness.risk.countryOfIp = (address) => (address === '192.0.2.1' ? 'US' : undefined);
    await rule({ kind: 'country-mismatch', between: ['billing', 'ip'], action: 'refuse' });
    const from = (ip: string, country: string) =>
      codeOf(pay({ ...SHOPPER, 'customer.ip': ip, 'billing.country': country }));
    expect(await from('192.0.2.1', 'DE')).toBe('100.400.021');
    expect(await from('192.0.2.1', 'US')).toBe(APPROVED);
    expect(await from('192.0.2.2', 'DE')).toBe(APPROVED);
  });

  it('add up to a score, which refuses from a limit on; a refused payment reaches no issuer', async () => {
    await rules({
      rules: [
        { name: 'a', kind: 'amount', currency: 'EUR', above: '1.00', points: 60 },
        { name: 'b', kind: 'list', of: 'bin', values: ['420000'], points: -10 },
        { name: 'c', kind: 'amount', currency: 'EUR', above: '100.00', points: 50 },
      ],
    });
    const { body } = await pay();
    expect([body.result.code, body.risk.score]).toEqual([APPROVED, '50']);
    const sent = harness.line.sent.length;
    const refused = await pay({ amount: '100.01' });
    expect([refused.body.result.code, refused.body.risk.score]).toEqual(['100.400.020', '100']);
    expect(harness.line.sent).toHaveLength(sent);
  });

  it('let through who is on an allow list, but not past a block list', async () => {
    const allowed = {
      name: 'regulars',
      kind: 'list',
      of: 'email',
      values: ['jane@example.com'],
      action: 'allow',
    };
    const many = { name: 'amount', kind: 'amount', currency: 'EUR', above: '1.00', points: 100 };
    const jane = { ...SHOPPER, 'customer.email': 'jane@example.com' };
    await rules({ rules: [many, allowed] });
    expect(await codeOf(pay())).toBe('100.400.020');
    expect(await codeOf(pay(jane))).toBe(APPROVED);
    await rules({
      rules: [many, allowed, { name: 'bin', kind: 'list', of: 'bin', values: ['42'], action: 'refuse' }],
    });
    expect(await codeOf(pay(jane))).toBe('800.300.401');
  });

  it('judge the issuer’s AVS and CVV results: refused, reviewed by a person, scored', async () => {
    await rule({ kind: 'cvv', answers: ['N'], action: 'refuse' });
    expect(await codeOf(pay({ 'card.cvv': '000' }))).toBe('100.400.020');
    // The approval was given back.
    expect(
      (await harness.transactions()).filter(({ approved, reversed }) => approved && reversed),
    ).toHaveLength(1);
    await rule({ kind: 'avs', answers: ['N'], action: 'review' });
    const wrong = { 'billing.street1': 'mismatch', 'billing.postcode': '00000' };
    expect(await codeOf(pay(wrong))).toBe('000.400.010');
    await rule({ kind: 'avs', answers: ['N'], points: 12 });
    const { body } = await pay(wrong);
    expect([body.result.code, body.risk.score]).toEqual([APPROVED, '12']);
  });

  it('of a merchant are those of a channel without its own', async () => {
    const channel = 'c'.repeat(32);
    const entity = { id: channel, kind: 'channel', parentId: ENTITY, name: 'c' } as const;
    const row = { ...entity, compatibility: 'specification', createdAtMs: 1, version: 1 } as const;
    await harness.store.commit([{ op: 'insert', table: 'entities', row }]);
    await rule({ kind: 'amount', currency: 'EUR', above: '1.00', action: 'refuse' });
    expect(await codeOf(pay({ entityId: channel }))).toBe('100.400.020');
    await rules({ rules: [] }, channel);
    expect(await codeOf(pay({ entityId: channel }))).toBe(APPROVED);
  });
});

describe('a payment that a person has to look at', () => {
  beforeEach(async () => {
    await addToken(harness.store, ADMINISTRATION, ['administration', 'read']);
    await rule({ kind: 'amount', currency: 'EUR', above: '1.00', action: 'review' });
  });
  const state = async (id: string): Promise<string> =>
    (await harness.get(`/v1/payments/${id}?entityId=${ENTITY}`)).body.result.code;

  it('waits, is listed, and goes to its issuer once it is released', async () => {
    const { body, status } = await pay();
    expect([status, body.result.code]).toEqual([200, '100.400.500']);
    expect(harness.line.sent).toEqual([]);
    const list = await administer('GET', '/v1/reviews');
    expect(list.body).toMatchObject({ reviews: [{ paymentId: body.id, entityId: ENTITY }] });
    expect(await state(body.id)).toBe('100.400.500');
    const released = await administer('POST', `/v1/reviews/${body.id}/release`, { note: 'known' });
    expect(released.body).toMatchObject({ review: { paymentId: body.id, decision: 'released' } });
    expect(await state(body.id)).toBe(APPROVED);
    expect(harness.line.sent).toHaveLength(1);
    expect((await administer('GET', '/v1/reviews')).body).toMatchObject({ reviews: [] });
  });

  it('is refused by a person, or at its deadline without a decision', async () => {
    const [first, second] = [await pay(), await pay()];
    await administer('POST', `/v1/reviews/${first.body.id}/refusal`);
    expect(await state(first.body.id)).toBe('100.400.020');
    await harness.clock.advance(WAITS.review.lifetimeMs);
    await harness.service.endOverdueWaits();
    expect(await state(second.body.id)).toBe(WAITS.review.expiredCode);
    expect(harness.line.sent).toEqual([]);
  });

  it('goes by the first word, also when a command gave it while the gateway was down', async () => {
    const { body } = await pay();
    const word = { paymentId: body.id, actor: 'operator', note: '' };
    expect((await decideReview(harness, { ...word, decision: 'released' }))?.decision).toBe('released');
    expect((await decideReview(harness, { ...word, decision: 'refused' }))?.decision).toBe('released');
    harness.restart();
    const work = reviewWork(harness);
    await carryOutReviews(work);
    await carryOutReviews(work);
    expect(await state(body.id)).toBe(APPROVED);
    expect(await harness.store.find('reviewDecisions', 'state', ['made'])).toEqual([]);
    expect(harness.line.sent).toHaveLength(1);
  });

  describe('after its approval', () => {
    const WRONG = { 'billing.street1': 'mismatch', 'billing.postcode': '00000' };
    beforeEach(() => rule({ kind: 'avs', answers: ['N'], action: 'review' }));
    const standing = async () =>
      (await harness.transactions()).filter(
        ({ kind, approved, reversed }) => kind === 'authorization' && approved && !reversed,
      );
    const decisionsOf = async (id: string) => {
      const { body } = await harness.get(`/v1/payments/${id}/timeline`);
      const { timeline } = body as unknown as { timeline: readonly Readonly<Record<string, string>>[] };
      return timeline
        .filter(({ rule: by }) => by === 'review')
        .map(({ at: _, clock: _clock, source: _source, ...entry }) => entry);
    };
    const listed = async () =>
      ((await administer('GET', '/v1/reviews')).body as unknown as { reviews: object[] }).reviews;

    it('stands once it is released, and is listed until then', async () => {
      const { body } = await pay(WRONG);
      expect(body.result.code).toBe('000.400.010');
      expect(await listed()).toEqual([
        { paymentId: body.id, entityId: ENTITY, resultCode: '000.400.010', since: expect.any(String) },
      ]);
      await administer('POST', `/v1/reviews/${body.id}/release`, { note: 'called' });
      expect(await listed()).toEqual([]);
      expect(await standing()).toHaveLength(1);
      const by = expect.stringMatching(/^token /);
      expect(await decisionsOf(body.id)).toEqual([{ step: 'risk', by, rule: 'review', detail: 'released' }]);
      const second = await administer('POST', `/v1/reviews/${body.id}/refusal`);
      expect(second).toMatchObject({
        status: 409,
        body: {
          result: {
            parameterErrors: [{ message: 'the payment was released before: the first word counts' }],
          },
        },
      });
      expect((await administer('POST', `/v1/reviews/${body.id}/release`)).status).toBe(200);
      expect(await standing()).toHaveLength(1);
    });

    it.each([
      ['DB', 0],
      ['PA', 0],
      ['DB', 500],
    ])(
      'is given back once it is refused: %s, of which %i was refunded',
      async (paymentType, refundedMinor) => {
        const { body } = await pay({ ...WRONG, paymentType });
        if (refundedMinor > 0)
          await harness.post(`/v1/payments/${body.id}`, {
            paymentType: 'RF',
            amount: '5.00',
            currency: 'EUR',
          });
        await decideReview(harness, { paymentId: body.id, decision: 'refused', actor: 'anna', note: '' });
        expect(await listed()).toEqual([]);
        for (let again = 0; again < 2; again += 1) await carryOutReviews(reviewWork(harness));
        const payment = await harness.store.get('payments', [body.id]);
        const left = (payment?.capturedMinor ?? 0) - (payment?.refundedMinor ?? 0);
        expect(payment?.state === 'reversed' ? 0 : left).toBe(0);
        expect(await decisionsOf(body.id)).toEqual([
          { step: 'risk', by: 'anna', rule: 'review', detail: 'refused', code: '100.400.020' },
        ]);
        expect(await harness.store.findAfter('alerts', undefined)).toEqual([]);
      },
    );

    it('that was charged back and then refused raises an alert', async () => {
      const { body } = await pay(WRONG);
      const [intent] = await harness.store.find('intents', 'payment', [body.id]);
      await harness.record.chargeBack({
        kind: 'chargeback',
        reference: 'c'.repeat(32),
        originalReference: intent?.id ?? '',
        amount: { minor: 1_234, currency: 'EUR' },
        reason: '10.4',
      });
      await new Chargebacks({
        feed: harness.record,
        context: harness.context,
        alerts: harness.alerts,
      }).round();
      await administer('POST', `/v1/reviews/${body.id}/refusal`);
      expect(await harness.store.findAfter('alerts', undefined)).toMatchObject([
        { code: 'review-not-reversed', subject: body.id },
      ]);
    });
  });

  it('of another merchant is not there', async () => {
    const { body } = await pay();
    const token = 'tb_test-token-of-a-stranger';
    await addToken(harness.store, token, ['administration'], {
      entityId: OTHER_ENTITY,
      merchantId: OTHER_ENTITY,
    });
    const authorization = `Bearer ${token}`;
    for (const path of ['release', 'refusal']) {
      const options = { authorization, body: '' };
      expect((await harness.send('POST', `/v1/reviews/${body.id}/${path}`, options)).status).toBe(404);
    }
    const list = await harness.send('GET', '/v1/reviews', { authorization });
    expect(list.body).toMatchObject({ reviews: [] });
    expect(await state(body.id)).toBe('100.400.500');
  });
});

describe('an external screening', () => {
  let screenings: { readonly body: Readonly<Record<string, unknown>> }[];
  /** Starts a service that answers so; undefined: never. */
  async function screenedBy(
    answer: object | undefined,
    whenSilent: WhenSilent = 'review',
    status = 200,
  ): Promise<void> {
    screenings = [];
    service = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        screenings.push({ body: JSON.parse(Buffer.concat(chunks).toString()) });
        if (answer) response.writeHead(status).end(JSON.stringify(answer));
      });
    });
    await new Promise<void>((resolve) => service?.listen(0, '127.0.0.1', resolve));
    const { port } = service.address() as AddressInfo;
    const onFault = (what: string) => harness.faults.push(what);
    const egress = new Egress({ allowed: peersOf(['127.0.0.1']), plainHttp: true, clock: systemClock });
    // What answers may take its time on a busy machine.
    const timeLimitMs = answer ? 10_000 : 200;
    const options = { egress, url: `http://127.0.0.1:${port}/screen`, timeLimitMs, onFault };
    harness.risk.screening = { service: new HttpScreening(options), whenSilent };
  }

  it('gets the values of risk.*, and no card number and nothing of a mandate', async () => {
    await screenedBy({ decision: 'accept', score: -7 });
    await pay({
      'risk.channelId': 'web',
      'risk.parameters[basket.kind]': 'tickets',
      'billing.country': 'DE',
    });
    expect(screenings.at(-1)?.body).toMatchObject({
      entityId: ENTITY,
      amount: '12.34',
      currency: 'EUR',
      bin: '420000',
      last4Digits: '0000',
      countries: { billing: 'DE' },
      risk: { channelId: 'web', 'parameters[basket.kind]': 'tickets' },
    });
    expect(JSON.stringify(screenings)).not.toContain(CARD['card.number']);
    const mandate = new Map([
      ['bankAccount.mandate.id', 'M-1'],
      ['bankAccount.mandate.dateOfSignature', '2026-01-01'],
      ['transactionDueDate', '2026-12-01'],
    ]);
    expect(riskDataOf(mandate)).toEqual({ parameters: {} });
  });

  it.each([
    [{ decision: 'accept', score: 5 }, APPROVED, '5'],
    [{ decision: 'deny', score: 900 }, '100.400.319', '900'],
    [{ decision: 'review' }, '100.400.500', '0'],
    [{ decision: 'accept', score: 100 }, '100.400.020', '100'],
  ])('that answers %j: %s', async (answer, code, score) => {
    await screenedBy(answer);
    const { body } = await pay();
    expect([body.result.code, body.risk.score]).toEqual([code, score]);
  });

  it.each<[WhenSilent, string]>([
    ['pass', APPROVED],
    ['flag', '000.400.082'],
    ['review', '100.400.500'],
    ['refuse', '100.400.325'],
  ])('that is silent lets the rule decide: %s', async (whenSilent, code) => {
    await screenedBy(undefined, whenSilent);
    expect(await codeOf(pay())).toBe(code);
    expect(harness.faults).toContain('the screening is silent');
  });

  it.each([
    ['no decision', { verdict: 'accept' }, 200],
    ['a score out of bounds', { decision: 'accept', score: 100_000 }, 200],
    ['a fault', { decision: 'accept' }, 500],
    ['another address', { decision: 'accept' }, 302],
  ])('that answers with %s counts as silent', async (_, answer, status) => {
    await screenedBy(answer, 'refuse', status);
    expect(await codeOf(pay())).toBe('100.400.325');
  });

  it('gets no request with an override that it does not take', async () => {
    await screenedBy({ decision: 'accept' });
    const answer = await pay({ 'risk.channelId': 'a'.repeat(13) });
    expect(answer.body.result.code).toBe('100.400.312');
    expect(answer.body.resultDetails.ExtendedDescription).toContain('risk.channelId');
    expect(screenings).toEqual([]);
  });
});

describe('a risk check without a payment', () => {
  const check = (more: Form = {}): Promise<Answer> =>
    harness.post('/v1/risk', { amount: '12.34', currency: 'EUR', ...more });

  it('answers a score and a code, and makes no payment', async () => {
    await rule({ kind: 'amount', currency: 'EUR', above: '10.00', points: 40 }, { reviewFrom: 40 });
    const { body, status } = await check();
    expect([status, body.result.code, body.risk.score]).toEqual([200, '000.400.000', '40']);
    expect((await check({ amount: '10.00' })).body).toMatchObject({
      risk: { score: '0' },
      result: { code: '000.100.110' },
    });
    await rule({ kind: 'list', of: 'ip', values: ['192.0.2.1'], action: 'refuse' });
    const refused = await check({ ...SHOPPER, 'customer.ip': '192.0.2.1' });
    expect([refused.status, refused.body.result.code]).toEqual([400, '100.400.020']);
    expect(refused.body.resultDetails.ExtendedDescription).toMatch(/^rule \w+: 800\.300\.301$/);
    expect(await harness.store.findAfter('payments', undefined)).toEqual([]);
  });

  it('names what is missing, and takes no bank account', async () => {
    const missing = await harness.post('/v1/risk', { currency: 'EUR', 'bankAccount.mandate.id': 'M' });
    const names = missing.body.result.parameterErrors.map(({ name }) => name);
    expect(names.sort()).toEqual(['amount', 'bankAccount.mandate.id']);
  });
});

describe('a word on a payment whose wait ends at this moment', () => {
  let disk: FailingStore;
  let id: string;
  beforeEach(async () => {
    await harness.dispose();
    disk = new FailingStore(new MemoryStore());
    harness = await openHttpHarness(() => disk);
    await rule({ kind: 'amount', currency: 'EUR', above: '1.00', action: 'review' });
    ({ id } = (await pay()).body);
    await harness.clock.advance(WAITS.review.lifetimeMs);
  });
  /** What another process does before the first commit with a new row of the table. */
  const beforeNew = (table: TableName, act: () => Promise<unknown>): void => {
    disk.beforeCommit = async (changes) => {
      if (!changes.some((change) => change.op === 'insert' && change.table === table)) return;
      disk.beforeCommit = async () => undefined;
      await act();
    };
  };
  const release = () =>
    decideReview(harness, { paymentId: id, decision: 'released', actor: 'anna', note: '' });

  it('counts where it is there before the end', async () => {
    beforeNew('payments', async () => expect(await release()).toMatchObject({ decision: 'released' }));
    await harness.service.endOverdueWaits();
    await harness.clock.advance(DEADLINE_LIMITS.retryMs);
    await harness.service.endOverdueWaits();
    expect((await harness.get(`/v1/payments/${id}`)).body.result.code).toBe(APPROVED);
  });

  it('is not taken where the end is there first', async () => {
    beforeNew('reviewDecisions', () => harness.service.endOverdueWaits());
    expect(await release()).toBeUndefined();
    expect((await harness.get(`/v1/payments/${id}`)).body.result.code).toBe(WAITS.review.expiredCode);
  });
});
