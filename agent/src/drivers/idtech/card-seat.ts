import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import { NOTIFICATIONS, SWITCH_BITS } from '@tillbridge/protocol/terminals/idtech/commands.js';
import type { NeoLink } from './link.js';

/** Whether a card sits in the slot, as far as the device tells it. */
export class CardSeat {
  private readonly link: NeoLink;
  private readonly clock: Clock;
  private seated = false;
  private left: (() => void) | undefined;

  constructor(link: NeoLink, clock: Clock) {
    this.link = link;
    this.clock = clock;
    link.onNotification(({ command, data }) => {
      if (command !== NOTIFICATIONS.switches.command) return;
      this.seated = ((data[0] ?? 0) & SWITCH_BITS.cardSeated) !== 0;
      if (!this.seated) this.left?.();
    });
  }

  /** Whether a card was seated and has not left. */
  get taken(): boolean {
    return this.seated;
  }

  /** Ends a wait that runs. */
  interrupt(): void {
    this.left?.();
  }

  /** Waits until the card has left, the line is in trouble, the wait is stopped, or the time is up. */
  async waitUntilEmpty(timeoutMs: number): Promise<void> {
    if (!this.seated) return;
    await new Promise<void>((resolve) => {
      const timer = this.clock.setTimer(timeoutMs, resolve);
      this.left = () => {
        timer.cancel();
        resolve();
      };
      this.link.onTrouble = this.left;
    });
    this.left = undefined;
    this.link.onTrouble = undefined;
    this.seated = false;
  }
}
