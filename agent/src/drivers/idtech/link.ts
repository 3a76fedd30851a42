import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { COMMANDS, type CommandName, NOTIFICATIONS } from '@tillbridge/wire/terminals/idtech/commands.js';
import type { FrameEvent, NeoFrame } from '@tillbridge/wire/terminals/idtech/frame.js';
import {
  encodeOnLine,
  INITIAL_LINE_STATE,
  type NeoLine,
  parseLine,
} from '@tillbridge/wire/terminals/idtech/line.js';
import { type CodecEffect, CommandLink, DAMAGED, type Exchange, parserCodec } from '../core/command-link.js';
import type { Result } from '../core/result.js';
import { judgeAnswer } from './answers.js';
import { CANCEL_TIMEOUT_MS, COMMAND_TIMEOUT_MS } from './limits.js';

/** How a command ended. `cancelled`: this side stopped it. */
export type Reply = Result<
  { readonly kind: 'reply'; readonly status: number; readonly data: Buffer } | { readonly kind: 'cancelled' }
>;

/** A frame of the device: an answer or a notification. */
interface ReceivedFrame extends NeoFrame {
  readonly unsolicited: boolean;
}

const NO_DATA = Buffer.alloc(0);
const CANCELLED = { kind: 'cancelled' } as const;

function read(event: FrameEvent): readonly CodecEffect<ReceivedFrame>[] {
  if (event.kind === 'damaged') return DAMAGED;
  const { frame } = event;
  return [{ kind: 'message', message: { ...frame, unsolicited: isNotification(frame) } }];
}

function isNotification({ command, second }: NeoFrame): boolean {
  return Object.values(NOTIFICATIONS).some((each) => each.command === command && each.second === second);
}

/**
 * Commands of NEO 2, one at a time; a cancel may overtake the one that waits for people, and holds up the next. Nothing is
 * numbered: an answer with the command byte of the pending command belongs to it. A step of a transaction ends
 * only after the device has reported its beginning, so that the end of an earlier one does not end it.
 */
export class NeoLink extends CommandLink<NeoFrame, ReceivedFrame> {
  private running: CommandName | undefined;
  private cancelling: Promise<Reply> | undefined;
  /** Its answer has not come. */
  private cancelWaits = false;

  constructor(pipe: BytePipe, clock: Clock, line: NeoLine) {
    const codec = parserCodec(
      INITIAL_LINE_STATE,
      (state, bytes: Uint8Array) => parseLine(line, 'device', state, bytes),
      read,
      (frame: NeoFrame) => encodeOnLine(line, 'host', frame),
    );
    super(pipe, clock, codec, 'blocking');
  }

  /** Calls `listener` for every notification. Returns the function that ends it. */
  onNotification(listener: (frame: NeoFrame) => void): () => void {
    return this.listen({ onMessage: (frame) => frame.unsolicited && listener(frame) });
  }

  /** Sends a command and waits for the answer that ends it. */
  async execute(
    name: CommandName,
    data: Uint8Array = NO_DATA,
    timeoutMs = COMMAND_TIMEOUT_MS,
  ): Promise<Reply> {
    // The maker's rule: after a cancel nothing is sent before its answer.
    await this.rested();
    const { answers } = COMMANDS[name];
    const atOnce = answers === 'once' || answers === 'late';
    let accepted = false;
    if (!this.busy) this.running = name;
    return this.exchangeExclusively<Reply>({
      ...commandOf(name, data),
      timeoutMs: atOnce ? timeoutMs : COMMAND_TIMEOUT_MS,
      runMs: timeoutMs,
      blocking: answers !== 'once',
      take: (frame) => {
        const step = frame.unsolicited ? 'not-ours' : judgeAnswer(name, accepted, frame);
        if (step === 'not-ours') return undefined;
        if (step === 'accepted') {
          accepted = true;
          return 'begun';
        }
        // While a cancel is under way, what it stopped ends as cancelled, with any status.
        return { end: this.cancelWaits && step === 'refused' ? CANCELLED : replyOf(frame) };
      },
    });
  }

  /** Stops what runs; it ends as cancelled, unless its end is on the way. */
  cancel(): Promise<Reply> {
    if (this.cancelling) return this.cancelling;
    const name = this.busy && this.running === 'encryptedPin' ? 'cancelKeypad' : 'cancel';
    this.cancelWaits = true;
    const cancelling = this.exchange<Reply>({
      ...commandOf(name, NO_DATA),
      timeoutMs: CANCEL_TIMEOUT_MS,
      ahead: true,
      take: (frame) => {
        if (frame.unsolicited || frame.command !== COMMANDS[name].command || frame.data.length > 0)
          return undefined;
        this.cancelWaits = false;
        // The PIN pad reports its end in a separate message; every other command ends here.
        return { end: replyOf(frame), ...(name === 'cancel' && { others: CANCELLED }) };
      },
    }).finally(() => {
      this.cancelling = undefined;
      this.cancelWaits = false;
    });
    this.cancelling = cancelling;
    return cancelling;
  }

  /** Resolves when no cancel is pending. The till may have stopped the sale meanwhile. */
  async rested(): Promise<void> {
    await this.cancelling;
  }
}

function replyOf({ second, data }: NeoFrame): Reply {
  return { kind: 'reply', status: second, data };
}

function commandOf(
  name: CommandName,
  data: Uint8Array,
): Pick<Exchange<NeoFrame, ReceivedFrame, unknown>, 'name' | 'command'> {
  const { command, sub, name: title } = COMMANDS[name];
  return { name: title, command: { command, second: sub, data: Buffer.from(data) } };
}
