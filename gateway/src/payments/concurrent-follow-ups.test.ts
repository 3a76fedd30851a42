import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type DeskWorld,
  ENGINES,
  ENTITY,
  followUp,
  openDeskWorld,
  restPayment,
  storeOf,
} from './desk-world.test.support.js';
import { GatewayPaymentDesk } from './payment-desk.js';

/** A follow-up that goes in together with the others, at one of two processes on the same store. */
const FOLLOW_UP = fc.record({
  type: fc.constantFrom('CP', 'RF', 'RV', 'RC', 'INCREMENTAL_AUTH'),
  minor: fc.integer({ min: 1, max: 900 }),
  desk: fc.constantFrom(0, 1),
});

describe.each(ENGINES)('follow-ups at the same moment on the %s engine', (engine) => {
  let world: DeskWorld;
  beforeAll(async () => {
    world = await openDeskWorld(storeOf(engine));
  });
  afterAll(() => world.dispose());

  it('never exceed what was authorized or captured', async () => {
    const rounds = fc.array(fc.array(FOLLOW_UP, { minLength: 2, maxLength: 4 }), {
      minLength: 1,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('PA', 'DB', 'PA.CP'), rounds, async (type, batches) => {
        const amount = { minor: 1_000, currency: 'EUR' };
        const { paymentId = '' } = await world.desk.authorize(restPayment({ type, amount }));
        const other = new GatewayPaymentDesk(world.context);
        const done: { type: string; minor: number }[] = [];
        for (const batch of batches) {
          const results = await Promise.allSettled(
            batch.map(({ type, minor, desk }) =>
              (desk === 0 ? world.desk : other).followUp(
                followUp(type, paymentId, type === 'RV' ? undefined : minor),
              ),
            ),
          );
          for (const result of results) {
            // A process that finds the other's lock gives way: asked again later, nothing was done.
            if (result.status === 'rejected') expect(result.reason).toHaveProperty('name', 'TryLaterError');
            else if (['approved', 'reversed'].includes(result.value.disposition)) {
              const row = await world.desk.find(result.value.paymentId ?? '', ENTITY);
              done.push({ type: row?.type ?? '', minor: row?.amountMinor ?? 0 });
            }
          }
        }
        await world.desk.resolveOpen();
        const sum = (kind: string): number =>
          done.filter((one) => one.type === kind).reduce((total, { minor }) => total + minor, 0);
        const authorized = 1_000 + sum('PA');
        const captured = type === 'PA' ? sum('CP') : 1_000 - sum('RV');
        expect(captured).toBeLessThanOrEqual(authorized);
        expect(sum('RF')).toBeLessThanOrEqual(captured);
        if (type === 'PA') expect(captured + sum('RV')).toBeLessThanOrEqual(authorized);
        const stored = await world.desk.find(paymentId, ENTITY);
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
  }, 60_000);
});
