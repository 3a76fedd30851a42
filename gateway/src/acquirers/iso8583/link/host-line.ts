import type { Dialect } from '@tillbridge/protocol/iso8583/dialects/dialects.js';
import {
  coveredByMac,
  macOf,
  packExchange,
  putMac,
  unpackExchange,
} from '@tillbridge/protocol/iso8583/exchange/exchange-codec.js';
import type { ExchangeMessage } from '@tillbridge/protocol/iso8583/exchange/exchange-message.js';
import { Iso8583Error } from '@tillbridge/protocol/iso8583/iso8583-error.js';
import { framed, MessageFrames } from '@tillbridge/protocol/iso8583/message-frames.js';
import type { BytePipe } from '@tillbridge/protocol/seams/byte-pipe.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { LinkObserver, MessageSeal } from './link-parts.js';

/** Longest message that is taken of a host, in bytes. */
export const LINE_MAX_MESSAGE_BYTES = 8_192;
/** Messages in a row that are none of the host's, until the line is cut. */
export const LINE_MAX_BAD_MESSAGES = 5;

/** What a line is made with. */
export interface HostLineOptions {
  readonly dialect: Dialect;
  readonly seal: MessageSeal;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  readonly observer: LinkObserver;
  /** Takes every answer of the host whose code is right. */
  readonly onAnswer: (answer: ExchangeMessage) => void;
  /** Carries out a request of the host whose code is right; gives our answer. */
  readonly onRequest: (request: ExchangeMessage) => Promise<ExchangeMessage>;
}

/** One connection to a host: messages with codes out, answers with right codes in. */
export class HostLine {
  readonly #options: HostLineOptions;
  readonly #pipe: BytePipe;
  readonly #frames = new MessageFrames(LINE_MAX_MESSAGE_BYTES);
  #bad = 0;
  #heardAtMs: number;
  #hasEnded = false;

  constructor(pipe: BytePipe, options: HostLineOptions) {
    this.#pipe = pipe;
    this.#options = options;
    this.#heardAtMs = options.clock.monotonicMs();
    pipe.onClose(() => {
      this.#hasEnded = true;
    });
    pipe.onData((bytes) => this.#received(bytes));
  }

  /** Whether it has ended, by either side. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** When the host was heard of last, by the monotonic clock. */
  get heardAtMs(): number {
    return this.#heardAtMs;
  }

  /** Calls the listener once when the line ends, by either side. */
  onEnd(listener: () => void): void {
    this.#pipe.onClose(listener);
  }

  /** A message as bytes, with its authentication code. @throws Iso8583Error, SecurityModuleError */
  async sealed(message: ExchangeMessage): Promise<Buffer> {
    const { dialect, seal } = this.#options;
    const bytes = packExchange(dialect, message, true);
    putMac(dialect, bytes, await seal.mac(coveredByMac(dialect, bytes)));
    return bytes;
  }

  /** Sends what {@link sealed} gave, and wipes it. Rejects when the line has ended: bytes may have left all the same. */
  async write(bytes: Buffer): Promise<void> {
    const frame = framed(bytes);
    bytes.fill(0);
    await this.#pipe.write(frame).finally(() => frame.fill(0));
  }

  close(): Promise<void> {
    return this.#pipe.close();
  }

  #received(bytes: Uint8Array): void {
    let messages: readonly Buffer[];
    try {
      messages = this.#frames.push(bytes);
    } catch (error) {
      if (!(error instanceof Iso8583Error)) throw error;
      this.#options.observer.bad(error.message);
      // Nobody knows where the next message begins.
      void this.close();
      return;
    }
    for (const message of messages)
      void this.#take(message).catch((error) => this.#options.observer.fault(error));
  }

  async #take(bytes: Buffer): Promise<void> {
    const { dialect, seal, clock, onAnswer, onRequest } = this.#options;
    let answer: ExchangeMessage;
    let mac: Buffer | undefined;
    try {
      answer = unpackExchange(dialect, bytes, clock.nowMs());
      mac = macOf(dialect, bytes);
    } catch (error) {
      if (!(error instanceof Iso8583Error)) throw error;
      return this.#refuse(error.message);
    }
    if (!mac || !(await seal.verify(coveredByMac(dialect, bytes), mac)))
      return this.#refuse('a wrong authentication code');
    this.#bad = 0;
    this.#heardAtMs = clock.monotonicMs();
    if (answer.isResponse) return onAnswer(answer);
    const sealed = await this.sealed(await onRequest(answer));
    await this.write(sealed).catch(() => undefined);
  }

  #refuse(reason: string): void {
    this.#options.observer.bad(reason);
    this.#bad += 1;
    if (this.#bad >= LINE_MAX_BAD_MESSAGES) void this.close();
  }
}
