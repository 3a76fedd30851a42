import type { SaleAnswer } from '@tillbridge/agent/sale/answer.js';
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
  /** Resolves when whoever did it is done with it. */
  readonly over: Promise<unknown>;
}

type Doing = (shop: Shop, reference: string, wire: keyof typeof UNPLUGGED_MS) => Done;

const AT_ONCE = Promise.resolve();

const DEEDS: Readonly<Record<Deed, Doing>> = {
  'the till cancels': (shop, reference) => ({ known: AT_ONCE, over: shop.desk.cancel(reference) }),
  'the driver is told to stop': ({ bench }) => ({ known: AT_ONCE, over: bench.driver.cancel() }),
  'the cable is pulled': ({ bench }, _reference, wire) => {
    const known = bench.until('disconnected');
    const pullAndPlug = async (): Promise<void> => {
      await bench.plug.unplug();
      await known;
      await new Promise<void>((resolve) => bench.clock.setTimer(UNPLUGGED_MS[wire], resolve));
      await bench.plug.plug();
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
export interface StepEnd {
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
  const { bench, line } = shop;
  const reference = shop.newReference();
  bench.cardholder.follow(step.script);
  line.says = step.says ?? 'approve';
  if (step.holdsAnswer) line.hold();
  let sinceMs = 0;
  const over = new Promise<unknown>((resolve) => {
    step.arrives(shop, () => {
      sinceMs = bench.clock.monotonicMs();
      bench.cardholder.putCardsAway();
      if (fault) bench.faults.lay([fault]);
      const done = DEEDS[deed](shop, reference, wire);
      void done.known.then(() => line.release());
      resolve(done.over);
    });
  });
  const sale = shop.sell(reference, step.minor);
  await bench.pass(over);
  // Whoever forgot a card comes back for it.
  if (step.script.forgetsCard) bench.cardholder.follow({});
  await bench.pass(sale);
  await bench.until('ready');
  const tookMs = bench.clock.monotonicMs() - sinceMs;
  return { answer: await shop.settled(reference), tookMs };
}
