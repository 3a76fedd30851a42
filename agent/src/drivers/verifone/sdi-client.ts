import type { TlvNode } from '@tillbridge/protocol/emv/tlv.js';
import type { BytePipe } from '@tillbridge/protocol/seams/byte-pipe.js';
import type { Clock, Timer } from '@tillbridge/protocol/seams/clock.js';
import { TerminalFormatError } from '@tillbridge/protocol/terminals/format-error.js';
import { ABORT_P2, COMMANDS, type CommandName } from '@tillbridge/protocol/terminals/verifone/commands.js';
import {
  decodeContainer,
  decodeMessage,
  EMV_REPLY,
  EMV_REQUEST,
  encodeCommand,
  encodeContainer,
  encodeStatus,
  type SdiMessage,
} from '@tillbridge/protocol/terminals/verifone/messages.js';
import { STATUSES, statusOf } from '@tillbridge/protocol/terminals/verifone/statuses.js';
import { type Failed, failed } from '../core/result.js';
import { ABORT_TIMEOUT_MS, REPEAT_TIMEOUT_MS } from './limits.js';
import { type FrameType, SdiLine } from './sdi-line.js';

/** How a command ended. */
export type Reply = { readonly kind: 'reply'; readonly sw: number; readonly data: Buffer } | Failed;

/** A command and what is known of its answer. */
export interface Exchange {
  readonly command: CommandName;
  readonly p2?: number;
  readonly data?: Uint8Array;
  readonly timeoutMs: number;
  /** Told of an EMV request of the device while the command runs; the reply goes out by itself. */
  readonly onRequest?: (objects: readonly TlvNode[]) => void;
  /** Whether an answer can be this command's; others are passed over. Every answer is, without it. */
  readonly accept?: (answer: SdiMessage) => boolean;
}

interface Waiting {
  readonly exchange: Exchange;
  readonly timer: Timer;
  readonly settle: (reply: Reply) => void;
  /** The last answer that was passed over. */
  passedOver: SdiMessage | undefined;
}

const NO_DATA = Buffer.alloc(0);
/** Nothing is asked for by the callbacks that a sale turns on. */
const EMPTY_REPLY = encodeStatus(EMV_REPLY, encodeContainer([]));

/**
 * Commands over a line, one at a time; an abort may overtake the one that waits for people. SDI of these types numbers
 * nothing: answers belong to commands by their order alone.
 */
export class SdiClient {
  private readonly line: SdiLine;
  private readonly clock: Clock;
  private waiting: Waiting | undefined;
  private repeatTimer: Timer | undefined;
  private ended: Failed | undefined;

  constructor(pipe: BytePipe, clock: Clock, type: FrameType) {
    this.clock = clock;
    this.line = new SdiLine(pipe, clock, type, {
      onMessage: (message) => this.receive(message),
      onDamaged: () => this.damaged(),
      onUnsent: (reason) => this.settle(failed('terminal-silent', this.named(reason))),
      onEnd: (reason) => {
        this.ended = failed('terminal-gone', reason);
        this.settle(this.ended);
      },
    });
  }

  /** Sends a command and waits for its answer. */
  execute(exchange: Exchange): Promise<Reply> {
    if (this.ended) return Promise.resolve(this.ended);
    if (this.waiting) return Promise.resolve(failed('terminal-busy', 'a command of SDI is still running'));
    const { cla, ins, name } = COMMANDS[exchange.command];
    const { p2 = 0, data = NO_DATA, timeoutMs } = exchange;
    return new Promise((settle) => {
      const timer = this.clock.setTimer(timeoutMs, () => this.late());
      this.waiting = { exchange, timer, settle, passedOver: undefined };
      try {
        this.line.send(encodeCommand({ cla, ins, p1: 0, p2, data }));
      } catch (error) {
        if (!(error instanceof TerminalFormatError)) throw error;
        this.settle(failed('data-too-long', `${name}: ${error.message}`));
      }
    });
  }

  /** Stops the command that waits for people; it ends as aborted, and the abort has no answer of its own. */
  abort(): void {
    const running = this.waiting?.exchange.command;
    if (running === undefined || !COMMANDS[running].blocking) return;
    const { cla, ins } = COMMANDS.sysAbort;
    this.line.send(encodeCommand({ cla, ins, p1: 0, p2: ABORT_P2.silentWhenIdle, data: NO_DATA }));
  }

  /** Ends what runs on the device, and passes over what it still says of it: the beginning of a session. */
  async stopAll(): Promise<Failed | undefined> {
    this.settle(failed('terminal-silent', 'the session began anew'));
    this.line.reset();
    const reply = await this.execute({
      command: 'sysAbort',
      p2: ABORT_P2.answerWhenIdle,
      timeoutMs: ABORT_TIMEOUT_MS,
      // Idle, the device answers so; else the command that it stops does.
      accept: ({ sw }) => sw === STATUSES.aborted.sw,
    });
    return reply.kind === 'failed' ? reply : undefined;
  }

  private receive(bytes: Buffer): void {
    this.repeatTimer?.cancel();
    let message: SdiMessage;
    try {
      message = decodeMessage(bytes);
    } catch (error) {
      if (!(error instanceof TerminalFormatError)) throw error;
      this.settle(failed('protocol-error', this.named(error.message)));
      return;
    }
    if (message.kind === 'request') this.request(message);
    else if (message.kind === 'answer') this.answer(message);
  }

  /** A request that nobody answered would hold the device for ever. */
  private request({ sw, data }: SdiMessage): void {
    if (sw !== EMV_REQUEST) return;
    this.line.send(EMPTY_REPLY);
    try {
      this.waiting?.exchange.onRequest?.(decodeContainer(data));
    } catch (error) {
      // What cannot be read tells nothing; the reply has gone out, and the command goes on.
      if (!(error instanceof TerminalFormatError)) throw error;
    }
  }

  private answer(message: SdiMessage): void {
    const { waiting } = this;
    if (!waiting) return;
    if (waiting.exchange.accept && !waiting.exchange.accept(message)) {
      waiting.passedOver = message;
      return;
    }
    this.settle({ kind: 'reply', sw: message.sw, data: message.data });
  }

  /** A damaged frame was asked for again. When nothing comes, nobody waits minutes to find out. */
  private damaged(): void {
    this.repeatTimer?.cancel();
    if (!this.waiting) return;
    this.repeatTimer = this.clock.setTimer(REPEAT_TIMEOUT_MS, () =>
      this.settle(failed('protocol-error', this.named('the answer came damaged'))),
    );
  }

  private late(): void {
    const passed = this.waiting?.passedOver;
    const said = passed ? `answered ${swText(passed.sw)} instead` : 'never answered';
    this.settle(failed('terminal-silent', this.named(`the terminal ${said}`)));
  }

  private named(what: string): string {
    const command = this.waiting?.exchange.command;
    return command === undefined ? what : `${COMMANDS[command].name}: ${what}`;
  }

  private settle(reply: Reply): void {
    const { waiting } = this;
    this.waiting = undefined;
    this.repeatTimer?.cancel();
    waiting?.timer.cancel();
    waiting?.settle(reply);
  }
}

/** A status word for people: its four digits and its meaning. */
export function swText(sw: number): string {
  return `${sw.toString(16).toUpperCase().padStart(4, '0')} (${statusOf(sw).meaning})`;
}
