import type { BytePipe } from '@tillbridge/protocol/seams/byte-pipe.js';
import type { Clock, Timer } from '@tillbridge/protocol/seams/clock.js';
import { TerminalFormatError } from '@tillbridge/protocol/terminals/format-error.js';
import { encodeKeySlot } from '@tillbridge/protocol/terminals/newland/commands.js';
import {
  ACK,
  CANCEL_CARD_WAIT,
  encodeFrame,
  INITIAL_FRAME_STATE,
  parseFrames,
} from '@tillbridge/protocol/terminals/newland/frame.js';
import {
  FUNCTIONS,
  type FunctionName,
  isNotification,
} from '@tillbridge/protocol/terminals/newland/functions.js';
import {
  answerType,
  decodeMessage,
  encodeMessage,
  MESSAGES,
  type MessageName,
  type NewlandMessage,
} from '@tillbridge/protocol/terminals/newland/messages.js';
import { type Failed, failed } from '../core/result.js';
import { COMMAND_TIMEOUT_MS } from './limits.js';

/** How a command ended: the body of its answer, behind the function id where it is an EMV function. */
export type Reply = { readonly kind: 'reply'; readonly body: Buffer } | Failed;

/** Data of a callback while a transaction runs. */
export type CallbackListener = (data: Buffer) => void;

/** A command and what its answer is known by. */
interface Command {
  readonly name: string;
  readonly message: NewlandMessage;
  readonly answer: string;
}

interface Waiting {
  readonly command: Command;
  timer: Timer;
  /** How long the command may take, however often its wait was begun anew. */
  readonly untilMs: number;
  readonly settle: (reply: Reply) => void;
}

/** Stands for the bare ACK that answers some commands. */
const BARE_ACK = 'ACK';
const LEVEL_3_ANSWER = answerType(MESSAGES.level3.type);
const EMPTY = Buffer.alloc(0);
const ANY_SLOT = 1;

/** A command of the pad. */
export function command(name: MessageName, body: Buffer = EMPTY): Command {
  const { type, name: text, reply } = MESSAGES[name];
  return { name: text, message: { type, body }, answer: reply === 'ack' ? BARE_ACK : answerType(type) };
}

/** An EMV function of the pad. */
export function level3(name: FunctionName, data: Buffer = EMPTY): Command {
  const { id, name: text } = FUNCTIONS[name];
  const body = Buffer.concat([Buffer.of(id), data]);
  return { name: text, message: { type: MESSAGES.level3.type, body }, answer: functionKey(id) };
}

function functionKey(id: number): string {
  return `${LEVEL_3_ANSWER}/${id.toString(16)}`;
}

/**
 * Commands over a pipe, one at a time; CANCEL PIN may overtake a transaction. Frames are not numbered: an answer is known
 * by its type alone, and answers come in the order of their commands. So that a late or repeated answer is never taken
 * for that of the next command, two of one type never follow each other: another command goes between them.
 */
export class NewlandLink {
  private readonly pipe: BytePipe;
  private readonly clock: Clock;
  private parser = INITIAL_FRAME_STATE;
  private waiting: Waiting[] = [];
  private last: string | undefined;
  private closed = false;
  /** Told of every callback of a transaction. */
  onCallback: CallbackListener | undefined;

  constructor(pipe: BytePipe, clock: Clock) {
    this.pipe = pipe;
    this.clock = clock;
    pipe.onData((bytes) => this.receive(bytes));
    pipe.onClose(() => this.end());
  }

  /**
   * Sends a command and waits for its answer.
   * @param timeoutMs longest silence; {@link extend} begins it anew
   * @param longestMs how long the command may take in all
   */
  async execute(
    what: Command,
    timeoutMs = COMMAND_TIMEOUT_MS,
    longestMs: number = timeoutMs,
  ): Promise<Reply> {
    if (this.waiting.length > 0) {
      return failed('terminal-busy', 'a command of Newland is still running');
    }
    if (what.answer === this.last) {
      const fence = await this.send(fenceFor(what), COMMAND_TIMEOUT_MS);
      if (fence.kind === 'failed') return fence;
    }
    return this.send(what, timeoutMs, longestMs);
  }

  /** Sends a command beside the one that runs; a pad that does not answer it may still answer the other. */
  overtake(what: Command): Promise<Reply> {
    return this.send(what, COMMAND_TIMEOUT_MS, COMMAND_TIMEOUT_MS, (waiting) => this.unheard(waiting));
  }

  /** The pad works on a function and told so: its answer may take that much longer, within the function's own limit. */
  extend(name: FunctionName, timeoutMs: number): void {
    const waiting = this.waiting.find(
      ({ command: { answer } }) => answer === functionKey(FUNCTIONS[name].id),
    );
    if (!waiting) return;
    waiting.timer.cancel();
    const leftMs = Math.min(timeoutMs, Math.max(0, waiting.untilMs - this.clock.monotonicMs()));
    waiting.timer = this.clock.setTimer(leftMs, () => this.silent(waiting.command));
  }

  /** Ends the pad's wait for a card, if it waits for one. */
  cancelCardWait(): void {
    this.write(CANCEL_CARD_WAIT);
  }

  /** Answers a callback. */
  answerCallback(data: Buffer): void {
    const { message } = level3('callback', data);
    this.write(encodeFrame(encodeMessage(message)));
  }

  /** Forgets half a frame, and commands whose answers nobody waits for: the beginning of a new session. */
  reset(): void {
    this.parser = INITIAL_FRAME_STATE;
    this.onCallback = undefined;
    this.settleAll(failed('terminal-silent', 'the session began anew'));
  }

  private send(
    what: Command,
    timeoutMs: number,
    longestMs = timeoutMs,
    onSilence = (_: Waiting): void => this.silent(what),
  ): Promise<Reply> {
    const frame = frameOf(what);
    if (!Buffer.isBuffer(frame)) return Promise.resolve(frame);
    if (this.closed) return Promise.resolve(gone());
    this.last = what.answer;
    return new Promise((resolve) => {
      const timer = this.clock.setTimer(timeoutMs, () => onSilence(waiting));
      const untilMs = this.clock.monotonicMs() + longestMs;
      const waiting: Waiting = { command: what, timer, untilMs, settle: resolve };
      this.waiting.push(waiting);
      this.write(frame);
    });
  }

  private write(bytes: Uint8Array): void {
    if (this.closed) return;
    // A write that fails means the pipe is gone; its close event may come later or not at all.
    this.pipe.write(bytes).catch(() => this.end());
  }

  /** One silent command makes the order of answers unknown: all that wait are over. */
  private silent(what: Command): void {
    this.settleAll(silence(what));
  }

  private unheard(waiting: Waiting): void {
    this.waiting = this.waiting.filter((each) => each !== waiting);
    settle(waiting, silence(waiting.command));
  }

  private settleAll(reply: Reply): void {
    const { waiting } = this;
    this.waiting = [];
    for (const each of waiting) settle(each, reply);
  }

  private end(): void {
    this.closed = true;
    this.settleAll(gone());
  }

  private receive(bytes: Uint8Array): void {
    const { state, events } = parseFrames(this.parser, bytes);
    this.parser = state;
    for (const event of events) {
      if (event.kind === 'frame') this.take(event.data);
      else if (event.kind === 'ack') this.answered(BARE_ACK, EMPTY);
      else if (event.kind === 'damaged') this.damaged();
    }
  }

  /** What was damaged may have been the answer that people's waiting hangs on: nobody waits minutes to find out. */
  private damaged(): void {
    this.settleAll(failed('protocol-error', 'what the terminal sent came damaged'));
  }

  private take(data: Buffer): void {
    const message = readMessage(data);
    if (!message) {
      this.damaged();
      return;
    }
    const { type, body } = message;
    const [id] = body;
    if (type === LEVEL_3_ANSWER && isNotification(id)) {
      if (id === FUNCTIONS.callback.id) this.onCallback?.(body.subarray(1));
      return;
    }
    this.write(Buffer.of(ACK));
    if (type !== LEVEL_3_ANSWER) this.answered(type, body);
    else if (id !== undefined) this.answered(functionKey(id), body.subarray(1));
  }

  /** An answer that nobody waits for came late, or twice. */
  private answered(answer: string, body: Buffer): void {
    const at = this.waiting.findIndex(({ command: { answer: wanted } }) => wanted === answer);
    const [waiting] = at < 0 ? [] : this.waiting.splice(at, 1);
    if (waiting) settle(waiting, { kind: 'reply', body });
  }
}

function settle({ timer, settle: tell }: Waiting, reply: Reply): void {
  timer.cancel();
  tell(reply);
}

function silence({ name }: Command): Failed {
  return failed('terminal-silent', `${name}: the terminal never answered`);
}

function gone(): Failed {
  return failed('terminal-gone', 'the port closed');
}

function fenceFor({ answer }: Command): Command {
  const status = command('status');
  return answer === status.answer ? command('keySerialNumber', encodeKeySlot(ANY_SLOT)) : status;
}

function readMessage(data: Buffer): NewlandMessage | undefined {
  try {
    return decodeMessage(data);
  } catch (error) {
    if (error instanceof TerminalFormatError) return undefined;
    throw error;
  }
}

function frameOf({ name, message }: Command): Buffer | Failed {
  try {
    return encodeFrame(encodeMessage(message));
  } catch (error) {
    if (error instanceof TerminalFormatError) return failed('data-too-long', `${name}: ${error.message}`);
    throw error;
  }
}
