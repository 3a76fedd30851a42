import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { Random } from '@tillbridge/protocol/seams/random.js';
import type { StateSlot } from '../../state/state-slot.js';
import { DeviceHealth } from './device-health.js';
import { DukptDevice, type DukptState } from './dukpt-device.js';
import { type CoreCounters, PaymentCore } from './payment-core.js';
import { DEVELOPMENT_PLACE } from './terminal-applications.js';
import { TerminalUi } from './terminal-ui.js';

/** What every simulated device on the payment core is made of. */
export interface DeviceOptions {
  readonly id: string;
  readonly serial: string;
  readonly clock: Clock;
  readonly random: Random;
  /** How long a card or PIN given ahead of time is kept ready. */
  readonly presentAheadMs: number;
  /** Initial key serial numbers: counter zero; 10 bytes, or 12 where the maker's device has AES DUKPT. */
  readonly ksnPin: Uint8Array;
  readonly ksnData: Uint8Array;
  readonly pinSlot: StateSlot<DukptState>;
  readonly dataSlot: StateSlot<DukptState>;
  readonly counters: StateSlot<CoreCounters>;
  /** Told of faults that the maker's protocol has no word for, for the log. */
  readonly onFault: (error: unknown) => void;
}

/** Front, keys, health and payment core of a terminal. */
export interface DeviceParts {
  readonly ui: TerminalUi;
  readonly pinKey: DukptDevice;
  readonly dataKey: DukptDevice;
  readonly health: DeviceHealth;
  readonly core: PaymentCore;
}

/** Puts a terminal's inside together. @throws CryptoError badKsn, badCounter */
export function deviceParts(options: DeviceOptions): DeviceParts {
  const { id, serial, clock, random, presentAheadMs, counters } = options;
  const ui = new TerminalUi({ clock, aheadMs: presentAheadMs });
  const pinKey = new DukptDevice(options.pinSlot, 'bdkPin', options.ksnPin, random);
  const dataKey = new DukptDevice(options.dataSlot, 'bdkData', options.ksnData, random);
  const core = new PaymentCore({
    serial,
    terminalId: id,
    ui,
    random,
    pinKey,
    counters,
    place: DEVELOPMENT_PLACE,
  });
  return { ui, pinKey, dataKey, health: new DeviceHealth([pinKey, dataKey]), core };
}
