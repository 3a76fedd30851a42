import type { DeviceKeySets } from '../keys/device-key-sets.js';

/**
 * The profile under which account data is deciphered: the type of the device. What was sent as `pos.deviceType` and the key set of
 * the KSN may not say otherwise; undefined where one does. Pure.
 */
export function decideKeyProfile(
  sentType: string | undefined,
  deviceType: string,
  ksnHex: string,
  keySets: DeviceKeySets,
): string | undefined {
  const ofKeySet = deviceTypeOf(ksnHex, keySets);
  const agree = [sentType, ofKeySet].every((type) => type === undefined || type === deviceType);
  return agree ? deviceType : undefined;
}

/** The longest key set wins, also one of no device type: it is the one whose key deciphers. */
function deviceTypeOf(ksnHex: string, keySets: DeviceKeySets): string | undefined {
  const fitting = [...keySets].filter(([keySet]) => ksnHex.startsWith(keySet));
  return fitting.sort(([one], [other]) => other.length - one.length)[0]?.[1];
}
