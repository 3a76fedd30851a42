import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { encodeKeySlot } from '@tillbridge/wire/terminals/newland/commands.js';
import {
  ACK,
  CANCEL_CARD_WAIT,
  encodeFrame,
  type FrameEvent,
  INITIAL_FRAME_STATE,
  parseFrames,
} from '@tillbridge/wire/terminals/newland/frame.js';
import {
  FUNCTIONS,
  type FunctionName,
  isNotification,
} from '@tillbridge/wire/terminals/newland/functions.js';
import {
  answerType,
  decodeMessage,
  encodeMessage,
  MESSAGES,
  type MessageName,
  type NewlandMessage,
} from '@tillbridge/wire/terminals/newland/messages.js';
import { type CodecEffect, CommandLink, DAMAGED, type Exchange, parserCodec } from '../core/command-link.js';
import { attempt, isFailed, type Result } from '../core/result.js';
import { COMMAND_TIMEOUT_MS } from './limits.js';

/** How a command ended: the body of its answer, behind the function id where it is an EMV function. */
export type Reply = Result<Buffer>;

/** A command and what its answer is known by. */
export interface Command {
  readonly name: string;
  readonly message: NewlandMessage;
  readonly answer: string;
}

/** What the pad sends, and what command it answers by it. */
interface Answer {
  readonly answers: string;
  readonly body: Buffer;
}

type NewlandExchange = Exchange<NewlandMessage | Uint8Array, Answer, Buffer>;

/** Stands for the bare ACK that answers some commands. */
const BARE_ACK = 'ACK';
const LEVEL_3_ANSWER = answerType(MESSAGES.level3.type);
const EMPTY = Buffer.alloc(0);
const ANY_SLOT = 1;
const CALLBACK = functionKey(FUNCTIONS.callback.id);

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

function functionKey(id: number | undefined): string {
  return `${LEVEL_3_ANSWER}/${id?.toString(16)}`;
}

function read(event: FrameEvent): readonly CodecEffect<Answer>[] {
  if (event.kind === 'ack') return [{ kind: 'message', message: { answers: BARE_ACK, body: EMPTY } }];
  if (event.kind === 'damaged') return DAMAGED;
  if (event.kind !== 'frame') return [];
  const message = attempt('message', () => decodeMessage(event.data));
  if (isFailed(message)) return DAMAGED;
  const { type, body } = message;
  const level3Answer = type === LEVEL_3_ANSWER;
  const answer = level3Answer
    ? { answers: functionKey(body[0]), body: body.subarray(1) }
    : { answers: type, body };
  const received = { kind: 'message', message: answer } as const;
  // Notifications are not confirmed.
  return level3Answer && isNotification(body[0])
    ? [received]
    : [{ kind: 'write', bytes: Buffer.of(ACK) }, received];
}

function encode(what: NewlandMessage | Uint8Array): readonly Uint8Array[] {
  return [what instanceof Uint8Array ? what : encodeFrame(encodeMessage(what))];
}

/**
 * Commands of the pad, one at a time; CANCEL PIN may overtake a transaction. Frames are not numbered: an answer is known by
 * only its type, and answers come in the order of their commands. So that a late or repeated answer is never taken for
 * that of the next command, two of one type never follow each other: another command goes between them.
 */
export class NewlandLink extends CommandLink<NewlandMessage | Uint8Array, Answer> {
  private last: string | undefined;
  private running: NewlandExchange | undefined;
  /** Called with the data of every callback of a transaction. */
  onCallback: ((data: Buffer) => void) | undefined;

  constructor(pipe: BytePipe, clock: Clock) {
    super(pipe, clock, parserCodec(INITIAL_FRAME_STATE, parseFrames, read, encode));
    this.listen({
      onMessage: ({ answers, body }) => {
        if (answers === CALLBACK) this.onCallback?.(body);
      },
    });
  }

  /**
   * Sends a command and waits for its answer.
   * @param timeoutMs longest silence; {@link continueFor} begins it anew
   * @param longestMs how long the command may take in all
   */
  async execute(what: Command, timeoutMs = COMMAND_TIMEOUT_MS, longestMs = timeoutMs): Promise<Reply> {
    const exchange = exchangeOf(what, timeoutMs, longestMs);
    if (!this.busy && what.answer === this.last) {
      const fence = fenceFor(what);
      const passed = await this.exchangeExclusively(exchangeOf(fence, COMMAND_TIMEOUT_MS));
      if (isFailed(passed)) return passed;
    }
    this.last = what.answer;
    this.running = exchange;
    return this.exchangeExclusively(exchange);
  }

  /** Sends a command during the one that runs; a pad that does not answer it may still answer the other. */
  overtake(what: Command): Promise<Reply> {
    this.last = what.answer;
    return this.exchange({ ...exchangeOf(what, COMMAND_TIMEOUT_MS), timesOutAlone: true });
  }

  /** Extends the wait for the running command after a callback, within the command's limit. */
  continueFor(timeoutMs: number): void {
    if (this.running) this.extend(this.running, timeoutMs);
  }

  /** Ends the pad's wait for a card, if it waits for one. */
  cancelCardWait(): void {
    this.send('CANCEL', CANCEL_CARD_WAIT);
  }

  /** Answers a callback. */
  answerCallback(data: Buffer): void {
    const { name, message } = level3('callback', data);
    this.send(name, message);
  }

  override reset(): void {
    this.onCallback = undefined;
    super.reset();
  }
}

function exchangeOf(
  { name, message, answer }: Command,
  timeoutMs: number,
  runMs = timeoutMs,
): NewlandExchange {
  const take = ({ answers, body }: Answer) => (answers === answer ? { end: body } : undefined);
  return { name, command: message, timeoutMs, runMs, take };
}

function fenceFor({ answer }: Command): Command {
  const status = command('status');
  return answer === status.answer ? command('keySerialNumber', encodeKeySlot(ANY_SLOT)) : status;
}
