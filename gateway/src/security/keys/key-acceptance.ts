import { isTestKey } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import { DEVICE_PROFILE_NAMES } from '../../kernel/store/tables/devices.js';
import { checkValue, isBaseKeyUsage, requireFit } from './key-rules.js';
import { type KeyMode, KeyStoreError, type NewKey } from './key-store.js';

/**
 * The check value of a key that a store may take.
 * @throws KeyStoreError badKey, badUse, kcvMismatch, testKeyInLive
 */
export function acceptKey(mode: KeyMode, input: NewKey): string {
  const { id, algorithm, key, expectedKcv } = input;
  requireFit(input);
  requireDeviceType(input);
  const kcv = checkValue(algorithm, key);
  if (expectedKcv !== undefined && expectedKcv.toUpperCase() !== kcv)
    throw new KeyStoreError('kcvMismatch', `${id}: the key gives ${kcv}`);
  refuseTestKeyInLive(mode, id, key);
  return kcv;
}

/** Refuses a published test key, or its check value, in live mode. @throws KeyStoreError testKeyInLive */
export function refuseTestKeyInLive(mode: KeyMode, id: string, key: Uint8Array | string): void {
  if (mode === 'live' && isTestKey(key)) throw new KeyStoreError('testKeyInLive', id);
}

/** Refuses a device type that is not known, or that a key cannot have. */
function requireDeviceType({ id, usage, deviceType }: NewKey): void {
  if (deviceType === undefined) return;
  if (!isBaseKeyUsage(usage))
    throw new KeyStoreError('badUse', `${id}: a device type belongs to base derivation keys`);
  if ((DEVICE_PROFILE_NAMES as readonly string[]).includes(deviceType)) return;
  const known = DEVICE_PROFILE_NAMES.join(', ');
  throw new KeyStoreError('badUse', `${id}: ${deviceType.slice(0, 32)} is no device type, expected ${known}`);
}
