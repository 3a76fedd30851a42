import { LineWatch } from '@tillbridge/agent/bring-up/line-watch.js';
import type { StepName } from '@tillbridge/agent/bring-up/steps.js';
import { type Person, type Progress, walk } from '@tillbridge/agent/bring-up/walk.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import type { Transport } from '@tillbridge/wire/terminals/transports.js';
import type { Maker } from '../terminals/maker.js';
import type { CardholderScript } from '../terminals/scripted-cardholder.js';
import { openTerminalHarness, type TerminalHarness } from '../terminals/terminal-harness.js';

/** What the person at the device does in each step with a card. */
export const SCRIPTS: Readonly<Partial<Record<StepName, CardholderScript>>> = {
  chip: { cards: [{ card: 'visa-credit-online' }] },
  tap: { cards: [{ card: 'visa-contactless' }] },
  swipe: { cards: [{ card: 'magstripe-only' }] },
  pin: { cards: [{ card: 'mastercard-debit-pin' }] },
  decline: { cards: [{ card: 'mastercard-declined' }] },
  cancel: { cancelsAtCard: true },
};

/** How a walk is changed, to plant differences. */
export interface WalkOptions {
  readonly maker: Maker;
  readonly transport: Transport;
  /** Stands on the device's side of the line. */
  readonly edit?: (pipe: BytePipe) => BytePipe;
  /** Called before each step. */
  readonly before?: (step: StepName, harness: TerminalHarness) => void;
  /** Left out. */
  readonly skips?: ReadonlySet<StepName>;
  readonly interrupted?: AbortSignal;
  /** What the person does in each step. */
  readonly scripts?: typeof SCRIPTS;
  /** The person leaves the cable in. */
  readonly staysPlugged?: true;
}

/** Walks a simulated terminal through the bring-up, with a person who follows a script. */
export async function walkThrough(options: WalkOptions): Promise<Progress> {
  const { maker, transport, edit = (pipe) => pipe, before, skips, scripts = SCRIPTS } = options;
  const { interrupted = new AbortController().signal } = options;
  const line = new LineWatch(maker.deviceType, transport);
  const harness = await openTerminalHarness(maker, {
    wire: 'memory',
    transport,
    wrap: (pipe) => line.watch(edit(pipe)),
  });
  const { driver, clock, plug, pass } = harness;
  const person: Person = {
    async ready(step) {
      if (skips?.has(step)) return 'skip';
      before?.(step, harness);
      harness.cardholder.follow(scripts[step] ?? {});
      if (step === 'unplug' && !options.staysPlugged) clock.setTimer(1_000, () => void plug.unplug());
      return 'go';
    },
    confirm: async () => true,
    tell(text) {
      if (text.startsWith('Plug')) void plug.plug();
    },
  };
  try {
    return await pass(walk({ driver, line, person, clock, currency: 'EUR', interrupted }));
  } finally {
    await harness.close();
  }
}
