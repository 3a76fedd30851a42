import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { FrameView } from './terminal-twin.js';

/** Frames that are kept for people to look at. */
export const FRAME_LOG_LIMIT = 50;

/** The last frames of a line. */
export class FrameLog {
  readonly #clock: Clock;
  readonly #frames: FrameView[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get frames(): readonly FrameView[] {
    return [...this.#frames];
  }

  /** @param text decoded and masked */
  add(direction: FrameView['direction'], text: string): void {
    this.#frames.push({ at: new Date(this.#clock.nowMs()).toISOString(), direction, text });
    if (this.#frames.length > FRAME_LOG_LIMIT) this.#frames.shift();
  }
}
