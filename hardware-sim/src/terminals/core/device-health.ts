import type { DeviceFaultName } from '../../faults/fault.js';
import type { DukptDevice } from './dukpt-device.js';

/** Charge of a healthy device, and of one with the fault `low-battery`, in percent. */
const FULL_BATTERY_PERCENT = 87;
export const LOW_BATTERY_PERCENT = 3;

/** Tamper switch, keys and battery of a device, as its faults leave them. */
export class DeviceHealth {
  readonly #keys: readonly DukptDevice[];
  #faults: ReadonlySet<DeviceFaultName> = new Set();

  /** @param keys every DUKPT key of the device */
  constructor(keys: readonly DukptDevice[]) {
    this.#keys = keys;
  }

  /** The device found itself opened: its keys are gone. */
  get tampered(): boolean {
    return this.#faults.has('tamper');
  }

  get batteryPercent(): number {
    return this.#faults.has('low-battery') ? LOW_BATTERY_PERCENT : FULL_BATTERY_PERCENT;
  }

  /** Replaces the faults; keys that were erased or used up are injected anew when their fault is gone. */
  lay(faults: readonly DeviceFaultName[]): void {
    this.#faults = new Set(faults);
    for (const key of this.#keys) {
      if (this.tampered) key.condition = 'erased';
      else key.condition = this.#faults.has('key-exhausted') ? 'exhausted' : 'loaded';
    }
  }
}
