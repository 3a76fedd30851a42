import { DEVICE_TYPES } from './device-types.js';
import { KeyStoreError, type NewKey } from './key-store.js';

/**
 * Refuses a device type that is not known, or that a key cannot have.
 * @throws KeyStoreError badUse
 */
export function requireDeviceType({ id, usage, deviceType }: Omit<NewKey, 'key'>): void {
  if (deviceType === undefined) return;
  if (usage !== 'bdk-data' && usage !== 'bdk-pin')
    throw new KeyStoreError('badUse', `${id}: a device type belongs to base derivation keys`);
  if (!(DEVICE_TYPES as readonly string[]).includes(deviceType)) {
    const known = DEVICE_TYPES.join(', ');
    throw new KeyStoreError(
      'badUse',
      `${id}: ${deviceType.slice(0, 32)} is no device type, expected ${known}`,
    );
  }
}
