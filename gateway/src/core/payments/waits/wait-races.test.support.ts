import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Store } from '../../../kernel/store/store.js';
import type { Acquirer } from '../../acquirers/acquirer.js';
import { eventsOfPayment } from '../events/stored-events.test.support.js';
import type { Gate } from '../gates/gate.js';
import {
  bankPayment,
  ENTITY,
  openPaymentHarness,
  type PaymentHarness,
  restPayment,
} from '../payment-harness.test.support.js';
import { WAITS } from '../rules/waits.js';
import { GatewayPaymentService } from '../service.js';
import type { PaymentContext } from '../steps/payment-context.js';

/** Races at the same time. */
const AT_ONCE = 50;
/** Turns of the event loop that an actor may be late. */
const LATEST = 12;
/** Minor units of every payment. */
const MINOR = 1_234;

/** What a deliberate bug changes; an honest run changes nothing. */
export interface WaitMutation {
  readonly store?: (store: Store) => Store;
  readonly acquirer?: (acquirer: Acquirer) => Acquirer;
}

/** How the payments of a run ended, and which promises were broken. */
interface RaceResult {
  readonly outcomes: ReadonlyMap<string, number>;
  readonly broken: readonly string[];
}

interface Begun {
  readonly id: string;
  readonly reference: string;
  readonly at: 'bank' | 'gate';
}

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

/**
 * Lets payments wait at the bank and at a gate. First no decision comes, clients and workers look, and the gateway dies: nothing may end. Then
 * shoppers, returns, looks, deadlines and a second process race, and the gateway dies once more: each payment has one outcome, the
 * acquirer's ledger agrees, and nothing is kept for later steps.
 */
export async function runRaces(
  seed: number,
  races: number,
  mutation: WaitMutation = {},
): Promise<RaceResult> {
  const harness = await openPaymentHarness();
  const number = numbers(seed);
  const broken: string[] = [];
  const outcomes = new Map<string, number>();
  const passed = new Set<string>();
  const gates = [challenge(passed)];
  const context: PaymentContext = {
    ...harness.context,
    store: mutation.store?.(harness.store) ?? harness.store,
    acquirer: mutation.acquirer?.(harness.line) ?? harness.line,
  };
  let services = twoProcesses(context, gates);
  const dying: Promise<unknown>[] = [];
  /** Both processes end and begin anew; their running work has no owner. */
  const restart = (): void => {
    dying.push(...services.map((service) => service.stop()));
    services = twoProcesses(context, gates);
  };
  const one = (): GatewayPaymentService => services[number(2)] ?? services[0];
  const late = async (work: () => unknown): Promise<void> => {
    for (let turns = number(LATEST); turns > 0; turns -= 1) await nextTurn();
    await Promise.resolve(work()).catch((error: unknown) => broken.push(`an actor failed: ${String(error)}`));
  };
  const look = async (): Promise<void> => {
    for (const service of services) {
      await service.endOverdueWaits();
      await service.resolveOpen();
    }
  };
  for (let round = 0; round < races / AT_ONCE; round += 1) {
    const begun = await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => begin(harness, one(), at)));
    await Promise.all(begun.flatMap(({ id }) => [late(() => one().lookUp(id, ENTITY)), late(look)]));
    restart();
    await look();
    for (const { id, at } of begun)
      if ((await one().find(id, ENTITY))?.state !== 'pending')
        broken.push(`${at}: ended before its deadline`);
    // Of the processes that end waits none runs while their time passes.
    restart();
    await harness.clock.advance(WAITS.redirect.lifetimeMs);
    await Promise.all(
      begun.flatMap(({ id, reference }, at) => [
        late(() => decide(harness, passed, reference, id, number(3))),
        late(() => one().continueWaiting(id, 'return')),
        late(() => one().lookUp(id, ENTITY)),
        late(() => one().continueWaiting(id, 'deadline')),
        ...(at === AT_ONCE / 2 ? [late(restart)] : []),
      ]),
    );
    // The caller that lost a race left the rest to the next round of the workers.
    for (let rest = 0; rest < 3; rest += 1) await look();
    for (const payment of begun) await check(harness, payment, outcomes, broken);
  }
  await Promise.all([...dying, ...services.map((service) => service.stop())]);
  // Compares payments, answers and the acquirer's record, and throws where they differ.
  await harness.dispose().catch((error: unknown) => broken.push(String(error)));
  return { outcomes, broken };
}

function twoProcesses(context: PaymentContext, gates: readonly Gate[]) {
  const start = (): GatewayPaymentService => new GatewayPaymentService({ ...context, gates });
  return [start(), start()] as const;
}

/** The gate of a card payment: it waits until its shopper has passed. */
function challenge(passed: ReadonlySet<string>): Gate {
  return {
    name: 'challenge',
    pass: async ({ request }) =>
      request.card
        ? { verdict: 'wait', waiting: { kind: 'challenge' }, state: 'begun' }
        : { verdict: 'pass' },
    again: async ({ paymentId }) =>
      passed.has(paymentId)
        ? { verdict: 'pass' }
        : { verdict: 'wait', waiting: { kind: 'challenge' }, state: 'begun' },
  };
}

async function begin(harness: PaymentHarness, service: GatewayPaymentService, at: number): Promise<Begun> {
  const isAtBank = at % 2 === 0;
  const { paymentId = '' } = await service.authorize(isAtBank ? bankPayment() : restPayment({ type: 'DB' }));
  const [intent] = await harness.store.find('intents', 'payment', [paymentId]);
  return { id: paymentId, reference: intent?.id ?? '', at: isAtBank ? 'bank' : 'gate' };
}

/** The shopper approves, refuses or does nothing. */
function decide(
  harness: PaymentHarness,
  passed: Set<string>,
  reference: string,
  id: string,
  choice: number,
): void {
  if (choice === 0) {
    harness.bank.payments.decide(reference, 'approved');
    passed.add(id);
  }
  if (choice === 1) harness.bank.payments.decide(reference, 'refused');
}

async function check(
  { store, record, bank }: PaymentHarness,
  { id, reference, at }: Begun,
  outcomes: Map<string, number>,
  broken: string[],
): Promise<void> {
  const payment = await store.get('payments', [id]);
  const entry = await record.entry(reference);
  const outcome = `${at} ${payment?.state} ${payment?.resultCode}`;
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  if ((entry?.capturedMinor ?? 0) !== (payment?.state === 'captured' ? MINOR : 0))
    broken.push(`${at}: the ledger and the payment differ`);
  if (bank.payments.find(reference)?.state === 'open') broken.push('bank: takes an approval after the end');
  // The event of a review is checked elsewhere.
  const events = (await eventsOfPayment(store, id)).filter(({ kind }) => kind === 'payment');
  if (events.length !== 1) broken.push(`${at}: ${events.length} events`);
  const wait = await store.get('waits', [id]);
  if (wait?.untilMs !== null || wait.endedAtMs === null) broken.push(`${at}: waits on after its end`);
  if (wait?.sealed !== null || wait.redirect !== null)
    broken.push(`${at}: keeps what is not needed any more`);
}
