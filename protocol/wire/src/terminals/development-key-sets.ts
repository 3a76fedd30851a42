import type { DeviceType } from './device-types.js';

/**
 * Key sets of simulated devices: how the serial numbers of their account data keys begin, by `pos.deviceType`. All are under the published
 * development key (crypto/test-keys.ts); a gateway's development keys know them by this table.
 */
export const DEVELOPMENT_KEY_SETS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    GERTEC_PPC930: 'FFFF9877',
    MIURA_M020: 'FFFF9878',
    MAGTEK_DYNAFLEX: 'FFFF9879',
    IDTECH_VP6800: 'FFFF987A',
    NEWLAND_P180: 'FFFF987B',
    VERIFONE_P400: 'FFFF987C',
  } satisfies Readonly<Record<DeviceType, string>>),
);

/**
 * The same of account data keys under the published AES key, for devices whose makers publish AES DUKPT; and the one key set of all their
 * AES PIN keys. A simulated device uses them where its configuration names such a serial number (24 hex digits).
 */
export const DEVELOPMENT_AES_KEY_SETS: ReadonlyMap<string, string> = new Map([
  ['MAGTEK_DYNAFLEX', 'FFFF98A9'],
  ['IDTECH_VP6800', 'FFFF98AA'],
]);
export const DEVELOPMENT_AES_PIN_KEY_SET = 'FFFF98A8';
/** The key sets of authentication codes of messages with the simulated acquirer host: TDES DUKPT, AES DUKPT. */
export const DEVELOPMENT_MAC_KEY_SET = 'FFFF9A11E0';
export const DEVELOPMENT_AES_MAC_KEY_SET = 'FFFF9A12';

/** Key set of simulated devices without their own: it belongs to no device type. */
const SHARED_KEY_SET = 'FFFF98FF';

/** The key set of a simulated device's account data keys: eight hex digits, the beginning of its KSN. */
export function developmentKeySet(deviceType: string): string {
  return DEVELOPMENT_KEY_SETS.get(deviceType) ?? SHARED_KEY_SET;
}
