import type { Dialect } from '@tillbridge/wire/iso8583/dialects/dialects.js';
import {
  type CodedMessage,
  packCoded,
  packExchange,
  unpackCoded,
} from '@tillbridge/wire/iso8583/exchange/exchange-codec.js';
import type { ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import { Iso8583Error } from '@tillbridge/wire/iso8583/iso8583-error.js';
import { framed } from '@tillbridge/wire/iso8583/message-frames.js';
import { MessageIntake } from '@tillbridge/wire/iso8583/message-intake.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { LinkObserver, MessageSeal } from './link-deps.js';

/** What a line is made with. */
export interface HostLineOptions {
  readonly dialect: Dialect;
  /** Makes and checks authentication codes; absent: messages have none. */
  readonly seal?: MessageSeal;
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
  readonly #intake: MessageIntake;
  #receivedAtMs: number;
  #hasEnded = false;

  constructor(pipe: BytePipe, options: HostLineOptions) {
    this.#pipe = pipe;
    this.#options = options;
    this.#receivedAtMs = options.clock.monotonicMs();
    pipe.onClose(() => {
      this.#hasEnded = true;
    });
    this.#intake = new MessageIntake(pipe, {
      line: options.dialect.line,
      take: (message) => this.#take(message),
      onBad: (reason) => options.observer.bad(reason),
      onFault: (error) => options.observer.fault(error),
    });
  }

  /** Whether it has ended, by either side. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** When the last message of the host arrived, by the monotonic clock. */
  get receivedAtMs(): number {
    return this.#receivedAtMs;
  }

  /** Calls the listener once when the line ends, by either side. */
  onEnd(listener: () => void): void {
    this.#pipe.onClose(listener);
  }

  /** A message as bytes, with its authentication code where the line has codes. @throws Iso8583Error, SecurityModuleError */
  async sealed(message: ExchangeMessage): Promise<Buffer> {
    const { dialect, seal } = this.#options;
    if (!seal) return packExchange(dialect, message, false);
    const named = (await seal.prepare?.(message)) ?? message;
    const { bytes, covered, putCode } = packCoded(dialect, named);
    putCode(await seal.mac(covered, named));
    return bytes;
  }

  /** Sends what {@link sealed} gave, and wipes it. Rejects when the line has ended: bytes may have left all the same. */
  async write(bytes: Buffer): Promise<void> {
    const frame = framed(bytes, this.#options.dialect.line);
    bytes.fill(0);
    await this.#pipe.write(frame).finally(() => frame.fill(0));
  }

  close(): Promise<void> {
    return this.#pipe.close();
  }

  async #take(bytes: Buffer): Promise<void> {
    const { seal, clock, onAnswer, onRequest } = this.#options;
    const coded = this.#read(bytes);
    if (!coded) return;
    const { message: answer, covered, mac } = coded;
    if (seal && (!mac || !(await seal.verify(covered, mac, answer))))
      return this.#intake.refuse('a wrong authentication code');
    this.#intake.accept();
    this.#receivedAtMs = clock.monotonicMs();
    if (answer.isResponse) return onAnswer(answer);
    const { macKsn } = answer;
    const sealed = await this.sealed({
      ...(await onRequest(answer)),
      ...(macKsn !== undefined && { macKsn }),
    });
    await this.write(sealed).catch(() => undefined);
  }

  #read(bytes: Buffer): CodedMessage | undefined {
    try {
      return unpackCoded(this.#options.dialect, bytes, this.#options.clock.nowMs());
    } catch (error) {
      if (error instanceof Iso8583Error) return this.#intake.refuse(error.message);
      throw error;
    }
  }
}
