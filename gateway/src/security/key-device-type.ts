import { DEVICE_PROFILES } from './device-profiles.js';
import { KeyStoreError, type NewKey } from './key-store.js';

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
