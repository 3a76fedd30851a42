import { fromHex, wipe } from '@tillbridge/protocol/bytes.js';
import { tdesDecryptCbc, tdesDecryptEcb } from '@tillbridge/protocol/crypto/tdes.js';
import { DEVICE_PROFILES, type DeviceAccountData, type DeviceProfile } from './device-profiles.js';
import { withDukptKey } from './dukpt-keys.js';
import type { KeyStore } from './key-store.js';
import { type AccountData, type DecryptAccountDataRequest, SecurityModuleError } from './security-module.js';

/** Most bytes of enciphered account data that are looked at (spec 2.3: 2,048 hex digits). */
export const MAX_ACCOUNT_DATA_BYTES = 1_024;
const BLOCK_BYTES = 8;
/** Two-digit years stand for this century; cards live ten years. */
const CENTURY = '20';

/**
 * Deciphers account data as the device type says.
 * @throws SecurityModuleError bad-data; KeyStoreError, CryptoError and codec errors, which the module translates
 */
export function decryptAccountData(store: KeyStore, request: DecryptAccountDataRequest): AccountData {
  const profile = DEVICE_PROFILES.get(request.profile);
  if (profile === undefined)
    throw new SecurityModuleError('bad-data', `no profile for device type ${request.profile.slice(0, 32)}`);
  const { length } = request.data;
  if (length === 0 || length % BLOCK_BYTES !== 0 || length > MAX_ACCOUNT_DATA_BYTES)
    throw new SecurityModuleError('bad-data', `account data has ${length} bytes, expected whole blocks of 8`);
  return withDukptKey(store, 'bdk-data', request.ksn, profile.workingKey, (key) => {
    const clear = decipher(profile, key, request.data);
    try {
      return accountData(profile.read(clear), request.expiry);
    } finally {
      wipe(clear);
    }
  });
}

function decipher(profile: DeviceProfile, key: Uint8Array, data: Uint8Array): Buffer {
  return profile.mode === 'cbc'
    ? tdesDecryptCbc(key, fromHex(profile.ivHex), data)
    : tdesDecryptEcb(key, data);
}

function accountData(read: DeviceAccountData, expiryOutside: string | undefined): AccountData {
  const expiry = read.expiry ?? expiryOutside;
  if (!/^\d{8,19}$/.test(read.pan))
    throw new SecurityModuleError('bad-data', 'the PAN is not 8 to 19 digits');
  if (expiry === undefined || !/^\d{2}(0[1-9]|1[0-2])$/.test(expiry))
    throw new SecurityModuleError('bad-data', 'the expiry date is missing or no date');
  return {
    pan: read.pan,
    expiryYear: `${CENTURY}${expiry.slice(0, 2)}`,
    expiryMonth: expiry.slice(2),
    ...(read.track2 !== undefined && { track2: read.track2 }),
    ...(read.holder !== undefined && { holder: read.holder }),
  };
}
