import { DEVICE_PROFILES } from './device-profiles.js';
import { type KeyInfo, KeyStoreError, type NewKey } from './key-store.js';

/** Device types by the key sets of their devices: the leading hex digits of a KSN, uppercase; undefined for a set of no one type. */
export type DeviceKeySets = ReadonlyMap<string, string | undefined>;

/**
 * Refuses a device type that is not known, or that a key cannot have.
 * @throws KeyStoreError badUse
 */
export function requireDeviceType({ id, usage, deviceType }: Omit<NewKey, 'key'>): void {
  if (deviceType === undefined) return;
  if (usage !== 'bdk-data' && usage !== 'bdk-pin')
    throw new KeyStoreError('badUse', `${id}: a device type belongs to base derivation keys`);
  if (!DEVICE_PROFILES.has(deviceType)) {
    const known = [...DEVICE_PROFILES.keys()].join(', ');
    throw new KeyStoreError(
      'badUse',
      `${id}: ${deviceType.slice(0, 32)} is no device type, expected ${known}`,
    );
  }
}

/** The key sets of the base keys of account data, with the device type of each. */
export function deviceKeySetsOf(
  keys: readonly Pick<KeyInfo, 'usage' | 'scope' | 'deviceType'>[],
): DeviceKeySets {
  const base = keys.filter(({ usage }) => usage === 'bdk-data');
  return new Map(base.map(({ scope, deviceType }) => [scope, deviceType]));
}
