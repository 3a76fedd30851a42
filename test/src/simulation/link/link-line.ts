import { BasePipe } from '@tillbridge/wire/seams/base-pipe.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import type { SimulationDeps } from '../kernel/simulation-deps.js';

/** How long bytes are on their way. */
const DELAY_MS = { min: 2, max: 60 } as const;
/** How long a message is on its way that the host takes late: behind others, and behind its own reversal. */
const LATE_MS = { min: 15_000, max: 60_000 } as const;
/** Share of those whose answer is lost: the line is cut while it comes. */
const UNANSWERED_SHARE = 0.3;

/** What a line is made with. */
interface LinkLineDeps extends SimulationDeps {
  /** Share of the messages to the host that it takes late. */
  readonly lateShare: () => number;
}

class End extends BasePipe {
  readonly #carry: (bytes: Uint8Array) => void;
  readonly #ended: () => void;

  constructor(name: string, carry: (bytes: Uint8Array) => void, ended: () => void) {
    super(name);
    this.#carry = carry;
    this.#ended = ended;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.requireOpen();
    this.#carry(Uint8Array.from(bytes));
  }

  arrive(bytes: Uint8Array): void {
    this.received(bytes);
  }

  cut(): void {
    this.end('closed by the other side');
  }

  protected release(): void {
    this.#ended();
  }
}

/** A connection of a link to its host that takes its time: what one side writes arrives in its order, but for what the host takes late. */
export function linkLine({
  clock,
  random,
  lateShare,
}: LinkLineDeps): readonly [near: BytePipe, far: BytePipe] {
  let upAtMs = 0;
  let downAtMs = 0;
  const after = (notBeforeMs: number): number =>
    Math.max(notBeforeMs, clock.monotonicMs() + random.whole(DELAY_MS.min, DELAY_MS.max));
  const at = (atMs: number, act: () => void): void => void clock.setTimer(atMs - clock.monotonicMs(), act);
  const near: End = new End(
    'link',
    (bytes) => {
      if (random.chance(lateShare())) {
        const isUnanswered = random.chance(UNANSWERED_SHARE);
        at(clock.monotonicMs() + random.whole(LATE_MS.min, LATE_MS.max), () => {
          far.arrive(bytes);
          if (isUnanswered) near.cut();
        });
        return;
      }
      upAtMs = after(upAtMs);
      at(upAtMs, () => far.arrive(bytes));
    },
    () => at(after(upAtMs), () => far.cut()),
  );
  const far: End = new End(
    'host',
    (bytes) => {
      downAtMs = after(downAtMs);
      at(downAtMs, () => near.arrive(bytes));
    },
    () => at(after(downAtMs), () => near.cut()),
  );
  return [near, far];
}
