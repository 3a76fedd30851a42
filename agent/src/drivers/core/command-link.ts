import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';
import { type Parse, StreamParser } from '@tillbridge/wire/terminals/parsed.js';
import { setLineTimer } from './line-timer.js';
import { attempt, type Failed, failed, isFailed, type Result } from './result.js';

/** What a codec has its link do, in order. */
export type CodecEffect<M> =
  | { readonly kind: 'write'; readonly bytes: Uint8Array }
  | { readonly kind: 'message'; readonly message: M }
  /** Damaged bytes came, and the codec does not request them again. */
  | { readonly kind: 'damaged' }
  /** Ends every pending command; the detail begins with its name. */
  | { readonly kind: 'failed'; readonly failure: Failed }
  /** Setting a running timer restarts it. */
  | { readonly kind: 'set-timer'; readonly timer: string; readonly ms: number }
  | { readonly kind: 'stop-timer'; readonly timer: string }
  /** The line is unusable and is closed. */
  | { readonly kind: 'broken'; readonly reason: string };

/** A maker's framing over one open pipe: commands to bytes, bytes to messages, its own resending and timers. */
export interface Codec<C, M> {
  /** @throws TerminalFormatError for a command that no frame can hold */
  send(command: C): readonly CodecEffect<M>[];
  receive(bytes: Uint8Array): readonly CodecEffect<M>[];
  /** A timer of the codec has expired. */
  timeout?(timer: string): readonly CodecEffect<M>[];
  /** Drops a partial message: the beginning of a new session. */
  reset(): void;
}

/**
 * What a message means for a pending command: its end, its beginning, or undefined for another's.
 * `others`: how every other pending command ends with it.
 */
export type Taken<R> = { readonly end: Result<R>; readonly others?: unknown } | 'begun' | undefined;

/** A command, and how its end is known. */
export interface Exchange<C, M, R> {
  /** For the texts of failures. */
  readonly name: string;
  readonly command: C;
  /** Longest silence before the device has begun; the codec ends it in time where absent. */
  readonly timeoutMs?: number;
  /** How long it may run from when the device has begun; {@link timeoutMs} when absent. */
  readonly runMs?: number;
  /** It waits for people: it can be stopped, and damage ends it early. */
  readonly blocking?: boolean;
  /** Its timeout ends no other pending command. */
  readonly timesOutAlone?: boolean;
  /** It gets messages before the commands that are already pending. */
  readonly ahead?: boolean;
  readonly take: (message: M) => Taken<R>;
  /** What the terminal did in place of an answer, for the text of the timeout. */
  readonly instead?: () => string | undefined;
}

/** Which pending commands end when damaged bytes came. */
export type DamageRule =
  | 'all'
  /** All of them, when one waits for people; otherwise none, because their timeouts are short. */
  | 'all-when-blocking'
  /** Those that wait for people. */
  | 'blocking';

/** Events of a link that are not ends of its commands. */
export interface LinkListener<M> {
  /** A message that no command took: unsolicited or late. */
  onMessage?(message: M): void;
  onDamage?(): void;
  /** The pipe has closed; called once, also when it closed before. */
  onEnd?(): void;
}

interface Waiting<C, M> {
  readonly exchange: Exchange<C, M, unknown>;
  readonly untilMs: number;
  readonly settle: (end: unknown) => void;
  timer: Timer | undefined;
}

/** Most writes that wait: a terminal that takes no bytes must not fill the memory. */
export const MAX_UNWRITTEN = 256;
/** The port closed. */
export const PORT_CLOSED = failed('terminal-gone', 'the port closed');

/**
 * Commands over a pipe. The link registers a command before it writes, gives each message to the first command that takes
 * it, and ends pending commands on timeout, damage or the end of the line. Nothing rejects for what a device or line can do.
 */
export class CommandLink<C, M> {
  private readonly pipe: BytePipe;
  private readonly clock: Clock;
  private readonly codec: Codec<C, M>;
  private readonly damage: DamageRule;
  private readonly timers = new Map<string, Timer>();
  private readonly listeners = new Set<LinkListener<M>>();
  private waiting: Waiting<C, M>[] = [];
  private ended: Failed | undefined;
  private readonly unwritten: Uint8Array[] = [];
  private writing = false;

  constructor(pipe: BytePipe, clock: Clock, codec: Codec<C, M>, damage: DamageRule = 'all') {
    this.pipe = pipe;
    this.clock = clock;
    this.codec = codec;
    this.damage = damage;
    pipe.onData((bytes) => this.perform(codec.receive(bytes)));
    pipe.onClose(() => this.end(PORT_CLOSED));
  }

  /** True while a command waits. */
  get busy(): boolean {
    return this.waiting.length > 0;
  }

  /** True while a command waits for people. */
  get blocking(): boolean {
    return this.waiting.some(({ exchange }) => exchange.blocking);
  }

  /** Calls `listener` from now on. Returns the function that ends it. */
  listen(listener: LinkListener<M>): () => void {
    this.listeners.add(listener);
    if (this.ended) listener.onEnd?.();
    return () => this.listeners.delete(listener);
  }

  /** Sends a command and waits for its end. */
  exchange<R>(exchange: Exchange<C, M, R>): Promise<Result<R>> {
    if (this.ended) return Promise.resolve(this.ended);
    const effects = this.encode(exchange);
    if (isFailed(effects)) return Promise.resolve(effects);
    return new Promise((resolve) => {
      const { timeoutMs = Number.POSITIVE_INFINITY, runMs = timeoutMs } = exchange;
      const untilMs = this.clock.monotonicMs() + Math.max(timeoutMs, runMs);
      const settle = resolve as (end: unknown) => void;
      const waiting: Waiting<C, M> = { exchange, untilMs, settle, timer: undefined };
      if (exchange.ahead) this.waiting.unshift(waiting);
      else this.waiting.push(waiting);
      this.arm(waiting, timeoutMs);
      this.perform(effects);
    });
  }

  /** Sends a command where no other may wait. */
  exchangeExclusively<R>(exchange: Exchange<C, M, R>): Promise<Result<R>> {
    const [running] = this.waiting;
    if (!running) return this.exchange(exchange);
    return Promise.resolve(failed('terminal-busy', `${running.exchange.name} is still running`));
  }

  /** Sends a command that has no answer. */
  send(name: string, command: C): Failed | undefined {
    if (this.ended) return this.ended;
    const effects = this.encode({ name, command });
    if (isFailed(effects)) return effects;
    this.perform(effects);
    return undefined;
  }

  /** Extends the timeout of a command by `ms`, within its own limit, after the device has shown progress. */
  extend(exchange: Exchange<C, M, unknown>, ms: number): void {
    const waiting = this.waiting.find((each) => each.exchange === exchange);
    if (waiting) this.arm(waiting, Math.min(ms, Math.max(0, waiting.untilMs - this.clock.monotonicMs())));
  }

  /** Lets no command wait longer than `ms` from now. */
  hurry(ms: number): void {
    for (const { exchange } of [...this.waiting]) this.extend(exchange, ms);
  }

  /** Ends every command that waits, or those of `which`. */
  endWaiting(end: unknown, which: (exchange: Exchange<C, M, unknown>) => boolean = () => true): void {
    for (const waiting of this.waiting.filter(({ exchange }) => which(exchange))) this.settle(waiting, end);
  }

  /** Drops a partial message and ends pending commands: the beginning of a new session. */
  reset(): void {
    this.stopTimers();
    this.codec.reset();
    this.endWaiting(failed('terminal-silent', 'the session began anew'));
  }

  private encode({ name, command }: Pick<Exchange<C, M, unknown>, 'name' | 'command'>) {
    return attempt(name, () => this.codec.send(command), 'data-too-long');
  }

  private perform(effects: readonly CodecEffect<M>[]): void {
    for (const effect of effects) this.apply(effect);
  }

  private apply(effect: CodecEffect<M>): void {
    switch (effect.kind) {
      case 'write':
        this.write(effect.bytes);
        break;
      case 'message':
        this.take(effect.message);
        break;
      case 'damaged':
        this.damaged();
        break;
      case 'failed':
        this.failAll(effect.failure);
        break;
      case 'set-timer':
        this.stopTimer(effect.timer);
        this.timers.set(
          effect.timer,
          setLineTimer(this.clock, effect.ms, () => this.ranOut(effect.timer)),
        );
        break;
      case 'stop-timer':
        this.stopTimer(effect.timer);
        break;
      case 'broken':
        this.end(failed('terminal-gone', effect.reason));
        void this.pipe.close();
    }
  }
  private take(message: M): void {
    for (const waiting of this.waiting) {
      const { exchange } = waiting;
      const taken = exchange.take(message);
      if (taken === undefined) continue;
      if (taken === 'begun') this.arm(waiting, exchange.runMs ?? exchange.timeoutMs);
      else {
        this.settle(waiting, taken.end);
        if ('others' in taken) this.endWaiting(taken.others);
      }
      return;
    }
    for (const listener of [...this.listeners]) listener.onMessage?.(message);
  }

  private damaged(): void {
    const blockingOnly = this.damage === 'blocking';
    if (this.damage !== 'all-when-blocking' || this.blocking) {
      const end = failed('protocol-error', 'what the terminal sent came damaged');
      this.endWaiting(end, ({ blocking }) => !blockingOnly || blocking === true);
    }
    for (const listener of [...this.listeners]) listener.onDamage?.();
  }

  private failAll({ failure, detail }: Failed): void {
    for (const waiting of [...this.waiting])
      this.settle(waiting, failed(failure, `${waiting.exchange.name}: ${detail}`));
  }

  private silent(waiting: Waiting<C, M>): void {
    const { name, timesOutAlone, instead } = waiting.exchange;
    const reason = instead?.();
    const end = failed('terminal-silent', `${name}: the terminal ${reason ?? 'never answered'}`);
    // After one timeout the order of answers is unknown: all pending commands end.
    if (timesOutAlone) this.settle(waiting, end);
    else this.endWaiting(end);
  }

  private settle(waiting: Waiting<C, M>, end: unknown): void {
    this.waiting = this.waiting.filter((each) => each !== waiting);
    waiting.timer?.cancel();
    waiting.settle(end);
  }

  private arm(waiting: Waiting<C, M>, ms = Number.POSITIVE_INFINITY): void {
    waiting.timer?.cancel();
    waiting.timer = Number.isFinite(ms)
      ? setLineTimer(this.clock, ms, () => this.silent(waiting))
      : undefined;
  }

  private ranOut(timer: string): void {
    this.timers.delete(timer);
    this.perform(this.codec.timeout?.(timer) ?? []);
  }

  private stopTimer(timer: string): void {
    this.timers.get(timer)?.cancel();
    this.timers.delete(timer);
  }

  private stopTimers(): void {
    for (const timer of [...this.timers.keys()]) this.stopTimer(timer);
  }

  private write(bytes: Uint8Array): void {
    if (this.ended) return;
    this.unwritten.push(bytes);
    if (this.unwritten.length > MAX_UNWRITTEN)
      this.end(failed('terminal-gone', 'the terminal takes no more bytes'));
    else if (!this.writing) void this.writeAll();
  }

  /** Pieces must not overtake each other: each waits until the one before was taken. */
  private async writeAll(): Promise<void> {
    this.writing = true;
    try {
      for (let next = this.unwritten.shift(); next; next = this.unwritten.shift())
        await this.pipe.write(next);
    } catch {
      // A write that fails means the pipe is gone; its close event may come later or not at all.
      this.end(PORT_CLOSED);
    }
    this.writing = false;
  }

  private end(reason: Failed): void {
    if (this.ended) return;
    this.ended = reason;
    this.unwritten.length = 0;
    this.stopTimers();
    this.endWaiting(reason);
    for (const listener of [...this.listeners]) listener.onEnd?.();
  }
}

/** A codec from a pure parser, which keeps its state between two reads. */
export function parserCodec<C, M, S, E>(
  initial: S,
  parse: Parse<S, E>,
  read: (event: E) => readonly CodecEffect<M>[],
  encode: (command: C) => readonly Uint8Array[],
): Codec<C, M> {
  const parser = new StreamParser(initial, parse);
  return {
    send: (command) => encode(command).map((bytes) => ({ kind: 'write', bytes })),
    receive: (bytes) => parser.take(bytes).flatMap(read),
    reset: () => parser.reset(),
  };
}

/** What came was damaged. */
export const DAMAGED = [{ kind: 'damaged' }] as const;
