import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { NOTIFICATIONS, SWITCH_BITS } from '@tillbridge/wire/terminals/idtech/commands.js';
import type { NeoLink } from './link.js';

/**
 * Whether a card is in the slot. The device reports changes only and has no command to read the state. After a fault of the line the
 * state is unknown, and no wait for a card goes on.
 */
export class CardSeat {
  private readonly clock: Clock;
  private seated = false;
  private left: (() => void) | undefined;

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

  /** Ends a wait that runs. */
  stopWaiting(): void {
    this.left?.();
  }

  /** Regards the slot as empty, and ends a wait that runs. */
  empty(): void {
    this.seated = false;
    this.left?.();
  }

  /**
   * Waits until the card has left, the line fails, the wait is stopped, or the time is up.
   * @param stopped the till has cancelled
   */
  async waitUntilEmpty(timeoutMs: number, stopped: () => boolean): Promise<void> {
    if (!this.seated || stopped()) return;
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
