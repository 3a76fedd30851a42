import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { WAITS } from '../decide/waits.js';
import { bankPayment, ENTITY, openPaymentHarness } from '../payment-harness.test.support.js';
import { GatewayPaymentService } from '../service.js';

/** Payments, each with a race of its own. */
const RACES = 1_000;
/** Races at the same time. */
const AT_ONCE = 50;
/** Turns of the event loop that an actor may be late. */
const LATEST = 12;

/** The same numbers for the same seed (mulberry32). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

test(`${RACES} races of shopper, return, poll, deadline and a second process have one outcome each, and the ledger agrees`, async () => {
  const harness = await openPaymentHarness();
  const seed = Number(process.env.TILLBRIDGE_RACE_SEED ?? 16);
  const number = numbers(seed);
  const other = new GatewayPaymentService(harness.context);
  const outcomes = new Map<string, number>();
  try {
    for (let round = 0; round < RACES / AT_ONCE; round += 1) {
      const begun = await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          const { paymentId = '' } = await harness.service.authorize(bankPayment());
          const [intent] = await harness.store.find('intents', 'payment', [paymentId]);
          return { id: paymentId, reference: intent?.id ?? '' };
        }),
      );
      await harness.clock.advance(WAITS.redirect.lifetimeMs);
      const late = async (work: () => unknown): Promise<void> => {
        for (let turns = number(LATEST); turns > 0; turns -= 1) await nextTurn();
        await work();
      };
      await Promise.all(
        begun.flatMap(({ id, reference }) => {
          const decision = (['approved', 'refused', undefined] as const)[number(3)];
          const service = () => (number(2) === 0 ? harness.service : other);
          return [
            late(() => decision && harness.bank.payments.decide(reference, decision)),
            late(() => service().continueWaiting(id, 'return')),
            late(() => service().lookUp(id, ENTITY)),
            late(() => service().lookUp(id, ENTITY)),
            late(() => service().continueWaiting(id, 'deadline')),
          ];
        }),
      );
      // Whoever lost a race left the rest to the next round of the workers.
      for (let rest = 0; rest < 3; rest += 1) {
        await harness.service.endOverdueWaits();
        await harness.service.resolveOpen();
      }
      for (const { id, reference } of begun) {
        const about = `seed ${seed}, payment ${id}`;
        const payment = await harness.store.get('payments', [id]);
        const entry = await harness.record.entry(reference);
        const taken = (entry?.capturedMinor ?? 0) - (entry?.refundedMinor ?? 0);
        expect(taken, about).toBe(payment?.state === 'captured' ? 1_234 : 0);
        expect(await harness.store.find('events', 'payment', [id]), about).toHaveLength(1);
        expect(await harness.store.get('waits', [id]), about).toMatchObject({
          dueAtMs: null,
          redirect: null,
        });
        const outcome = `${payment?.state} ${payment?.resultCode}`;
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
    }
  } finally {
    // Compares payments, answers and the acquirer's record, and throws where they differ.
    await other.stop();
    await harness.dispose();
  }
  // All three ends were reached, so the races were races.
  expect([...outcomes.keys()].sort()).toEqual([
    'captured 000.100.110',
    'declined 100.396.101',
    'declined 100.396.103',
  ]);
}, 240_000);
