import type { BytePipe } from '@tillbridge/protocol/seams/byte-pipe.js';
import type { Clock, Timer } from '@tillbridge/protocol/seams/clock.js';
import { TerminalFormatError } from '@tillbridge/protocol/terminals/format-error.js';
import { COMMANDS, type CommandName, commandTitle } from '@tillbridge/protocol/terminals/magtek/commands.js';
import {
  decodeMessage,
  encodeRequest,
  type MmsNotification,
  type MmsResponse,
} from '@tillbridge/protocol/terminals/magtek/message.js';
import { type Failed, failed } from '../core/result.js';
import type { HostFraming } from './framing.js';
import { COMMAND_TIMEOUT_MS } from './limits.js';

/** How a command ended. */
export type Reply = { readonly kind: 'reply'; readonly response: MmsResponse } | Failed;

/** What the device sends without being asked. */
export interface LinkListener {
  onNotification(notification: MmsNotification): void;
  /** Something came that was no message: it may have been anything. */
  onDamage(): void;
  /** The port closed. */
  onEnd(): void;
}

interface Waiting {
  readonly command: CommandName;
  readonly timer: Timer;
  /** Told at once, before anything that follows in the same bytes. */
  readonly settle: (reply: Reply) => void;
}

const NO_PARAMETERS = Buffer.alloc(0);
const REFERENCES = 0x100;

/** Requests over a pipe, told apart by their reference numbers, and the notifications between them. */
export class MmsLink {
  private readonly pipe: BytePipe;
  private readonly framing: HostFraming;
  private readonly clock: Clock;
  private readonly waiting = new Map<number, Waiting>();
  private readonly listeners = new Set<LinkListener>();
  private reference = 0;
  private closed = false;
  private sending: Promise<void> = Promise.resolve();

  constructor(pipe: BytePipe, framing: HostFraming, clock: Clock) {
    this.pipe = pipe;
    this.framing = framing;
    this.clock = clock;
    pipe.onData((bytes) => this.receive(bytes));
    pipe.onClose(() => this.end());
  }

  /** Tells `listener` of everything that is no response. Returns the function that ends it. */
  listen(listener: LinkListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Sends a command and waits for its response.
   * @param onResponse called at once when it comes, before anything that follows in the same bytes
   */
  request(
    command: CommandName,
    parameters: Uint8Array = NO_PARAMETERS,
    onResponse: () => void = () => {},
  ): Promise<Reply> {
    if (this.closed) return Promise.resolve(gone());
    const reference = this.nextReference();
    const frames = this.framesOf(command, reference, parameters);
    if ('kind' in frames) return Promise.resolve(frames);
    return new Promise((resolve) => {
      const settle = (reply: Reply): void => {
        this.waiting.delete(reference);
        timer.cancel();
        if (reply.kind === 'reply') onResponse();
        resolve(reply);
      };
      const timer = this.clock.setTimer(COMMAND_TIMEOUT_MS, () =>
        settle(failed('terminal-silent', `${commandTitle(command)}: the terminal never answered`)),
      );
      this.waiting.set(reference, { command, timer, settle });
      this.sending = this.sending.then(() => this.send(frames));
    });
  }

  /** Forgets half a message and commands whose responses nobody waits for: the beginning of a new session. */
  reset(): void {
    this.framing.reset();
    this.settleAll(failed('terminal-silent', 'the session began anew'));
  }

  /** Reports must not overtake each other: each waits until the one before was taken. */
  private async send(frames: readonly Uint8Array[]): Promise<void> {
    try {
      for (const frame of frames) await this.pipe.write(frame);
    } catch {
      // A write that fails means the pipe is gone; its close event may come later or not at all.
      this.end();
    }
  }

  private nextReference(): number {
    do this.reference = (this.reference + 1) % REFERENCES;
    while (this.waiting.has(this.reference));
    return this.reference;
  }

  private framesOf(
    command: CommandName,
    reference: number,
    parameters: Uint8Array,
  ): readonly Uint8Array[] | Failed {
    try {
      const number = COMMANDS[command];
      return this.framing.frames(
        encodeRequest({ reference, command: number, parameters: Buffer.from(parameters) }),
      );
    } catch (error) {
      if (!(error instanceof TerminalFormatError)) throw error;
      return failed('data-too-long', `${commandTitle(command)}: ${error.message}`);
    }
  }

  private receive(bytes: Uint8Array): void {
    for (const event of this.framing.receive(bytes)) {
      if (event.kind === 'message') this.take(event.bytes);
      else if (event.kind === 'too-long')
        this.settleAll(failed('data-too-long', `the terminal takes ${event.maxBytes} bytes at most`));
      else this.damaged();
    }
  }

  private take(bytes: Uint8Array): void {
    try {
      const message = decodeMessage(bytes);
      if (message.kind === 'response') this.respond(message);
      else if (message.kind === 'notification') {
        for (const listener of [...this.listeners]) listener.onNotification(message);
      }
    } catch (error) {
      if (!(error instanceof TerminalFormatError)) throw error;
      this.damaged();
    }
  }

  /** A response to something that nobody waits for any more is late, and nothing. */
  private respond(response: MmsResponse): void {
    const waiting = this.waiting.get(response.reference);
    if (waiting && COMMANDS[waiting.command] === response.command)
      waiting.settle({ kind: 'reply', response });
  }

  /** What was damaged may have been the answer that somebody waits for: nobody waits longer to find out. */
  private damaged(): void {
    this.settleAll(failed('protocol-error', 'what the terminal sent came damaged'));
    for (const listener of [...this.listeners]) listener.onDamage();
  }

  private settleAll(reply: Reply): void {
    for (const { settle } of [...this.waiting.values()]) settle(reply);
  }

  private end(): void {
    if (this.closed) return;
    this.closed = true;
    this.settleAll(gone());
    for (const listener of [...this.listeners]) listener.onEnd();
  }
}

function gone(): Failed {
  return failed('terminal-gone', 'the port closed');
}
