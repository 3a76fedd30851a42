import type { Clock } from '@tillbridge/protocol/seams/clock.js';

/** Frames that are kept for `GET /terminals/{id}`. */
export const FRAME_LOG_LIMIT = 50;

/** One frame on the wire, decoded, card data masked. */
export interface FrameView {
  /** ISO 8601. */
  readonly at: string;
  /** `in` came from the host. */
  readonly direction: 'in' | 'out';
  readonly text: string;
}

/** A frame that went over the line; its text is made when it is read. */
interface Passed extends Omit<FrameView, 'at' | 'text'> {
  readonly atMs: number;
  readonly text: () => string;
}

/** The last frames of a line. */
export class FrameLog {
  readonly #clock: Clock;
  readonly #frames: Passed[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get frames(): readonly FrameView[] {
    return this.#frames.map(({ atMs, direction, text }) => ({
      at: new Date(atMs).toISOString(),
      direction,
      text: text(),
    }));
  }

  /** @param text decoded and masked */
  add(direction: FrameView['direction'], text: string): void {
    this.#keep(direction, () => text);
  }

  /**
   * @param bytes copied: the caller may wipe them
   * @param textOf decodes and masks them, for the few frames that are read
   */
  addBytes(
    direction: FrameView['direction'],
    bytes: Uint8Array,
    textOf: (bytes: Uint8Array) => string,
  ): void {
    const own = Uint8Array.from(bytes);
    this.#keep(direction, () => textOf(own));
  }

  #keep(direction: FrameView['direction'], text: () => string): void {
    this.#frames.push({ atMs: this.#clock.nowMs(), direction, text });
    if (this.#frames.length > FRAME_LOG_LIMIT) this.#frames.shift();
  }
}
