import type { KeyInfo } from './key-store.js';

/** Device types by the key sets of their devices: the leading hex digits of a KSN, uppercase; undefined for a set of no one type. */
export type DeviceKeySets = ReadonlyMap<string, string | undefined>;

/** Reads the key sets; while they cannot be read, the last ones are returned: the operation that needs a key then reports the reason. */
export function currentKeySets(look: () => DeviceKeySets): () => DeviceKeySets {
  let known = look();
  return () => {
    try {
      known = look();
    } catch {
      // The payment that follows uses the same keys and is refused with the reason.
    }
    return known;
  };
}

/** The key sets of the base keys of account data, with the device type of each. */
export function deviceKeySetsOf(
  keys: readonly Pick<KeyInfo, 'usage' | 'scope' | 'deviceType'>[],
): DeviceKeySets {
  const base = keys.filter(({ usage }) => usage === 'bdk-data');
  return new Map(base.map(({ scope, deviceType }) => [scope, deviceType]));
}
