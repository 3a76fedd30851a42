import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  addToken,
  CARD,
  type HttpHarness,
  openHttpHarness,
} from '../../app/http/http-harness.test.support.js';
import { setRiskRules } from '../../features/risk/entity-rules.js';
import { readRiskRules } from '../../features/risk/rules/risk-rules.js';
import { decideReview } from '../../features/risk/service.js';
import { ENTITY, OTHER_ENTITY } from '../payments/payment-harness.test.support.js';
import type { StoryView } from '../payments/story/story-view.js';

type Form = Readonly<Record<string, string>>;

let harness: HttpHarness;
beforeEach(async () => {
  harness = await openHttpHarness();
});
afterEach(() => harness.dispose());

const pay = async (more: Form = {}): Promise<string> =>
  (await harness.post('/v1/payments', { ...CARD, paymentType: 'DB', ...more })).body.id;
const rules = (...list: object[]): Promise<void> =>
  setRiskRules(harness, ENTITY, readRiskRules(JSON.stringify({ rules: list })));
const story = async (id: string): Promise<StoryView> => {
  const { status, body } = await harness.get(`/v1/payments/${id}/timeline?entityId=${ENTITY}`);
  expect(status).toBe(200);
  return body as unknown as StoryView;
};
/** What was decided: without what events and settlement add. */
const stepsOf = async (id: string) =>
  (await story(id)).timeline
    .filter(({ source }) => source !== 'webhook')
    .map(({ at, paymentId: _, ids: _ids, durationMs: _took, source: _source, clock, ...entry }) => {
      expect(new Date(at).toISOString()).toBe(at);
      expect(clock).toBe('gateway');
      return entry;
    });

const METHOD = { step: 'received', by: 'gateway', detail: 'authorization requested, VISA' };
const APPROVED = {
  step: 'acquirer',
  by: 'INTERNAL',
  rule: '00',
  code: '000.100.110',
  detail: 'risk score 0',
};
const REVIEWED = { name: 'much', kind: 'amount', currency: 'EUR', above: '1.00', action: 'review' };

describe('the timeline of a payment', () => {
  it('names the method and the answer of the acquirer', async () => {
    expect(await stepsOf(await pay())).toEqual([METHOD, APPROVED]);
  });

  it('names each risk rule that fitted, before the issuer’s answer and after it', async () => {
    await rules(
      { name: 'amount', kind: 'amount', currency: 'EUR', above: '1.00', points: 5 },
      { name: 'cvv unknown', kind: 'cvv', answers: ['U'], points: 7 },
    );
    expect(await stepsOf(await pay({ 'card.cvv': '999' }))).toEqual([
      METHOD,
      { step: 'risk', by: 'gateway', rule: 'amount', detail: 'points 5' },
      { step: 'risk', by: 'gateway', rule: 'cvv unknown', code: '000.100.110' },
      { ...APPROVED, detail: 'risk score 12' },
    ]);
  });

  it('names the rule of a refusal, which the acquirer never saw', async () => {
    const id = await pay({ 'standingInstruction.mode': 'INITIAL', 'standingInstruction.source': 'MIT' });
    const code = '600.200.501';
    expect(await stepsOf(id)).toEqual([
      { step: 'standing-instruction', by: 'gateway', rule: expect.stringContaining('cardholder'), code },
      {
        ...{ step: 'outcome', by: 'gateway', code },
        detail: expect.stringMatching(/^VISA, .*standingInstruction\.source/),
      },
    ]);
  });

  it('grows while a payment waits, and names the person', async () => {
    await rules(REVIEWED);
    const id = await pay();
    const decided = [
      { step: 'risk', by: 'gateway', rule: 'much', detail: 'points 0' },
      { step: 'risk', by: 'gateway', detail: 'review, score 0' },
    ];
    const pending = { ...METHOD, code: '100.400.500', detail: `${METHOD.detail}, pending` };
    const waits = { step: 'wait', by: 'gateway', detail: expect.stringMatching(/^review, until 2/) };
    expect(await stepsOf(id)).toEqual([pending, ...decided, waits]);
    expect((await story(id)).money).toMatchObject({
      authorized: '0.00',
      next: [{ followUp: 'capture', allowed: false, code: '700.400.570' }, {}, {}, {}],
    });
    await decideReview(harness, { paymentId: id, decision: 'refused', actor: 'anna', note: 'stolen' });
    await harness.service.continueWaiting(id, 'news');
    const code = '100.400.020';
    expect(await stepsOf(id)).toEqual([
      METHOD,
      ...decided,
      { ...waits, detail: 'review' },
      { step: 'review refused', by: 'anna', detail: 'stolen (not carried out yet)' },
      { step: 'risk', by: 'anna', rule: 'review', code, detail: 'refused' },
      { step: 'outcome', by: 'gateway', code },
    ]);
  });

  it('has what followed the payment', async () => {
    const id = await pay({ paymentType: 'PA' });
    const capture = { paymentType: 'CP', amount: '12.34', currency: 'EUR' };
    for (let time = 0; time < 2; time += 1) {
      await harness.clock.advance(1);
      await harness.post(`/v1/payments/${id}`, capture);
    }
    const steps = (await stepsOf(id)).map(({ step, code }) => [step, code]);
    expect(steps).toEqual([
      ['received', undefined],
      ['acquirer', '000.100.110'],
      ['follow-up CP: received', undefined],
      ['follow-up CP: acquirer', '000.100.110'],
      ['follow-up CP: outcome', '700.400.100'],
    ]);
  });

  it('is written with the payment: after a crash it is whole', async () => {
    await rules({ name: 'amount', kind: 'amount', currency: 'EUR', above: '1.00', points: 5 });
    harness.line.fault = 'answer-lost';
    const id = await pay();
    harness.restart();
    await harness.service.resolveOpen();
    expect((await stepsOf(id)).map(({ rule }) => rule)).toContain('amount');
  });

  it('begins with the money, and what can follow or why not', async () => {
    const id = await pay({ paymentType: 'PA' });
    await harness.post(`/v1/payments/${id}`, { paymentType: 'CP', amount: '10.00', currency: 'EUR' });
    const { money, linked, gaps } = await story(id);
    expect(money).toEqual({
      ...{ currency: 'EUR', authorized: '12.34', captured: '10.00', refunded: '0.00' },
      ...{ chargedBack: '0.00', reversed: '0.00' },
      next: [
        { paymentType: 'CP', followUp: 'capture', allowed: true, upTo: '2.34' },
        { paymentType: 'RF', followUp: 'refund', allowed: true, upTo: '10.00' },
        { paymentType: 'RV', followUp: 'reversal', allowed: true, upTo: '2.34' },
        {
          ...{ paymentType: 'PA', followUp: 'increment', allowed: false, code: '700.300.300' },
          description: expect.any(String),
        },
      ],
    });
    expect(linked).toMatchObject([
      { id, paymentType: 'PA', amount: '12.34', followedBy: [{ paymentType: 'CP', amount: '10.00' }] },
    ]);
    expect(gaps).toEqual([expect.objectContaining({ text: expect.stringContaining('right diagnostics') })]);
  });

  it('shows what only diagnostics need to a token with that right, and nothing in clear', async () => {
    const shopper = { 'customer.email': 'jane@example.com', 'customer.givenName': 'Jane' };
    const id = await pay({ ...shopper, 'customer.surname': 'Jones' });
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    const token = 'tb_test-token-of-a-developer';
    await addToken(harness.store, token, ['read', 'diagnostics']);
    const options = { authorization: `Bearer ${token}` };
    const { body } = await harness.send('GET', `/v1/payments/${id}/timeline`, options);
    const shown = body as unknown as StoryView;
    expect(shown.timeline.map(({ source }) => source)).toContain('security-module');
    expect(shown.gaps).toEqual([]);
    expect((await story(id)).timeline.map(({ source }) => source)).not.toContain('security-module');
    for (const secret of [CARD['card.number'], 'jane@example.com', 'Jane'])
      expect(JSON.stringify(body)).not.toContain(secret);
  });

  it('of another merchant is not there', async () => {
    const id = await pay();
    const token = 'tb_test-token-of-a-stranger';
    await addToken(harness.store, token, ['read'], { entityId: OTHER_ENTITY, merchantId: OTHER_ENTITY });
    const options = { authorization: `Bearer ${token}` };
    expect((await harness.send('GET', `/v1/payments/${id}/timeline`, options)).status).toBe(404);
  });
});
