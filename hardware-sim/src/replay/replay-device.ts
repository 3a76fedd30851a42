import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';
import { HOST_PAUSE_MS, type ReplayResult, type ReplayStep } from './replay-plan.js';

/** A host that sends nothing for this long has stopped. */
export const HOST_PATIENCE_MS = 120_000;

/** What a replay works with. */
interface ReplayDeps {
  readonly steps: readonly ReplayStep[];
  readonly clock: Clock;
  /** Times the recorded speed; Infinity waits for nothing. */
  readonly speed: number;
  /** Called after each step, for progress. */
  readonly onStep?: (done: number, of: number) => void;
}

/** Plays the device of a recording: waits for the host where the device waited, sends what the device sent. */
export class ReplayDevice {
  /** Settles when the recording ended or the host stopped. */
  readonly ended: Promise<ReplayResult>;
  readonly #deps: ReplayDeps;
  #end: (result: ReplayResult) => void = () => undefined;
  #pipe: BytePipe | undefined;
  #at = 0;
  #received: Buffer = Buffer.alloc(0);
  #hostSteps = 0;
  #different = 0;
  #timer: Timer | undefined;

  constructor(deps: ReplayDeps) {
    this.#deps = deps;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Connects a host; the replay goes on where it stands. */
  attach(pipe: BytePipe): void {
    const begins = this.#pipe === undefined;
    this.#pipe = pipe;
    pipe.onData((bytes) => this.#hear(bytes));
    if (begins) this.#next();
  }

  #next(): void {
    this.#timer?.cancel();
    const { steps, clock, speed, onStep } = this.#deps;
    onStep?.(this.#at, steps.length);
    const step = steps[this.#at];
    if (!step) {
      this.#finish(true);
    } else if (step.kind === 'send') {
      this.#timer = clock.setTimer(Math.round(step.afterMs / speed), () => this.#send(step.bytes));
    } else {
      this.#listen(step.bytes);
    }
  }

  #send(bytes: Buffer): void {
    // Bytes to a closed line are lost; the host may connect again, as in the recording.
    this.#pipe?.write(bytes).catch(() => undefined);
    this.#at += 1;
    this.#next();
  }

  #hear(bytes: Uint8Array): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    const step = this.#deps.steps[this.#at];
    if (step?.kind === 'expect') this.#listen(step.bytes);
  }

  #listen(expected: Buffer): void {
    this.#timer?.cancel();
    if (this.#received.length >= expected.length) this.#take(expected, expected.length);
    else if (this.#received.length > 0) {
      this.#timer = this.#deps.clock.setTimer(HOST_PAUSE_MS, () =>
        this.#take(expected, this.#received.length),
      );
    } else {
      this.#timer = this.#deps.clock.setTimer(HOST_PATIENCE_MS, () => this.#finish(false));
    }
  }

  #take(expected: Buffer, length: number): void {
    if (!this.#received.subarray(0, length).equals(expected)) this.#different += 1;
    this.#received = this.#received.subarray(length);
    this.#hostSteps += 1;
    this.#at += 1;
    this.#next();
  }

  #finish(complete: boolean): void {
    this.#timer?.cancel();
    this.#end({ hostSteps: this.#hostSteps, different: this.#different, complete });
  }
}
