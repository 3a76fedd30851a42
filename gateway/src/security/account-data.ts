import { fromHex, wipe } from '@tillbridge/protocol/bytes.js';
import { AES_BLOCK_BYTES } from '@tillbridge/protocol/crypto/aes.js';
import { DES_BLOCK_BYTES, tdesDecryptCbc, tdesDecryptEcb } from '@tillbridge/protocol/crypto/tdes.js';
import { DEVICE_PROFILES, type DeviceAccountData, type DeviceProfile } from './device-profiles.js';
import { type DukptKeyRing, isAesKsn } from './dukpt-keys.js';
import { type AccountData, type DecryptAccountDataRequest, SecurityModuleError } from './security-module.js';

/** Most bytes of enciphered account data that are looked at (spec 2.3: 2,048 hex digits). */
export const MAX_ACCOUNT_DATA_BYTES = 1_024;
/** Two-digit years stand for this century; cards live ten years. */
const CENTURY = '20';

/**
 * Deciphers account data as the device type says.
 * @throws SecurityModuleError bad-data; KeyStoreError, CryptoError and codec errors, which the module translates
 */
export function decryptAccountData(dukpt: DukptKeyRing, request: DecryptAccountDataRequest): AccountData {
  const profile = DEVICE_PROFILES.get(request.profile);
  if (profile === undefined)
    throw new SecurityModuleError('bad-data', `no profile for device type ${request.profile.slice(0, 32)}`);
  const clear = decipher(dukpt, profile, request);
  try {
    return accountData(profile.read(clear), request.expiry);
  } finally {
    wipe(clear);
  }
}

function decipher(
  dukpt: DukptKeyRing,
  { tdes, aes }: DeviceProfile,
  { profile, ksn, data, iv }: DecryptAccountDataRequest,
): Buffer {
  if (isAesKsn(ksn)) {
    if (aes === undefined) throw new SecurityModuleError('bad-data', `${profile} has no AES DUKPT`);
    requireBlocks(data, AES_BLOCK_BYTES);
    return dukpt.withAesKey('bdk-data', ksn, aes.workingKey, (cipher) =>
      cipher.decryptCbc(iv ?? fromHex(aes.ivHex), data),
    );
  }
  if (tdes === undefined) throw new SecurityModuleError('bad-data', `${profile} has no TDES DUKPT`);
  requireBlocks(data, DES_BLOCK_BYTES);
  return dukpt.withTdesKey('bdk-data', ksn, tdes.workingKey, (key) =>
    tdes.mode === 'cbc' ? tdesDecryptCbc(key, iv ?? fromHex(tdes.ivHex), data) : tdesDecryptEcb(key, data),
  );
}

function requireBlocks({ length }: Uint8Array, blockBytes: number): void {
  if (length === 0 || length % blockBytes !== 0 || length > MAX_ACCOUNT_DATA_BYTES)
    throw new SecurityModuleError(
      'bad-data',
      `account data has ${length} bytes, expected whole blocks of ${blockBytes}, at most ${MAX_ACCOUNT_DATA_BYTES}`,
    );
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
