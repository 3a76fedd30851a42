import type { BytePipe } from '../seams/byte-pipe.js';
import { Iso8583Error } from './iso8583-error.js';
import type { LineForm } from './line-form.js';
import { MessageFrames } from './message-frames.js';

/** Bounds of what comes over a line. */
export const INTAKE_LIMITS = {
  /** Longest message that is taken, in bytes. */
  maxMessageBytes: 8_192,
  /** Messages in a row that are none of the other side's, until the line is cut. */
  maxBadMessages: 5,
} as const;

/** What is done with what comes. */
interface IntakeDeps {
  readonly take: (message: Buffer) => Promise<void>;
  /** What came that is no message of the other side; the reason never holds a value. */
  readonly onBad: (reason: string) => void;
  /** How messages are framed. */
  readonly line: LineForm;
  /** A fault of our own. */
  readonly onFault: (error: unknown) => void;
}

/** Takes messages from a line, and cuts it where bytes are none or too many messages in a row are refused. */
export class MessageIntake {
  readonly #pipe: BytePipe;
  readonly #deps: IntakeDeps;
  readonly #frames: MessageFrames;
  #bad = 0;

  constructor(pipe: BytePipe, deps: IntakeDeps) {
    this.#pipe = pipe;
    this.#deps = deps;
    this.#frames = new MessageFrames(INTAKE_LIMITS.maxMessageBytes, deps.line);
    pipe.onData((bytes) => this.#received(bytes));
  }

  /** A message was one of the other side's. */
  accept(): void {
    this.#bad = 0;
  }

  /** A message was none of the other side's. */
  refuse(reason: string): undefined {
    this.#deps.onBad(reason);
    this.#bad += 1;
    if (this.#bad >= INTAKE_LIMITS.maxBadMessages) void this.#pipe.close();
  }

  #received(bytes: Uint8Array): void {
    let messages: readonly Buffer[];
    try {
      messages = this.#frames.push(bytes);
    } catch (error) {
      if (!(error instanceof Iso8583Error)) throw error;
      this.#deps.onBad(error.message);
      // The beginning of the next message is unknown.
      void this.#pipe.close();
      return;
    }
    const { take, onFault } = this.#deps;
    for (const message of messages) void take(message).catch(onFault);
  }
}
