import type { BytePipe } from '@tillbridge/protocol/seams/byte-pipe.js';
import { memoryPipe } from '@tillbridge/protocol/seams/memory-pipe.js';
import { settle, VirtualClock } from '@tillbridge/protocol/seams/virtual-clock.js';
import type { NeoFrame } from '@tillbridge/protocol/terminals/idtech/frame.js';
import {
  encodeOnLine,
  INITIAL_LINE_STATE,
  type NeoLine,
  parseLine,
} from '@tillbridge/protocol/terminals/idtech/line.js';
import { CardBox } from '../../cards/card-box.js';
import type { PresentMode } from '../../cards/catalogue.js';
import { seededRandom } from '../../faults/seeded-random.js';
import { memorySlot } from '../../state/state-slot.js';
import { Vp6800 } from './vp6800.js';

const NOTHING = Buffer.alloc(0);

/** A VP6800 and its host's end of the line: raw frames, no driver. */
export class Vp6800Harness {
  readonly clock = new VirtualClock(Date.UTC(2026, 10, 20, 10, 15));
  readonly surprises: unknown[] = [];
  /** What the device wrote, piece by piece. */
  readonly writes: Uint8Array[] = [];
  readonly device: Vp6800;
  readonly #line: NeoLine;
  readonly #host: BytePipe;
  readonly #box = new CardBox(() => memorySlot());
  #parser = INITIAL_LINE_STATE;
  #frames: NeoFrame[] = [];

  constructor(line: NeoLine) {
    this.#line = line;
    this.device = new Vp6800({
      id: 'T1',
      serial: 'N0000001007',
      transport: line,
      clock: this.clock,
      random: seededRandom(1),
      presentAheadMs: 1_000,
      ksnPin: Buffer.from('FFFF9876000000000000', 'hex'),
      ksnData: Buffer.from('FFFF987A000000000000', 'hex'),
      pinKeyIndex: 1,
      dataKeyIndex: 1,
      slot: () => memorySlot(),
      onFault: (error) => this.surprises.push(error),
    });
    const [host, far] = memoryPipe();
    this.#host = host;
    host.onData((bytes) => {
      this.writes.push(bytes);
      const { state, events } = parseLine(line, 'device', this.#parser, bytes);
      this.#parser = state;
      for (const event of events) if (event.kind === 'frame') this.#frames.push(event.frame);
    });
    this.device.attach(far);
  }

  /** Sends a command and gives what the device answered until it came to rest: command, status, data. */
  async send(command: number, second: number, data: Uint8Array = NOTHING): Promise<string[]> {
    for (const bytes of encodeOnLine(this.#line, 'host', { command, second, data })) {
      await this.#host.write(bytes);
    }
    return this.answers();
  }

  /** Sends bytes as they are. */
  async write(bytes: Uint8Array): Promise<string[]> {
    await this.#host.write(bytes);
    return this.answers();
  }

  /** Everything that came since it was looked at last, in hex. */
  async answers(): Promise<string[]> {
    await settle();
    return this.frames().map(({ command, second, data }) =>
      [command, second, ...data].map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(' '),
    );
  }

  /** As {@link answers}, as frames. */
  frames(): readonly NeoFrame[] {
    const frames = this.#frames;
    this.#frames = [];
    return frames;
  }

  /** Gives a card and waits for the device to come to rest. */
  async present(name: string, how: PresentMode, collision = false): Promise<void> {
    const taken = this.#box.take(name);
    if (!taken) throw new Error(`there is no card ${name}`);
    this.device.ui.present({ ...taken, how, collision });
    await settle();
  }
}
