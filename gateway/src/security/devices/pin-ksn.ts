import type { DeviceRow } from '../../kernel/store/rows.js';
import { type KsnParts, ksnParts } from './ksn.js';

/**
 * The KSN of a PIN block that belongs to the account data of one transaction of a device; undefined where it does not. A device has a
 * PIN key of its own, or enciphers the PIN of a transaction under the KSN of its account data. Pure.
 */
export function pinKsnOf(device: DeviceRow, account: KsnParts, pinKsn: Uint8Array): KsnParts | undefined {
  const pin = ksnParts(pinKsn);
  const belongs = device.pinKsn === null ? pin?.ksn === account.ksn : pin?.initialKsn === device.pinKsn;
  return belongs ? pin : undefined;
}
