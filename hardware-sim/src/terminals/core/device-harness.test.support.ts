import { fromHex } from '@tillbridge/wire/bytes.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import { memoryPipe } from '@tillbridge/wire/seams/testing/memory-pipe.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { CardBox } from '../../cards/card-box.js';
import type { PresentMode } from '../../cards/catalogue.js';
import { seededRandom } from '../../faults/seeded-random.js';
import { type FrameView, WireLog } from '../../inspection/wire-log.js';
import { memorySlot, type StateSlot } from '../../state/state-slot.js';
import type { DeviceDeps, SimulatedDevice } from './simulated-device.js';

/** A device with a clock, cards and the host's end of its line, all in memory. */
export class DeviceHarness<D extends SimulatedDevice> {
  readonly clock: VirtualClock;
  readonly device: D;
  /** Raw bytes of the host. */
  readonly host: BytePipe;
  /** What the device reported that its protocol has no status for. */
  readonly faults: unknown[] = [];
  readonly box: CardBox;
  readonly #wire: WireLog;
  readonly #slots = new Map<string, StateSlot<never>>();

  constructor(
    Device: new (deps: DeviceDeps) => D,
    changes: Partial<DeviceDeps> = {},
    startMs = Date.UTC(2026, 10, 20, 10, 15, 30),
  ) {
    this.clock = new VirtualClock(startMs);
    this.box = new CardBox((name) => this.slot(`card-${name}`));
    this.device = new Device({
      id: 'T1',
      serial: 'N0000001',
      transport: 'serial',
      clock: this.clock,
      random: seededRandom(1),
      presentAheadMs: 10_000,
      ksnPin: fromHex('FFFF9876543210E00000'),
      ksnData: fromHex('FFFF9876543210E00000'),
      pinKeyIndex: 1,
      dataKeyIndex: 1,
      slot: (name) => this.slot(name),
      onFault: (error) => this.faults.push(error),
      ...changes,
    });
    const [host, far] = memoryPipe();
    this.host = host;
    const { transport = 'serial' } = changes;
    this.#wire = new WireLog({
      deviceType: this.device.deviceType,
      transport,
      clock: this.clock,
    });
    this.device.attach(this.#wire.tap(far));
  }

  /** The frames on its line as they are shown, oldest first. */
  get passed(): readonly FrameView[] {
    return this.#wire.frames.entries.map((frame) => this.#wire.view(frame));
  }

  /** What the device, or a card, keeps under a name. */
  slot<T>(name: string): StateSlot<T> {
    const slot = this.#slots.get(name) ?? memorySlot<never>();
    this.#slots.set(name, slot);
    return slot as unknown as StateSlot<T>;
  }

  /** A person presents a card, by default in its usual way. */
  give(name: string, how?: PresentMode, collision = false): void {
    const taken = this.box.take(name);
    if (!taken) throw new Error(`there is no card ${name}`);
    this.device.ui.present({ ...taken, how: how ?? taken.definition.usual, collision });
  }
}
