import { toHex } from '@tillbridge/protocol/bytes.js';
import { nearMatch } from '@tillbridge/protocol/text/near-match.js';
import type { DeviceKeySets } from '../../security/keys/device-key-sets.js';
import { DEFAULT_PROFILE, DEVICE_PROFILES } from '../../security/module/device-profiles.js';

/** What `pos.deviceType` may name: the terminal models (spec 2.3). The default profile is a key set's alone. */
const DEVICE_TYPES: readonly string[] = [...DEVICE_PROFILES.keys()].filter(
  (type) => type !== DEFAULT_PROFILE,
);

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
  if (!DEVICE_TYPES.includes(deviceType)) {
    const near = nearMatch(deviceType, DEVICE_TYPES);
    const meant = near === undefined ? '' : `; did you mean ${near}?`;
    return refuse(`must be one of [${DEVICE_TYPES.join(', ')}]${meant}`);
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
