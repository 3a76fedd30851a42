import type { BytePipe } from '@tillbridge/protocol/seams/byte-pipe.js';
import type { Clock, Timer } from '@tillbridge/protocol/seams/clock.js';
import { TerminalFormatError } from '@tillbridge/protocol/terminals/format-error.js';
import {
  COMMANDS,
  type CommandName,
  encodeCommand,
  type MiuraCommand,
} from '@tillbridge/protocol/terminals/miura/commands.js';
import {
  encodeCommandPacket,
  INITIAL_PACKET_STATE,
  type MiuraMessage,
  parsePackets,
} from '@tillbridge/protocol/terminals/miura/packet.js';
import { decodeResponse, type MiuraResponse } from '@tillbridge/protocol/terminals/miura/responses.js';
import { type Failed, failed } from '../core/result.js';
import { ABORT_TIMEOUT_MS } from './limits.js';

/** How a command ended. */
export type Reply = { readonly kind: 'reply'; readonly response: MiuraResponse } | Failed;

/** A message that the device sent by itself: E6 and its tags. */
export type UnsolicitedListener = (data: Buffer) => void;

interface Waiting {
  readonly command: CommandName;
  readonly timer: Timer;
  readonly settle: (reply: Reply) => void;
}

const NO_DATA = Buffer.alloc(0);

/**
 * Commands over a pipe, one at a time; an abort may overtake the one that waits for people. MPI confirms nothing and
 * numbers nothing: answers belong to commands by their order alone, and damage is noticed as silence.
 */
export class MiuraLink {
  private readonly pipe: BytePipe;
  private readonly clock: Clock;
  private parser = INITIAL_PACKET_STATE;
  private waiting: Waiting[] = [];
  private closed = false;
  private readonly listeners = new Set<UnsolicitedListener>();
  private readonly endListeners = new Set<() => void>();

  constructor(pipe: BytePipe, clock: Clock) {
    this.pipe = pipe;
    this.clock = clock;
    pipe.onData((bytes) => this.receive(bytes));
    pipe.onClose(() => this.end());
  }

  /** True while a command runs that waits for people. */
  get blocking(): boolean {
    return this.waiting.some(({ command }) => COMMANDS[command].blocking);
  }

  /** Calls `listener` for every message that the device sends by itself. Returns the function that ends it. */
  onUnsolicited(listener: UnsolicitedListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Calls `listener` when the port closes, at once where it has. Returns the function that ends it. */
  onEnd(listener: () => void): () => void {
    if (this.closed) listener();
    else this.endListeners.add(listener);
    return () => this.endListeners.delete(listener);
  }

  /** Sends a command and waits for its answer. */
  execute(command: MiuraCommand, timeoutMs: number): Promise<Reply> {
    const packet = encodePacket(command);
    if ('kind' in packet) return Promise.resolve(packet);
    if (this.waiting.length > 0 && command.command !== 'abort') {
      return Promise.resolve(failed('terminal-busy', 'a command of Miura is still running'));
    }
    return this.send(command.command, packet, timeoutMs);
  }

  /** Sends a command that is answered by an unsolicited message alone (CARD STATUS). */
  async tell(command: MiuraCommand): Promise<Failed | undefined> {
    const packet = encodePacket(command);
    if ('kind' in packet) return packet;
    if (this.closed) return gone();
    return this.pipe.write(packet).then(() => undefined, gone);
  }

  /** Stops what runs: the running command ends as cancelled, then the abort is answered. */
  abort(): Promise<Reply> {
    return this.execute({ command: 'abort', p1: 0, p2: 0, data: NO_DATA }, ABORT_TIMEOUT_MS);
  }

  /** Forgets half a packet, and commands whose answers nobody waits for: the beginning of a new session. */
  reset(): void {
    this.parser = INITIAL_PACKET_STATE;
    this.settleAll(failed('terminal-silent', 'the session began anew'));
  }

  private send(command: CommandName, packet: Buffer, timeoutMs: number): Promise<Reply> {
    if (this.closed) return Promise.resolve(gone());
    return new Promise((resolve) => {
      const timer = this.clock.setTimer(timeoutMs, () => this.silent(waiting));
      const waiting: Waiting = { command, timer, settle: resolve };
      this.waiting.push(waiting);
      // A write that fails means the pipe is gone; its close event may come later or not at all.
      this.pipe.write(packet).catch(() => this.end());
    });
  }

  /** One silent command makes the order of answers unknown: all that wait are over. */
  private silent({ command }: Waiting): void {
    this.settleAll(failed('terminal-silent', `${COMMANDS[command].name}: the terminal never answered`));
  }

  /** What was damaged may have been the answer that people's waiting hangs on: nobody waits minutes to find out. */
  private damaged(): void {
    this.settleAll(failed('protocol-error', 'what the terminal sent came damaged'));
  }

  private settleAll(reply: Reply): void {
    const { waiting } = this;
    this.waiting = [];
    for (const { timer, settle } of waiting) {
      timer.cancel();
      settle(reply);
    }
  }

  private end(): void {
    if (this.closed) return;
    this.closed = true;
    this.settleAll(gone());
    for (const listener of [...this.endListeners]) listener();
  }

  private receive(bytes: Uint8Array): void {
    const { state, events } = parsePackets(this.parser, bytes);
    this.parser = state;
    for (const event of events) {
      if (event.kind === 'message') this.take(event.message);
      else if (this.blocking) this.damaged();
    }
  }

  private take({ unsolicited, apdu }: MiuraMessage): void {
    const { data, sw } = decodeResponse(apdu);
    if (unsolicited) {
      for (const listener of [...this.listeners]) listener(data);
      return;
    }
    const next = this.waiting.shift();
    next?.timer.cancel();
    next?.settle({ kind: 'reply', response: { data, sw } });
  }
}

/** The port closed. */
export function gone(): Failed {
  return failed('terminal-gone', 'the port closed');
}

function encodePacket(command: MiuraCommand): Buffer | Failed {
  try {
    return encodeCommandPacket(encodeCommand(command));
  } catch (error) {
    if (!(error instanceof TerminalFormatError)) throw error;
    const failure = error.field === 'data' ? 'data-too-long' : 'internal';
    return failed(failure, `${COMMANDS[command.command].name}: ${error.message}`);
  }
}
