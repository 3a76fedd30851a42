import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StoreUnavailableError } from '../../../kernel/store/store.js';
import { CLAIM_LIMITS } from '../../../kernel/workers/claim-loop.js';
import type { AcquirerRequest } from '../../acquirers/acquirer.js';
import { eventsOfPayment } from '../events/stored-events.test.support.js';
import type { Gate, GatedPayment, GateVerdict } from '../gates/gate.js';
import {
  bankPayment,
  ENGINES,
  ENTITY,
  openPaymentHarness,
  type PaymentHarness,
  restPayment,
  storeOf,
  tillSale,
} from '../payment-harness.test.support.js';
import { WAITS } from '../rules/waits.js';
import { GatewayPaymentService } from '../service.js';
import { DEADLINE_LIMITS } from './wait-deadlines.js';

const { lifetimeMs, expiredCode } = WAITS.challenge;

let harness: PaymentHarness;
/** The next verdict of the gate, and its calls. */
let verdict: GateVerdict;
let gateCalls: { readonly payment: GatedPayment; readonly state?: unknown; readonly why?: string }[];
let gates: Gate[];

const redirect = { url: 'https://acs.example/', method: 'POST', parameters: [] } as const;
const WAITING: GateVerdict = {
  verdict: 'wait',
  waiting: { kind: 'challenge', redirect },
  state: { step: 1 },
};

function gate(name: string): Gate {
  return {
    name,
    pass: async (payment) => {
      gateCalls.push({ payment });
      return verdict;
    },
    again: async (payment, state, why) => {
      gateCalls.push({ payment, state, why });
      return verdict;
    },
  };
}

function restart(): void {
  harness.service = new GatewayPaymentService({ ...harness.context, gates });
}

async function begin() {
  const result = await harness.service.authorize(restPayment());
  return { id: result.paymentId ?? '', result };
}

const rowOf = (id: string) => harness.service.find(id, ENTITY);
const waitOf = (id: string) => harness.store.get('waits', [id]);
const kinds = () => harness.line.sent.map(({ kind }: AcquirerRequest) => kind);

/** Events of a payment's outcome; the event of its wait is left out. */
const reportedOutcomes = async (paymentId: string) =>
  (await eventsOfPayment(harness.store, paymentId)).filter(({ kind }) => kind === 'payment');

describe.each(ENGINES)('a payment at a gate: %s', (engine) => {
  beforeEach(async () => {
    harness = await openPaymentHarness(storeOf(engine));
    verdict = WAITING;
    gateCalls = [];
    gates = [gate('first')];
    restart();
  });
  afterEach(() => harness.dispose());

  test('goes to the acquirer with what the gate added', async () => {
    const request = restPayment({ billing: { street: 'High Street', postcode: '12345' } });
    verdict = { verdict: 'pass', request, shown: { threeDSecure: { eci: '05' } } };
    const { id, result } = await begin();
    expect(result.disposition).toBe('approved');
    expect(harness.line.sent[0]).toMatchObject({ billing: request.billing });
    expect(JSON.parse((await rowOf(id))?.echo ?? '')).toEqual({ threeDSecure: { eci: '05' } });
    expect(await waitOf(id)).toBeUndefined();
  });

  test('is refused there, and no request goes to the acquirer', async () => {
    verdict = { verdict: 'refuse', resultCode: '100.380.401', shown: { threeDSecure: { eci: '07' } } };
    const { id, result } = await begin();
    expect(result).toMatchObject({ disposition: 'refused', resultCode: '100.380.401' });
    expect(JSON.parse((await rowOf(id))?.echo ?? '')).toEqual({ threeDSecure: { eci: '07' } });
    expect(harness.line.sent).toEqual([]);
  });

  test('waits there, sealed, and no look ends it; a pass sends it with its card verification value', async () => {
    const { id, result } = await begin();
    expect(result).toMatchObject({ disposition: 'pending', resultCode: '000.200.000' });
    const wait = await waitOf(id);
    expect(wait).toMatchObject({ kind: 'challenge', untilMs: harness.clock.nowMs() + lifetimeMs });
    expect(JSON.stringify(wait)).not.toContain('4200000000000000');
    for (let look = 0; look < 3; look += 1) await harness.service.lookUp(id, ENTITY);
    expect(await harness.service.resolveOpen()).toBe(0);
    expect(harness.line.sent).toEqual([]);
    expect(await rowOf(id)).toMatchObject({ state: 'pending' });
    expect(gateCalls.at(-1)).toMatchObject({ state: { step: 1 }, why: 'poll' });
    verdict = { verdict: 'pass', shown: { threeDSecure: { eci: '05' } } };
    const done = await harness.service.continueWaiting(id, 'return');
    expect(done?.disposition).toBe('approved');
    expect(harness.line.sent).toEqual([
      expect.objectContaining({
        kind: 'authorization',
        instrument: expect.objectContaining({ pan: '4200000000000000', cvv: '123' }),
      }),
    ]);
    expect(await waitOf(id)).toMatchObject({ sealed: null, keyId: null, untilMs: null, redirect: null });
    expect(JSON.parse((await rowOf(id))?.echo ?? '')).toEqual({ threeDSecure: { eci: '05' } });
  });

  test('keeps what the gate keeps, and its deadline, over a restart', async () => {
    const { id } = await begin();
    const untilMs = (await waitOf(id))?.untilMs;
    await harness.clock.advance(1_000);
    verdict = { ...WAITING, state: { step: 2 } };
    await harness.service.continueWaiting(id, 'news');
    restart();
    await harness.service.continueWaiting(id, 'return');
    expect(gateCalls.at(-1)).toMatchObject({
      state: { step: 2 },
      why: 'return',
      payment: { paymentId: id, request: { card: { cvv: '123' } } },
    });
    expect((await waitOf(id))?.untilMs).toBe(untilMs);
  });

  test('ends at the deadline, whether the gate answers or fails, and keeps nothing of the card', async () => {
    const [first, second] = [await begin(), await begin()];
    await harness.clock.advance(lifetimeMs);
    await harness.service.endOverdueWaits();
    expect(await rowOf(first.id)).toMatchObject({ state: 'declined', resultCode: expiredCode });
    expect(await rowOf(second.id)).toMatchObject({ state: 'declined', resultCode: expiredCode });
    const third = await begin();
    gates[0] = { ...gate('first'), again: () => Promise.reject(new Error('no answer')) };
    await harness.service.continueWaiting(third.id, 'poll');
    expect(await rowOf(third.id)).toMatchObject({ state: 'pending' });
    await harness.clock.advance(lifetimeMs);
    await harness.service.endOverdueWaits();
    expect(await rowOf(third.id)).toMatchObject({ state: 'declined' });
    expect(await waitOf(third.id)).toMatchObject({ sealed: null, endedAtMs: harness.clock.nowMs() });
    expect(kinds()).toEqual([]);
    expect(await reportedOutcomes(third.id)).toHaveLength(1);
  });

  test('does not expire while the store cannot be read: its shopper may have passed', async () => {
    const { id } = await begin();
    await harness.clock.advance(lifetimeMs);
    verdict = { verdict: 'pass' };
    const { again } = gates[0] as Gate;
    gates[0] = {
      ...gate('first'),
      again: () => Promise.reject(new StoreUnavailableError('unreachable', 'no answer')),
    };
    await harness.service.endOverdueWaits();
    expect(await rowOf(id)).toMatchObject({ state: 'pending' });
    gates[0] = { ...gate('first'), again };
    await harness.clock.advance(CLAIM_LIMITS.retryMs);
    await harness.service.endOverdueWaits();
    expect(await rowOf(id)).toMatchObject({ state: 'authorized' });
  });

  test('meets the gates behind once the first lets it pass', async () => {
    gates.push({
      ...gate('second'),
      pass: async () => ({ verdict: 'wait', waiting: { kind: 'review' }, state: 'looked at' }),
    });
    const { id } = await begin();
    verdict = { verdict: 'pass' };
    expect(await harness.service.continueWaiting(id, 'return')).toBeUndefined();
    expect(await rowOf(id)).toMatchObject({ resultCode: WAITS.review.pendingCode });
    expect(await waitOf(id)).toMatchObject({ kind: 'review' });
    await harness.service.continueWaiting(id, 'news');
    expect(gateCalls.at(-1)).toMatchObject({ state: 'looked at', why: 'news' });
    expect(await rowOf(id)).toMatchObject({ state: 'authorized' });
  });

  test('is let through by one of two processes, and sent once', async () => {
    const { id } = await begin();
    verdict = { verdict: 'pass' };
    const other = new GatewayPaymentService({ ...harness.context, gates });
    await Promise.all([
      harness.service.continueWaiting(id, 'return'),
      other.continueWaiting(id, 'return'),
      other.continueWaiting(id, 'deadline'),
    ]);
    expect(kinds()).toEqual(['authorization']);
    expect(await rowOf(id)).toMatchObject({ state: 'authorized' });
    expect(await reportedOutcomes(id)).toHaveLength(1);
  });

  test('is not that of a till', async () => {
    const sale = await harness.service.authorize(tillSale('m1', 'r1'));
    expect(sale.disposition).toBe('approved');
    expect(gateCalls).toEqual([]);
  });
});

test('more overdue payments at a bank that is away than are ended at once hold up no card at a gate', async () => {
  harness = await openPaymentHarness();
  verdict = WAITING;
  gateCalls = [];
  gates = [{ ...gate('cards'), pass: async ({ request }) => (request.card ? WAITING : { verdict: 'pass' }) }];
  restart();
  for (let count = 0; count <= DEADLINE_LIMITS.concurrency; count += 1)
    await harness.service.authorize(bankPayment());
  await harness.clock.advance(WAITS.redirect.lifetimeMs - lifetimeMs + 1);
  const { id } = await begin();
  harness.bank.isCut = true;
  await harness.clock.advance(lifetimeMs);
  await harness.service.endOverdueWaits();
  expect(await rowOf(id)).toMatchObject({ state: 'declined', resultCode: expiredCode });
  harness.bank.isCut = false;
  await harness.clock.advance(DEADLINE_LIMITS.lastRetryMs);
  await harness.service.endOverdueWaits();
  expect(await harness.store.find('intents', 'state', ['waiting'])).toEqual([]);
  await harness.dispose();
});
