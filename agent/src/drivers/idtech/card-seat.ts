import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import { NOTIFICATIONS, SWITCH_BITS } from '@tillbridge/protocol/terminals/idtech/commands.js';
import type { NeoLink } from './link.js';

/**
 * Whether a card sits in the slot, as far as the device tells it: it tells changes alone, and cannot be asked. After
 * trouble on the line nothing is known, and no card is waited for.
 */
export class CardSeat {
  private readonly clock: Clock;
  private seated = false;
  private left: (() => void) | undefined;
  private stopped = false;

  constructor(link: NeoLink, clock: Clock) {
    this.clock = clock;
    link.listen({ onDamage: () => this.empty(), onEnd: () => this.empty() });
    link.onNotification(({ command, data }) => {
      if (command !== NOTIFICATIONS.switches.command) return;
      if (((data[0] ?? 0) & SWITCH_BITS.cardSeated) !== 0) this.seated = true;
      else this.empty();
    });
  }

  /** A card was seated and has not left. */
  get taken(): boolean {
    return this.seated;
  }

  /** A wait may follow: what stopped the last one is over. */
  begin(): void {
    this.stopped = false;
  }

  /** Ends a wait that runs, and every further one until {@link begin}. */
  stopWaiting(): void {
    this.stopped = true;
    this.left?.();
  }

  /** Takes the slot for empty, and ends a wait that runs. */
  empty(): void {
    this.seated = false;
    this.left?.();
  }

  /** Waits until the card has left, the line is in trouble, the wait is stopped, or the time is up. */
  async waitUntilEmpty(timeoutMs: number): Promise<void> {
    if (!this.seated || this.stopped) return;
    await new Promise<void>((resolve) => {
      const timer = this.clock.setTimer(timeoutMs, resolve);
      this.left = () => {
        timer.cancel();
        resolve();
      };
    });
    this.left = undefined;
    this.seated = false;
  }
}
