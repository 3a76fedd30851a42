import { toHex } from '@tillbridge/protocol/bytes.js';
import { DEFAULT_PROFILE, DEVICE_PROFILES } from '../security/device-profiles.js';

/** Device types by the key sets of their devices: the leading hex digits of a KSN, uppercase. */
export type DeviceKeySets = ReadonlyMap<string, string>;

/** Shortest and longest beginning of a KSN that names a key set. */
const KEY_SET = /^[0-9A-F]{6,16}$/;

/** The table of key sets is not what it must be; the message names the place. */
export class DeviceKeySetsError extends Error {
  override readonly name = 'DeviceKeySetsError';
}

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

/** Reads a table: a JSON object of device types by key set. @throws DeviceKeySetsError */
export function readDeviceKeySets(json: string): DeviceKeySets {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    throw new DeviceKeySetsError('the device key sets are not JSON');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new DeviceKeySetsError('the device key sets must be an object of device types by key set');
  }
  return new Map(Object.entries(parsed).map(([keySet, type]) => readEntry(keySet, type)));
}

function readEntry(keySet: string, type: unknown): readonly [string, string] {
  if (!KEY_SET.test(keySet)) {
    throw new DeviceKeySetsError(`device key sets: ${keySet} is not 6 to 16 uppercase hex digits`);
  }
  if (typeof type !== 'string' || !DEVICE_PROFILES.has(type)) {
    const known = [...DEVICE_PROFILES.keys()].filter((name) => name !== DEFAULT_PROFILE);
    throw new DeviceKeySetsError(`device key sets: ${keySet} must be one of ${known.join(', ')}`);
  }
  return [keySet, type];
}

/** The longest key set wins. */
function deviceTypeOf(ksnHex: string, keySets: DeviceKeySets): string | undefined {
  const fitting = [...keySets].filter(([keySet]) => ksnHex.startsWith(keySet));
  return fitting.sort(([one], [other]) => other.length - one.length)[0]?.[1];
}

function refuse(message: string): KeyProfileVerdict {
  return { ok: false, message };
}
