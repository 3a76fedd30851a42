import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  CARD,
  type HttpHarness,
  openHttpHarness,
  reviewWork,
} from '../../app/http/http-harness.test.support.js';
import { eventsOfEntity } from '../../core/payments/events/stored-events.test.support.js';
import { ENTITY } from '../../core/payments/payment-harness.test.support.js';
import { setRiskRules } from '../../features/risk/entity-rules.js';
import { readRiskRules } from '../../features/risk/rules/risk-rules.js';
import { carryOutReviews, decideReview } from '../../features/risk/service.js';
import { notifiedAs } from './event-kinds.js';

let harness: HttpHarness;
beforeEach(async () => {
  harness = await openHttpHarness();
});
afterEach(() => harness.dispose());

const rule = (more: object) =>
  setRiskRules(harness, ENTITY, readRiskRules(JSON.stringify({ rules: [{ name: 'rule', ...more }] })));
const ABOVE = { kind: 'amount', currency: 'EUR', above: '1.00' };
/** What merchants receive, in the order in which it is delivered. */
const delivered = async () =>
  (await eventsOfEntity(harness.store, ENTITY)).map(({ kind, payload }) => {
    const { type, action } = notifiedAs(kind) ?? {};
    const { id, result, risk } = JSON.parse(payload);
    return { what: `${type} ${action ?? ''}`.trim(), id, code: result.code, score: risk?.score };
  });
const sorted = (all: readonly { readonly what: string }[]) => all.map(({ what }) => what).sort();

describe('an event of risk', () => {
  it('notify a payment that the rules refuse, in addition to the payment', async () => {
    await rule({ ...ABOVE, action: 'refuse' });
    const { body } = await harness.post('/v1/payments', CARD);
    expect(sorted(await delivered())).toEqual(['PAYMENT', 'RISK CREATED']);
    const [first, second] = await delivered();
    expect(first).toMatchObject({ id: body.id, code: body.result.code, score: body.risk.score });
    expect(second).toMatchObject({ id: body.id, code: body.result.code });
  });

  it.each([
    ['released', ['PAYMENT', 'RISK CREATED']],
    ['refused', ['PAYMENT', 'RISK CREATED', 'RISK UPDATED']],
  ] as const)('reports that a payment waits for a person, and that it was %s', async (decision, events) => {
    await rule({ ...ABOVE, action: 'review' });
    const { body } = await harness.post('/v1/payments', CARD);
    expect(await delivered()).toEqual([
      { what: 'RISK CREATED', id: body.id, code: body.result.code, score: body.risk.score },
    ]);
    await decideReview(harness, { paymentId: body.id, decision, actor: 'anna', note: '' });
    await carryOutReviews(reviewWork(harness));
    expect(sorted(await delivered())).toEqual(events);
  });

  it('reports a check without a payment', async () => {
    await harness.post('/v1/risk', { amount: '12.34', currency: 'EUR' });
    expect(await delivered()).toEqual([
      { what: 'RISK CREATED', id: undefined, code: '000.100.110', score: '0' },
    ]);
  });

  it('reports nothing of a payment without a finding', async () => {
    await harness.post('/v1/payments', CARD);
    expect(sorted(await delivered())).toEqual(['PAYMENT']);
  });
});
