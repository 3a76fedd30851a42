import type { BytePipe } from '@tillbridge/protocol/seams/byte-pipe.js';
import type { TerminalFront } from './terminal-front.js';

/** One frame on the wire, for people: decoded, card data masked. */
export interface FrameView {
  /** ISO 8601. */
  readonly at: string;
  /** `in` came from the host. */
  readonly direction: 'in' | 'out';
  readonly text: string;
}

/** A simulated terminal: a front for people, a line for the host. */
export interface TerminalTwin {
  readonly id: string;
  readonly deviceType: string;
  readonly front: TerminalFront;
  /** The last frames, oldest first. */
  readonly frames: readonly FrameView[];
  /** Connects the line; a former one is dropped. */
  attach(pipe: BytePipe): void;
  /** Power cycle: what runs is forgotten without an answer; tables, keys and counters stay. */
  reset(): void;
}
