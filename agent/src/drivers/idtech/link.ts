import type { BytePipe } from '@tillbridge/protocol/seams/byte-pipe.js';
import type { Clock, Timer } from '@tillbridge/protocol/seams/clock.js';
import { TerminalFormatError } from '@tillbridge/protocol/terminals/format-error.js';
import { COMMANDS, type CommandName, NOTIFICATIONS } from '@tillbridge/protocol/terminals/idtech/commands.js';
import type { FrameEvent, NeoFrame } from '@tillbridge/protocol/terminals/idtech/frame.js';
import {
  encodeOnLine,
  INITIAL_LINE_STATE,
  type NeoLine,
  parseLine,
} from '@tillbridge/protocol/terminals/idtech/line.js';
import { type Failed, failed } from '../core/result.js';
import { type AnswerStep, judgeAnswer } from './answers.js';
import { CANCEL_TIMEOUT_MS, COMMAND_TIMEOUT_MS } from './limits.js';

/** How a command ended. `cancelled`: this side stopped it. */
export type Reply =
  | { readonly kind: 'reply'; readonly status: number; readonly data: Buffer }
  | { readonly kind: 'cancelled' }
  | Failed;

/** A message that the device sent by itself. */
export type NotificationListener = (frame: NeoFrame) => void;

interface Waiting {
  readonly name: CommandName;
  readonly settle: (reply: Reply) => void;
  /** How long it may run once the device has begun it. */
  readonly endMs: number;
  timer: Timer;
  accepted: boolean;
}

const NO_DATA = Buffer.alloc(0);

/**
 * Commands over a pipe, one at a time; a cancel may overtake the one that waits for people, and holds up the next.
 * Nothing is numbered: an answer belongs to the command that waits if it bears its command byte, and a step of a
 * transaction ends only after the device said that it begins, so that the end of an earlier one is not taken for it.
 */
export class NeoLink {
  private readonly pipe: BytePipe;
  private readonly clock: Clock;
  private readonly line: NeoLine;
  private parser = INITIAL_LINE_STATE;
  private waiting: Waiting | undefined;
  private cancelling: Waiting | undefined;
  private cancelled: Promise<unknown> = Promise.resolve();
  private closed = false;
  private readonly listeners = new Set<NotificationListener>();
  /** Told when what came was damaged, or the pipe closed. */
  onTrouble: (() => void) | undefined;

  constructor(pipe: BytePipe, clock: Clock, line: NeoLine) {
    this.pipe = pipe;
    this.clock = clock;
    this.line = line;
    pipe.onData((bytes) => this.receive(bytes));
    pipe.onClose(() => this.end());
  }

  /** True while a command runs that waits for people. */
  get blocking(): boolean {
    return this.waiting !== undefined && COMMANDS[this.waiting.name].answers !== 'once';
  }

  /** Calls `listener` for every message that the device sends by itself. Returns the function that ends it. */
  onNotification(listener: NotificationListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Sends a command and waits for the answer that ends it. */
  async execute(
    name: CommandName,
    data: Uint8Array = NO_DATA,
    timeoutMs = COMMAND_TIMEOUT_MS,
  ): Promise<Reply> {
    // The maker's rule: after a cancel nothing is sent before its answer.
    await this.cancelled;
    if (this.waiting) return failed('terminal-busy', `${COMMANDS[this.waiting.name].name} is still running`);
    return this.send(name, data, timeoutMs, (waiting) => {
      this.waiting = waiting;
    });
  }

  /** Stops what runs; it ends as cancelled, unless its end is on the way. */
  cancel(): Promise<Reply> {
    if (this.cancelling) return this.cancelled as Promise<Reply>;
    const name = this.waiting?.name === 'encryptedPin' ? 'cancelKeypad' : 'cancel';
    const answered = this.send(name, NO_DATA, CANCEL_TIMEOUT_MS, (waiting) => {
      this.cancelling = waiting;
    });
    this.cancelled = answered;
    return answered;
  }

  /** Settles when no cancel is under way any more; whoever may be stopped meanwhile asks then. */
  async rested(): Promise<void> {
    await this.cancelled;
  }

  /** Forgets half a frame, and commands whose answers nobody waits for: the beginning of a new session. */
  reset(): void {
    this.parser = INITIAL_LINE_STATE;
    this.settleAll(failed('terminal-silent', 'the session began anew'));
  }

  private send(
    name: CommandName,
    data: Uint8Array,
    timeoutMs: number,
    place: (waiting: Waiting) => void,
  ): Promise<Reply> {
    if (this.closed) return Promise.resolve(gone());
    const { command, sub, answers } = COMMANDS[name];
    let writes: readonly Buffer[];
    try {
      writes = encodeOnLine(this.line, 'host', { command, second: sub, data });
    } catch (error) {
      if (!(error instanceof TerminalFormatError)) throw error;
      return Promise.resolve(failed('data-too-long', `${COMMANDS[name].name}: ${error.message}`));
    }
    return new Promise((resolve) => {
      const firstMs = answers === 'once' || answers === 'late' ? timeoutMs : COMMAND_TIMEOUT_MS;
      const waiting: Waiting = {
        name,
        accepted: false,
        settle: resolve,
        endMs: timeoutMs,
        timer: this.clock.setTimer(firstMs, () => this.silent(name)),
      };
      place(waiting);
      // A write that fails means the pipe is gone; its close event may come later or not at all.
      for (const bytes of writes) this.pipe.write(bytes).catch(() => this.end());
    });
  }

  private silent(name: CommandName): void {
    this.settleAll(failed('terminal-silent', `${COMMANDS[name].name}: the terminal never answered`));
  }

  private settleAll(reply: Reply): void {
    this.settleWaiting(reply);
    this.settleCancelling(reply);
  }

  private settleWaiting(reply: Reply): void {
    const { waiting } = this;
    this.waiting = undefined;
    waiting?.timer.cancel();
    waiting?.settle(reply);
  }

  private settleCancelling(reply: Reply): void {
    const { cancelling } = this;
    this.cancelling = undefined;
    cancelling?.timer.cancel();
    cancelling?.settle(reply);
  }

  private end(): void {
    this.closed = true;
    this.settleAll(gone());
    this.onTrouble?.();
  }

  private receive(bytes: Uint8Array): void {
    const { state, events } = parseLine(this.line, 'device', this.parser, bytes);
    this.parser = state;
    for (const event of events) this.take(event);
  }

  private take(event: FrameEvent): void {
    if (event.kind === 'damaged') {
      // What was damaged may have been the answer that people's waiting hangs on: nobody waits minutes to find out.
      if (this.blocking) this.settleWaiting(failed('protocol-error', 'what the terminal sent came damaged'));
      this.onTrouble?.();
      return;
    }
    const { frame } = event;
    if (isNotification(frame)) for (const listener of [...this.listeners]) listener(frame);
    else if (!this.takeCancel(frame)) this.takeAnswer(frame);
  }

  private takeCancel(frame: NeoFrame): boolean {
    const name = this.cancelling?.name;
    if (!name || frame.command !== COMMANDS[name].command || frame.data.length > 0) return false;
    this.settleCancelling({ kind: 'reply', status: frame.second, data: frame.data });
    // The PIN pad tells its end apart; everything else ends here, with its own answer before or without one.
    if (name === 'cancel') this.settleWaiting({ kind: 'cancelled' });
    return true;
  }

  private takeAnswer(frame: NeoFrame): void {
    const { waiting } = this;
    const step: AnswerStep = waiting ? judgeAnswer(waiting.name, waiting.accepted, frame) : 'not-ours';
    if (!waiting || step === 'not-ours') return;
    if (step === 'accepted') {
      waiting.accepted = true;
      waiting.timer.cancel();
      waiting.timer = this.clock.setTimer(waiting.endMs, () => this.silent(waiting.name));
      return;
    }
    // While a cancel is under way, what it stopped ends as cancelled, whatever status it gives.
    const stopped = this.cancelling !== undefined && step === 'refused';
    this.settleWaiting(
      stopped ? { kind: 'cancelled' } : { kind: 'reply', status: frame.second, data: frame.data },
    );
  }
}

function isNotification({ command, second }: NeoFrame): boolean {
  return Object.values(NOTIFICATIONS).some((each) => each.command === command && each.second === second);
}

function gone(): Failed {
  return failed('terminal-gone', 'the port closed');
}
