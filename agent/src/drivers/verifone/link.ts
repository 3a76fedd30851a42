import type { TlvNode } from '@tillbridge/wire/emv/tlv.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { ABORT_P2, COMMANDS, type CommandName } from '@tillbridge/wire/terminals/verifone/commands.js';
import { MAX_RESPONSE_BYTES } from '@tillbridge/wire/terminals/verifone/frame-b.js';
import {
  type LinkEffect,
  type LinkEvent,
  type LinkTimer,
  newLink,
  stepTimedLink,
  type TimerEffect,
} from '@tillbridge/wire/terminals/verifone/link.js';
import {
  decodeContainer,
  decodeMessage,
  EMV_REPLY,
  EMV_REQUEST,
  encodeCommand,
  encodeContainer,
  encodeStatus,
  type SdiCommand,
  type SdiMessage,
} from '@tillbridge/wire/terminals/verifone/messages.js';
import { STATUSES, statusOf } from '@tillbridge/wire/terminals/verifone/statuses.js';
import { type Codec, type CodecEffect, CommandLink, type Taken } from '../core/command-link.js';
import { CANCEL_TIMEOUT_MS } from '../core/limits.js';
import { attempt, failed, isFailed, problemOf, type Result } from '../core/result.js';
import { ABORT_TIMEOUT_MS, REPEAT_TIMEOUT_MS } from './limits.js';

/** Protocol type A confirms every frame (serial); type B trusts its stream (TCP). */
type FrameType = 'A' | 'B';

/** How a command ended. */
export type Reply = Result<SdiMessage>;

/** A command and what is known of its answer. */
export interface SdiExchange {
  readonly command: CommandName;
  readonly p2?: number;
  readonly data?: Uint8Array;
  readonly timeoutMs: number;
  /** It waits for people where its command does not always. */
  readonly blocking?: boolean;
  /** Called for an EMV request of the device while the command runs; the link sends the reply. */
  readonly onRequest?: (objects: readonly TlvNode[]) => void;
  /** Whether an answer can be this command's; others are passed over. Every answer is, without it. */
  readonly accept?: (answer: SdiMessage) => boolean;
}

type Effects = readonly CodecEffect<SdiMessage>[];

const NO_DATA = Buffer.alloc(0);
/** The reply to the callbacks that a sale turns on; they request no data. */
const EMPTY_REPLY = encodeStatus(EMV_REPLY, encodeContainer([]));
/** Starts when a damaged frame is requested again, so that a lost repetition ends the command early. */
const REPEAT = 'repeat';
const UNSENT = {
  refused: 'the terminal refused a frame again and again',
  unconfirmed: 'the terminal did not confirm a frame',
  'queue-full': 'too many frames wait for the terminal',
} as const;

class SdiCodec implements Codec<SdiCommand, SdiMessage> {
  private readonly type: FrameType;
  private state;

  constructor(type: FrameType) {
    this.type = type;
    this.state = newLink(type, MAX_RESPONSE_BYTES);
  }

  send(command: SdiCommand): Effects {
    return [
      { kind: 'stop-timer', timer: REPEAT },
      ...this.step({ kind: 'send', message: encodeCommand(command) }),
    ];
  }

  receive(bytes: Uint8Array): Effects {
    return this.step({ kind: 'bytes', bytes });
  }

  timeout(timer: string): Effects {
    if (timer !== REPEAT) return this.step({ kind: timer as LinkTimer });
    return [{ kind: 'failed', failure: failed('protocol-error', 'the answer came damaged') }];
  }

  reset(): void {
    // A stream of type B cannot be resynchronised: it stays broken until it closes.
    if (this.type === 'A') this.state = newLink(this.type, MAX_RESPONSE_BYTES);
  }

  private step(event: LinkEvent): Effects {
    const { state, effects } = stepTimedLink(this.state, event);
    this.state = state;
    return effects.flatMap((effect) => this.translate(effect));
  }

  private translate(effect: LinkEffect | TimerEffect): Effects {
    switch (effect.kind) {
      case 'message':
        return [{ kind: 'stop-timer', timer: REPEAT }, ...this.message(effect.message)];
      case 'damaged':
        return [{ kind: 'set-timer', timer: REPEAT, ms: REPEAT_TIMEOUT_MS }];
      case 'unsent':
        return [{ kind: 'failed', failure: failed('terminal-silent', UNSENT[effect.reason]) }];
      default:
        return [effect];
    }
  }

  private message(bytes: Buffer): Effects {
    const message = attempt('answer', () => decodeMessage(bytes));
    if (isFailed(message)) return [{ kind: 'failed', failure: message }];
    const received = { kind: 'message', message } as const;
    // The device waits without limit for the answer to a request.
    const reply = message.kind === 'request' && message.sw === EMV_REQUEST;
    return reply ? [...this.step({ kind: 'send', message: EMPTY_REPLY }), received] : [received];
  }
}

/**
 * Commands of SDI, one at a time; an abort may overtake the one that waits for people. SDI of these types numbers nothing:
 * answers belong to commands only by their order.
 */
export class SdiLink extends CommandLink<SdiCommand, SdiMessage> {
  constructor(pipe: BytePipe, clock: Clock, type: FrameType) {
    super(pipe, clock, new SdiCodec(type));
  }

  /** Sends a command and waits for its answer. */
  execute(exchange: SdiExchange): Promise<Reply> {
    const { command, p2 = 0, data = NO_DATA, timeoutMs, onRequest, accept } = exchange;
    const { cla, ins, name } = COMMANDS[command];
    const { blocking = COMMANDS[command].blocking } = exchange;
    let passedOver: SdiMessage | undefined;
    return this.exchangeExclusively<SdiMessage>({
      name,
      command: { cla, ins, p1: 0, p2, data },
      timeoutMs,
      blocking,
      take: (message): Taken<SdiMessage> => {
        if (message.kind === 'request') onRequest?.(objectsOf(message));
        if (message.kind !== 'answer') return undefined;
        if (!accept || accept(message)) return { end: message };
        passedOver = message;
        return undefined;
      },
      instead: () => passedOver && `answered ${swText(passedOver.sw)} instead`,
    });
  }

  /**
   * Stops the blocking command, which ends as aborted. The abort itself has no answer: what does not end in time, a command that
   * cannot be stopped as well, ends as silent.
   */
  abort(): void {
    this.hurry(CANCEL_TIMEOUT_MS);
    if (!this.blocking) return;
    const { cla, ins, name } = COMMANDS.sysAbort;
    this.send(name, { cla, ins, p1: 0, p2: ABORT_P2.silentWhenIdle, data: NO_DATA });
  }

  /** Stops the device and skips late answers: the beginning of a session. */
  async stopAll(): Promise<Result<undefined>> {
    this.reset();
    const reply = await this.execute({
      command: 'sysAbort',
      p2: ABORT_P2.answerWhenIdle,
      timeoutMs: ABORT_TIMEOUT_MS,
      // Idle, the device answers so; else the command that it stops does.
      accept: ({ sw }) => sw === STATUSES.aborted.code,
    });
    return problemOf(reply);
  }
}

/** The objects of a request; none where it cannot be read: the reply has gone out, and the command goes on. */
function objectsOf({ data }: SdiMessage): readonly TlvNode[] {
  const objects = attempt('request', () => decodeContainer(data));
  return isFailed(objects) ? [] : objects;
}

/** A status word for people: its four digits and its meaning. */
export function swText(sw: number): string {
  return `${sw.toString(16).toUpperCase().padStart(4, '0')} (${statusOf(sw).meaning})`;
}
