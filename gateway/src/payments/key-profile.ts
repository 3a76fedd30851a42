import { toHex } from '@tillbridge/protocol/bytes.js';
import type { DeviceKeySets } from '../security/device-key-sets.js';
import { DEVICE_PROFILES } from '../security/device-profiles.js';

/** The profile under which account data is deciphered, or what is wrong with `pos.deviceType`. */
export type KeyProfileVerdict =
  | { readonly ok: true; readonly profile: string }
  | { readonly ok: false; readonly message: string };

/** The device type decides; without one the key set of the KSN does; both must agree. Pure. */
export function decideKeyProfile(
  deviceType: string | undefined,
  ksn: Uint8Array,
  keySets: DeviceKeySets,
): KeyProfileVerdict {
  const known = deviceTypeOf(toHex(ksn).toUpperCase(), keySets);
  if (deviceType === undefined) {
    if (known !== undefined) return { ok: true, profile: known };
    return refuse('may not be empty: the key set of pos.encryptedSred.ksn belongs to no known device type');
  }
  if (!DEVICE_PROFILES.has(deviceType)) {
    return refuse(`must be one of [${[...DEVICE_PROFILES.keys()].join(', ')}]`);
  }
  const fits = known === undefined || known === deviceType;
  return fits
    ? { ok: true, profile: deviceType }
    : refuse(`the key set of pos.encryptedSred.ksn belongs to ${known}`);
}

/** The longest key set wins, also one of no device type: it is the one whose key deciphers. */
function deviceTypeOf(ksnHex: string, keySets: DeviceKeySets): string | undefined {
  const fitting = [...keySets].filter(([keySet]) => ksnHex.startsWith(keySet));
  return fitting.sort(([one], [other]) => other.length - one.length)[0]?.[1];
}

function refuse(message: string): KeyProfileVerdict {
  return { ok: false, message };
}
