import { type Apdu, decodeApdu } from '../messages/apdu.js';
import { ZvtError } from '../messages/zvt-error.js';
import { ACK, encodeFrame, type FrameEvent, FrameReader, NAK } from './framing.js';

/** Times and repeats of the line, milliseconds. */
export const SERIAL_LIMITS = {
  /** How long the other side may take to acknowledge a frame. */
  acknowledgeMs: 5_000,
  /** Longest pause within a frame. */
  pauseMs: 1_000,
  /** How often a frame is sent again before it is given up. */
  maxRepeats: 3,
  /** Frames that wait for the one under way. */
  maxWaiting: 64,
} as const;

/** What the owner of the line carries out. */
export type LinkEffect =
  | { readonly kind: 'write'; readonly bytes: Uint8Array }
  | { readonly kind: 'received'; readonly apdu: Apdu }
  /** The other side takes nothing: what waits is dropped. */
  | { readonly kind: 'lost' };

/** Which timers run; absent: none. */
export interface LinkTimers {
  readonly acknowledge: boolean;
  readonly pause: boolean;
}

/** Frames with acknowledgements over a serial line: pure, its owner has the port and the clock. */
export class SerialLink {
  readonly #reader = new FrameReader();
  #waiting: readonly Uint8Array[] = [];
  /** The last message that was taken, until the other side has acknowledged one of ours: until then the same bytes are the same message again. */
  #taken: Buffer | undefined;
  #repeats = 0;

  get timers(): LinkTimers {
    return { acknowledge: this.#waiting.length > 0, pause: this.#reader.isInside };
  }

  /** Sends a message after those that wait. */
  send(message: Uint8Array): readonly LinkEffect[] {
    if (this.#waiting.length >= SERIAL_LIMITS.maxWaiting) return this.#lost();
    this.#waiting = [...this.#waiting, encodeFrame(message)];
    return this.#waiting.length === 1 ? this.#write() : [];
  }

  received(bytes: Uint8Array): readonly LinkEffect[] {
    return this.#reader.push(bytes).flatMap((event) => this.#on(event));
  }

  /** The frame under way was not acknowledged in time. */
  acknowledgeTimeout(): readonly LinkEffect[] {
    return this.#again();
  }

  /** The rest of a frame did not come in time. */
  pauseTimeout(): readonly LinkEffect[] {
    if (!this.#reader.isInside) return [];
    this.#reader.reset();
    return [{ kind: 'write', bytes: Buffer.of(NAK) }];
  }

  #on(event: FrameEvent): readonly LinkEffect[] {
    switch (event.kind) {
      case 'message':
        return this.#take(event.bytes);
      case 'bad-frame':
        return [{ kind: 'write', bytes: Buffer.of(NAK) }];
      case 'ack':
        return this.#next();
      case 'nak':
        return this.#again();
    }
  }

  #take(bytes: Buffer): readonly LinkEffect[] {
    const acknowledgement = { kind: 'write', bytes: Buffer.of(ACK) } as const;
    if (this.#taken?.equals(bytes)) return [acknowledgement];
    try {
      const apdu = decodeApdu(bytes);
      this.#taken = bytes;
      return [acknowledgement, { kind: 'received', apdu }];
    } catch (error) {
      if (error instanceof ZvtError) return [{ kind: 'write', bytes: Buffer.of(NAK) }];
      throw error;
    }
  }

  #next(): readonly LinkEffect[] {
    if (this.#waiting.length > 0) this.#taken = undefined;
    this.#waiting = this.#waiting.slice(1);
    this.#repeats = 0;
    return this.#write();
  }

  #again(): readonly LinkEffect[] {
    if (this.#waiting.length === 0) return [];
    if (this.#repeats >= SERIAL_LIMITS.maxRepeats) return this.#lost();
    this.#repeats += 1;
    return this.#write();
  }

  #write(): readonly LinkEffect[] {
    const [bytes] = this.#waiting;
    return bytes ? [{ kind: 'write', bytes }] : [];
  }

  #lost(): readonly LinkEffect[] {
    this.#taken = undefined;
    this.#waiting = [];
    this.#repeats = 0;
    return [{ kind: 'lost' }];
  }
}
