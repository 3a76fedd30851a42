import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MemoryStore } from '../../../kernel/store/testing/memory-store.js';
import {
  ENGINES,
  ENTITY,
  FailingStore,
  followUp,
  OTHER_ENTITY,
  openPaymentHarness,
  type PaymentHarness,
  restPayment,
  storeOf,
} from '../payment-harness.test.support.js';
import { GatewayPaymentService } from '../service.js';

/** A follow-up that goes in together with the others, at one of two processes on the same store. */
const FOLLOW_UP = fc.record({
  type: fc.constantFrom('CP', 'RF', 'RV', 'RC', 'INCREMENTAL_AUTH'),
  minor: fc.integer({ min: 1, max: 900 }),
  service: fc.constantFrom(0, 1),
});

describe.each(ENGINES)('follow-ups at the same moment on the %s engine', (engine) => {
  let harness: PaymentHarness;
  beforeAll(async () => {
    harness = await openPaymentHarness(storeOf(engine));
  });
  afterAll(() => harness.dispose());

  it('never exceed what was authorized or captured', async () => {
    const rounds = fc.array(fc.array(FOLLOW_UP, { minLength: 2, maxLength: 4 }), {
      minLength: 1,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('PA', 'DB', 'PA.CP'), rounds, async (type, batches) => {
        const amount = { minor: 1_000, currency: 'EUR' };
        const { paymentId = '' } = await harness.service.authorize(restPayment({ type, amount }));
        const other = new GatewayPaymentService(harness.context);
        const done: { type: string; minor: number }[] = [];
        for (const batch of batches) {
          const results = await Promise.allSettled(
            batch.map(({ type, minor, service }) =>
              (service === 0 ? harness.service : other).followUp(
                followUp(type, paymentId, type === 'RV' ? undefined : minor),
              ),
            ),
          );
          for (const result of results) {
            // A process that finds the other's lock gives way with TryLaterError, and has done nothing.
            if (result.status === 'rejected') expect(result.reason).toHaveProperty('name', 'TryLaterError');
            else if (['approved', 'reversed'].includes(result.value.disposition)) {
              const row = await harness.service.find(result.value.paymentId ?? '', ENTITY);
              done.push({ type: row?.type ?? '', minor: row?.amountMinor ?? 0 });
            }
          }
        }
        await harness.service.resolveOpen();
        const sum = (kind: string): number =>
          done.filter((one) => one.type === kind).reduce((total, { minor }) => total + minor, 0);
        const authorized = 1_000 + sum('PA');
        const captured = type === 'PA' ? sum('CP') : 1_000 - sum('RV');
        expect(captured).toBeLessThanOrEqual(authorized);
        expect(sum('RF')).toBeLessThanOrEqual(captured);
        if (type === 'PA') expect(captured + sum('RV')).toBeLessThanOrEqual(authorized);
        const stored = await harness.service.find(paymentId, ENTITY);
        expect(stored).toMatchObject({
          authorizedMinor: authorized,
          capturedMinor: captured,
          refundedMinor: sum('RF'),
          reversedMinor: sum('RV'),
          lockedBy: null,
        });
      }),
      { numRuns: 25, seed: 20_261_120 },
    );
  });
});

it('of another merchant wait for nothing, and hold nothing up', async () => {
  const harness = await openPaymentHarness();
  const { paymentId = '' } = await harness.service.authorize(restPayment());
  let open = (): void => undefined;
  harness.line.gate = new Promise((resolve) => {
    open = resolve;
  });
  const own = harness.service.followUp(followUp('CP', paymentId, 100));
  while (harness.line.sent.length < 2) await new Promise((resolve) => setImmediate(resolve));
  const strangers = {
    ...followUp('CP', paymentId, 100),
    origin: { kind: 'rest', entityId: OTHER_ENTITY },
  } as const;
  // The acquirer has not answered the merchant itself yet.
  const unknown = await harness.service.followUp({
    ...strangers,
    target: { by: 'payment', paymentId: 'none' },
  });
  expect(await harness.service.followUp(strangers)).toMatchObject({ resultCode: unknown.resultCode });
  open();
  expect(await own).toMatchObject({ disposition: 'approved' });
  await harness.dispose();
});

it('are no leftovers when the resolver reads their intents before they learn of their own commits', async () => {
  const store = new FailingStore(new MemoryStore());
  const harness = await openPaymentHarness(() => store);
  const { service } = harness;
  const { paymentId = '' } = await service.authorize(
    restPayment({ type: 'PA', amount: { minor: 1_000, currency: 'EUR' } }),
  );
  const open: number[] = [];
  store.afterCommit = async (changes) => {
    const begins = changes.some((change) => change.op === 'insert' && change.table === 'intents');
    if (begins) open.push(await service.resolveOpen());
  };
  for (const type of ['INCREMENTAL_AUTH', 'CP', 'RF'] as const)
    expect(await service.followUp(followUp(type, paymentId, 100)), type).toMatchObject({
      disposition: 'approved',
    });
  // Each was found, and left to its request.
  expect(open).toHaveLength(3);
  expect(harness.line.sent.map(({ kind }) => kind)).not.toContain('reversal');
  await harness.dispose();
});
