import type { ExchangeMessage, NetworkFunction } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';
import { approves } from '../rules/exchange-record.js';
import { HostLine, type HostLineOptions } from './host-line.js';
import { type HostConnector, HostDownError, NotSentError, type NumberSource } from './link-deps.js';
import type { PendingAnswers } from './pending-answers.js';

/** How long nothing is sent after no host could be reached, or after too many messages in a row had no answer, in milliseconds. */
export const CIRCUIT_BREAK_MS = 5_000;
/** Messages in a row without an answer that break the circuit. */
export const MAX_UNANSWERED_MESSAGES = 5;

/** What the lines of a link are made with. */
export interface LinePoolOptions extends Omit<HostLineOptions, 'clock'> {
  /** The acquirer's hosts: the first that can be reached is used. */
  readonly hosts: readonly HostConnector[];
  /** Connections at once. */
  readonly connections: number;
  readonly numbers: NumberSource;
  readonly clock: Clock;
  /** How long an answer may take, in milliseconds. */
  readonly answerTimeoutMs: number;
  /** Silence after which the link sends an echo test, in milliseconds. */
  readonly echoAfterMs: number;
}

/** A message that moves no money and may be sent again at any time, under a number of the link; by default a network message. */
export type LinkQuestion = Partial<Omit<ExchangeMessage, 'stan' | 'at' | 'isResponse' | 'isRepeat'>>;

interface Slot {
  connecting?: Promise<HostLine>;
  line?: HostLine;
  /** Until when no host is tried where another line serves, by the monotonic clock. */
  restsUntilMs?: number;
}

/** The connections of a link that are signed on, used in turn. Another host is tried while connecting and signing on, never later. */
export class LinePool {
  readonly #options: LinePoolOptions;
  readonly #pending: PendingAnswers;
  readonly #slots: readonly Slot[];
  readonly #echoes = new Map<HostLine, Timer>();
  #turn = 0;
  #unanswered = 0;
  /** By the monotonic clock. */
  #brokenUntilMs = 0;
  #isClosed = false;

  constructor(options: LinePoolOptions, pending: PendingAnswers) {
    this.#options = options;
    this.#pending = pending;
    this.#slots = Array.from({ length: options.connections }, () => ({}));
  }

  /** For how long nothing is sent, in milliseconds; 0: it is. */
  get brokenForMs(): number {
    return Math.max(0, this.#brokenUntilMs - this.#options.clock.monotonicMs());
  }

  /** A line that is signed on. @throws NotSentError */
  async take(): Promise<HostLine> {
    if (this.#isClosed) throw new NotSentError('the link is closed');
    if (this.brokenForMs > 0) throw new HostDownError('no host of the acquirer answered a moment ago');
    this.#turn = (this.#turn + 1) % this.#slots.length;
    const slot = this.#slots[this.#turn] ?? {};
    if (slot.line) return slot.line;
    const other = this.#slots.find(({ line }) => line)?.line;
    if (other && this.#options.clock.monotonicMs() < (slot.restsUntilMs ?? 0)) return other;
    slot.connecting ??= this.#connect(slot);
    if (!other) return slot.connecting;
    // Another line serves meanwhile.
    slot.connecting.catch(() => undefined);
    return other;
  }

  /** The host's answer to a question; undefined when none came. @throws NotSentError */
  async ask(request: LinkQuestion): Promise<ExchangeMessage | undefined> {
    return this.#answered(await this.take(), request);
  }

  /**
   * Notes whether a message was answered; that of a line which has ended could not be. Too many in a row that were not break the circuit: what was
   * sent is unknown, and no more is.
   */
  received(line: HostLine, isAnswered: boolean): void {
    if (!isAnswered && line.hasEnded) return;
    this.#unanswered = isAnswered ? 0 : this.#unanswered + 1;
    if (this.#unanswered < MAX_UNANSWERED_MESSAGES) return;
    this.#break();
    for (const { line } of this.#slots) void line?.close();
  }

  /** Signs off and ends the lines. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#slots.map((slot) => this.#closeSlot(slot)));
  }

  async #closeSlot({ line, connecting }: Slot): Promise<void> {
    const open = line ?? (await connecting?.catch(() => undefined));
    // No caller waits for the answer: the line ends either way.
    if (open && line) await this.#network(open, { network: 'sign-off' }).then(({ sent }) => sent);
    await open?.close();
  }

  #break(): void {
    this.#unanswered = 0;
    this.#brokenUntilMs = this.#options.clock.monotonicMs() + CIRCUIT_BREAK_MS;
  }

  #connect(slot: Slot): Promise<HostLine> {
    const connecting = this.#open(slot);
    connecting
      .catch(() => {
        slot.restsUntilMs = this.#options.clock.monotonicMs() + CIRCUIT_BREAK_MS;
        if (!this.#slots.some(({ line }) => line)) this.#break();
      })
      .finally(() => {
        delete slot.connecting;
      });
    return connecting;
  }

  async #open(slot: Slot): Promise<HostLine> {
    for (const connect of this.#options.hosts) {
      const pipe = await connect().catch(() => undefined);
      if (!pipe) continue;
      const line = new HostLine(pipe, this.#options);
      line.onEnd(() => this.#ended(slot, line));
      if ((await this.#isAnswered(line, 'sign-on')) && !this.#isClosed) {
        slot.line = line;
        this.#echo(line);
        return line;
      }
      await line.close();
    }
    throw new HostDownError('no host of the acquirer can be reached');
  }

  #ended(slot: Slot, line: HostLine): void {
    if (slot.line === line) delete slot.line;
    this.#echoes.get(line)?.cancel();
    this.#echoes.delete(line);
    this.#pending.ended(line);
  }

  /** Tests the line from time to time while no message of the host arrives. */
  #echo(line: HostLine): void {
    const { clock, echoAfterMs, observer } = this.#options;
    const look = async (): Promise<void> => {
      const isQuiet = clock.monotonicMs() - line.receivedAtMs >= echoAfterMs;
      if (isQuiet && !(await this.#isAnswered(line, 'echo'))) return line.close();
      if (this.#echoes.has(line)) this.#echo(line);
    };
    const timer = clock.setTimer(echoAfterMs, () => void look().catch((error) => observer.fault(error)));
    this.#echoes.set(line, timer);
  }

  async #isAnswered(line: HostLine, network: NetworkFunction): Promise<boolean> {
    const found = await this.#answered(line, { network });
    return found !== undefined && approves(found);
  }

  async #answered(line: HostLine, request: LinkQuestion): Promise<ExchangeMessage | undefined> {
    const { answer, sent, giveUp } = await this.#network(line, request);
    if (!(await sent)) giveUp();
    return answer;
  }

  async #network(line: HostLine, request: LinkQuestion) {
    const { stan, at } = await this.#options.numbers.next();
    const type = { kind: 'network', isAdvice: false, isResponse: false, isRepeat: false } as const;
    const message: ExchangeMessage = { ...type, ...request, stan, at };
    let giveUp = (): void => undefined;
    const answer = new Promise<ExchangeMessage | undefined>((resolve) => {
      giveUp = this.#pending.wait(message, line, this.#options.answerTimeoutMs, resolve);
    });
    const sent = line.sealed(message).then(
      (bytes) =>
        line.write(bytes).then(
          () => true,
          () => false,
        ),
      (error) => {
        this.#options.observer.fault(error);
        return false;
      },
    );
    return { answer, giveUp, sent };
  }
}
