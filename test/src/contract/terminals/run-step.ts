import type { SaleAnswer } from '@tillbridge/agent/sale/machine/state/answer.js';
import type { Fault } from '@tillbridge/hardware-sim/faults/fault.js';
import { can } from './lines.js';
import type { Maker } from './maker.js';
import type { Shop } from './shop.js';
import { type Deed, type SaleStep, STEPS } from './steps.js';

/** How long a pulled cable is out. */
const UNPLUGGED_MS = { memory: 1_000, real: 20 } as const;

/** Something that was done to a sale. */
interface Done {
  /** Resolves when the agent knows of it. */
  readonly known: Promise<void>;
  /** Resolves when the call that did it has returned. */
  readonly over: Promise<unknown>;
}

type Doing = (shop: Shop, reference: string, wire: keyof typeof UNPLUGGED_MS) => Done;

const AT_ONCE = Promise.resolve();

const DEEDS: Readonly<Record<Deed, Doing>> = {
  'the till cancels': (shop, reference) => ({ known: AT_ONCE, over: shop.service.cancel(reference) }),
  'the driver is stopped': ({ harness }) => ({ known: AT_ONCE, over: harness.driver.cancel() }),
  'the cable is pulled': ({ harness }, _reference, wire) => {
    const known = harness.until('disconnected');
    const pullAndPlug = async (): Promise<void> => {
      await harness.plug.unplug();
      await known;
      await new Promise<void>((resolve) => harness.clock.setTimer(UNPLUGGED_MS[wire], resolve));
      await harness.plug.plug();
    };
    return { known, over: pullAndPlug() };
  },
};

/** Every deed at every step that a maker's device has. */
export function stepsOf(maker: Maker): readonly (readonly [SaleStep, Deed])[] {
  const steps = STEPS.filter(({ needs }) => can(maker, needs));
  return steps.flatMap((step) => (Object.keys(DEEDS) as Deed[]).map((deed) => [step, deed] as const));
}

/** How a sale ended at whose step something was done. */
interface StepEnd {
  readonly answer: SaleAnswer;
  /** From the deed until the terminal was ready again. */
  readonly tookMs: number;
}

/**
 * Runs a sale up to a step, does the deed there, and lets both end.
 * @param fault strikes what the terminal sends from the deed on
 * @returns the sale when nothing of it waits any more
 */
export async function runStep(
  shop: Shop,
  step: SaleStep,
  deed: Deed,
  wire: keyof typeof UNPLUGGED_MS,
  fault?: Fault,
): Promise<StepEnd> {
  const { harness, line } = shop;
  const reference = shop.newReference();
  harness.cardholder.follow(step.script);
  line.decision = step.decision ?? 'approve';
  if (step.holdsAnswer) line.hold();
  let sinceMs = 0;
  const over = new Promise<unknown>((resolve) => {
    step.arrives(shop, () => {
      sinceMs = harness.clock.monotonicMs();
      harness.cardholder.putCardsAway();
      if (fault) harness.faults.lay([fault]);
      const done = DEEDS[deed](shop, reference, wire);
      void done.known.then(() => line.release());
      resolve(done.over);
    });
  });
  const sale = shop.sell(reference, step.minor);
  await harness.pass(over);
  // A forgotten card is fetched.
  if (step.script.forgetsCard) harness.cardholder.follow({});
  await harness.pass(sale);
  await harness.until('ready');
  const tookMs = harness.clock.monotonicMs() - sinceMs;
  return { answer: await shop.finalAnswer(reference), tookMs };
}
