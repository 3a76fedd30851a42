import type { BytePipe } from '@tillbridge/protocol/seams/byte-pipe.js';
import type { Clock, Timer } from '@tillbridge/protocol/seams/clock.js';
import {
  INITIAL_FRAME_STATE,
  insidePacket,
  parseFrames,
} from '@tillbridge/protocol/terminals/abecs/framing.js';
import {
  IDLE_LINK,
  type LinkCommand,
  type LinkEffect,
  type LinkEvent,
  type LinkResult,
  type LinkState,
  type LinkTimer,
  linkStep,
} from './link-machine.js';

/** Runs the link machine over a pipe. One command at a time; `cancel` may overtake it and ends it as cancelled. */
export class AbecsLink {
  private readonly pipe: BytePipe;
  private readonly clock: Clock;
  private state: LinkState = IDLE_LINK;
  private parser = INITIAL_FRAME_STATE;
  private readonly timers = new Map<LinkTimer, Timer>();
  private waiters: ((result: LinkResult) => void)[] = [];
  private notify: (data: Buffer) => void = () => {};

  constructor(pipe: BytePipe, clock: Clock) {
    this.pipe = pipe;
    this.clock = clock;
    pipe.onData((bytes) => this.receive(bytes));
    pipe.onClose(() => this.handle({ kind: 'closed' }));
  }

  /** True while a blocking command runs: CAN may stop it. */
  get blocking(): boolean {
    return 'command' in this.state && this.state.command.blocking;
  }

  /** Sends a command and waits for its end; `onNotification` gets the packets of notifications meanwhile. */
  execute(command: LinkCommand, onNotification: (data: Buffer) => void = () => {}): Promise<LinkResult> {
    this.notify = onNotification;
    return this.wait({ kind: 'command', command });
  }

  /** Sends CAN until EOT: ends a running command, or frees a device whose state is not known. */
  cancel(): Promise<LinkResult> {
    return this.wait({ kind: 'cancel' });
  }

  private wait(event: LinkEvent): Promise<LinkResult> {
    return new Promise((resolve, reject) => {
      this.waiters.push(resolve);
      try {
        this.handle(event);
      } catch (error) {
        this.waiters = this.waiters.filter((waiter) => waiter !== resolve);
        reject(error);
      }
    });
  }

  private receive(bytes: Uint8Array): void {
    const parsed = parseFrames(this.parser, bytes);
    this.parser = parsed.state;
    this.handle({ kind: 'bytes', inside: insidePacket(parsed.state) });
    for (const frame of parsed.events) this.handle({ kind: 'frame', frame });
  }

  private handle(event: LinkEvent): void {
    const step = linkStep(this.state, event);
    this.state = step.state;
    for (const effect of step.effects) this.run(effect);
  }

  private run(effect: LinkEffect): void {
    switch (effect.kind) {
      case 'write':
        // A write that fails means the pipe is gone; its close event may come later or not at all.
        this.pipe.write(effect.bytes).catch(() => this.handle({ kind: 'closed' }));
        break;
      case 'set-timer':
        this.setTimer(effect.timer, effect.ms);
        break;
      case 'stop-timer':
        this.stopTimer(effect.timer);
        break;
      case 'stop-timers':
        for (const timer of [...this.timers.keys()]) this.stopTimer(timer);
        break;
      case 'reset-parser':
        this.parser = INITIAL_FRAME_STATE;
        break;
      case 'notification':
        this.notify(effect.data);
        break;
      case 'done':
        this.finish(effect.result);
        break;
    }
  }

  private finish(result: LinkResult): void {
    const { waiters } = this;
    this.waiters = [];
    for (const waiter of waiters) waiter(result);
  }

  private setTimer(timer: LinkTimer, ms: number): void {
    this.stopTimer(timer);
    this.timers.set(
      timer,
      this.clock.setTimer(ms, () => {
        this.timers.delete(timer);
        this.handle({ kind: 'timer', timer });
      }),
    );
  }

  private stopTimer(timer: LinkTimer): void {
    this.timers.get(timer)?.cancel();
    this.timers.delete(timer);
  }
}
