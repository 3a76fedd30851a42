import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { TraceRecorder } from '@tillbridge/wire/terminals/trace/trace-recorder.js';
import type { WireLog } from '../inspection/wire-log.js';
import { ReplayDevice } from '../replay/replay-device.js';
import type { ReplayResult, ReplayStep } from '../replay/replay-plan.js';

/** A recording that plays in place of a terminal. */
export interface ReplayView {
  readonly recording: string;
  readonly done: number;
  readonly of: number;
  /** How it went; absent while it plays. */
  readonly result?: ReplayResult;
}

/** What a line stands on. */
interface TerminalLineDeps {
  readonly clock: Clock;
  readonly wire: WireLog;
  /** Connects the simulated device. */
  readonly attachDevice: (line: BytePipe) => void;
  /** Ends the line and makes it anew, so that its host begins again. */
  readonly replug: () => Promise<void>;
  readonly onChange: () => void;
}

/** Who is at the device's end of a terminal's line: the simulated device, or a recording that plays once. */
export class TerminalLine {
  readonly #deps: TerminalLineDeps;
  #playing: ReplayDevice | undefined;
  #replay: ReplayView | undefined;
  #recording: { readonly name: string; readonly stop: () => void } | undefined;

  constructor(deps: TerminalLineDeps) {
    this.#deps = deps;
  }

  /** The recording that plays, or the last one that did. */
  get replay(): ReplayView | undefined {
    return this.#replay;
  }

  get isReplaying(): boolean {
    return this.#playing !== undefined;
  }

  /** Name of the recording that is being written. */
  get recording(): string | undefined {
    return this.#recording?.name;
  }

  /** Connects the device's end, simulated or replayed, to a new line. */
  attach(line: BytePipe): void {
    const tapped = this.#deps.wire.tap(line);
    if (this.#playing) this.#playing.attach(tapped);
    else this.#deps.attachDevice(tapped);
  }

  /** Puts a recording in place of the device until it has ended. */
  async play(recording: string, steps: readonly ReplayStep[], speed: number): Promise<void> {
    const { clock, replug, onChange } = this.#deps;
    const device = new ReplayDevice({
      steps,
      clock,
      speed,
      onStep: (done, of) => {
        if (this.#playing !== device) return;
        this.#replay = { recording, done, of };
        onChange();
      },
    });
    this.#playing = device;
    this.#replay = { recording, done: 0, of: steps.length };
    void device.ended.then((result) => this.#ended(device, result));
    await replug();
    onChange();
  }

  /** Puts the device back. */
  async stopReplay(): Promise<void> {
    if (!this.#playing) return;
    this.#playing = undefined;
    await this.#deps.replug();
    this.#deps.onChange();
  }

  /** Writes what passes from now on. @param name shown while it is written */
  record(name: string, recorder: TraceRecorder): void {
    this.stopRecording();
    const stop = this.#deps.wire.follow({
      opened: () => recorder.mark('open'),
      bytes: (direction, bytes) => recorder.bytes(direction === 'in' ? 'host' : 'device', bytes),
    });
    this.#recording = {
      name,
      stop: () => {
        stop();
        recorder.close();
      },
    };
    this.#deps.onChange();
  }

  /** Ends the recording. @returns its name; undefined when there was none */
  stopRecording(): string | undefined {
    const recording = this.#recording;
    if (!recording) return undefined;
    this.#recording = undefined;
    recording.stop();
    this.#deps.onChange();
    return recording.name;
  }

  async #ended(device: ReplayDevice, result: ReplayResult): Promise<void> {
    if (this.#playing !== device) return;
    if (this.#replay) this.#replay = { ...this.#replay, result };
    await this.stopReplay();
  }
}
