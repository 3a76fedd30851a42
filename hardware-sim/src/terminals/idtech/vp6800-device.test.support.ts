import { fromHex } from '@tillbridge/wire/bytes.js';
import { settle } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import type { NeoFrame } from '@tillbridge/wire/terminals/idtech/frame.js';
import {
  encodeOnLine,
  INITIAL_LINE_STATE,
  type NeoLine,
  parseLine,
} from '@tillbridge/wire/terminals/idtech/line.js';
import type { PresentMode } from '../../cards/catalogue.js';
import { DeviceHarness } from '../core/device-harness.test.support.js';
import { Vp6800 } from './vp6800.js';

const NOTHING = Buffer.alloc(0);

/** A VP6800 and its host's end of the line: raw frames, no driver. */
export class Vp6800Harness extends DeviceHarness<Vp6800> {
  /** What the device wrote, piece by piece. */
  readonly writes: Uint8Array[] = [];
  readonly #line: NeoLine;
  #parser = INITIAL_LINE_STATE;
  #frames: NeoFrame[] = [];

  constructor(line: NeoLine) {
    super(
      Vp6800,
      {
        serial: 'N0000001007',
        transport: line,
        presentAheadMs: 1_000,
        ksnPin: fromHex('FFFF9876000000000000'),
        ksnData: fromHex('FFFF987A000000000000'),
      },
      Date.UTC(2026, 10, 20, 10, 15),
    );
    this.#line = line;
    this.host.onData((bytes) => {
      this.writes.push(bytes);
      const { state, events } = parseLine(line, 'device', this.#parser, bytes);
      this.#parser = state;
      for (const event of events) if (event.kind === 'frame') this.#frames.push(event.frame);
    });
  }

  /** Sends a command and gives what the device answered until it came to rest: command, status, data. */
  async send(command: number, second: number, data: Uint8Array = NOTHING): Promise<string[]> {
    for (const bytes of encodeOnLine(this.#line, 'host', { command, second, data })) {
      await this.host.write(bytes);
    }
    return this.answers();
  }

  /** Sends bytes as they are. */
  async write(bytes: Uint8Array): Promise<string[]> {
    await this.host.write(bytes);
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
    this.give(name, how, collision);
    await settle();
  }
}
