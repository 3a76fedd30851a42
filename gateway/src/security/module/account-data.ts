import { equalConstantTime, fromHex, wipe } from '@tillbridge/wire/bytes.js';
import { AES_BLOCK_BYTES } from '@tillbridge/wire/crypto/ciphers/aes.js';
import { iso9797Algorithm1 } from '@tillbridge/wire/crypto/ciphers/mac.js';
import { DES_BLOCK_BYTES, tdesDecryptCbc, tdesDecryptEcb } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import { present } from '@tillbridge/wire/present.js';
import type { DataEnvelope, DeviceAccountData, EncipheredPart } from './device-data.js';
import { DEVICE_PROFILES, type DeviceProfile } from './device-profiles.js';
import { type DukptKeyRing, isAesKsn } from './dukpt-keys.js';
import { MIN_MAC_BYTES } from './mac-operation.js';
import { type AccountData, type DecryptAccountDataRequest, SecurityModuleError } from './security-module.js';

/** Most bytes of enciphered account data that are looked at (2,048 hex digits). */
const MAX_ACCOUNT_DATA_BYTES = 1_024;
/** Two-digit years stand for this century; cards live ten years. */
const CENTURY = '20';

/**
 * Deciphers account data by the device type.
 * @throws SecurityModuleError bad-data; KeyStoreError, CryptoError and codec errors, which the module translates
 */
export function decryptAccountData(dukpt: DukptKeyRing, request: DecryptAccountDataRequest): AccountData {
  const profile = DEVICE_PROFILES.get(request.profile);
  if (profile === undefined)
    throw new SecurityModuleError('bad-data', `no profile for device type ${request.profile.slice(0, 32)}`);
  const secrets: Uint8Array[] = [];
  const decipherPart = (part: EncipheredPart): Buffer => {
    const clear = decipher(dukpt, profile, { profile: request.profile, ...part });
    secrets.push(clear);
    return clear;
  };
  try {
    const { clear, keyedIn } = clearData(dukpt, profile, request, decipherPart);
    return accountData(profile.read(clear, decipherPart, keyedIn), request.expiry);
  } finally {
    wipe(...secrets);
  }
}

/** The clear bytes, out of the envelope where the device has one, without their padding where it holds the length. */
function clearData(
  dukpt: DukptKeyRing,
  { open }: DeviceProfile,
  { ksn, data, iv }: DecryptAccountDataRequest,
  decipherPart: (part: EncipheredPart & { readonly iv?: Uint8Array }) => Buffer,
): { readonly clear: Uint8Array; readonly keyedIn: boolean } {
  if (!open) return { clear: decipherPart({ ksn, data, ...present({ iv }) }), keyedIn: false };
  if (data.length > MAX_ACCOUNT_DATA_BYTES)
    throw new SecurityModuleError('bad-data', `account data has more than ${MAX_ACCOUNT_DATA_BYTES} bytes`);
  const envelope = open(data);
  if (!equalConstantTime(envelope.ksn, ksn))
    throw new SecurityModuleError('bad-data', 'the KSN is not that of the account data');
  requireAuthentic(dukpt, envelope);
  const { data: cipherText, aesUsage } = envelope;
  const clear = decipherPart({ ksn, data: cipherText, ...present({ aesUsage }) });
  if (envelope.paddingBytes >= clear.length)
    throw new SecurityModuleError('bad-data', 'the account data are all padding');
  return {
    clear: clear.subarray(0, clear.length - envelope.paddingBytes),
    keyedIn: envelope.keyedIn === true,
  };
}

/** Refuses an object whose MAC is wrong: it covers the clear and the enciphered parts. */
function requireAuthentic(
  dukpt: DukptKeyRing,
  { authentication: { ksn, message, mac, aesUsage = 'macGeneration' } }: DataEnvelope,
): void {
  const right = isAesKsn(ksn)
    ? dukpt.withAesKey('bdk-data', ksn, { usage: aesUsage, type: 'likeBaseKey' }, (cipher) =>
        cipher.cmac(message),
      )
    : dukpt.withTdesKey('bdk-data', ksn, 'macRequest', (key) =>
        iso9797Algorithm1(key, message, 'iso9797Method1'),
      );
  if (mac.length < MIN_MAC_BYTES || !equalConstantTime(right.subarray(0, mac.length), mac))
    throw new SecurityModuleError('bad-data', 'the MAC of the account data is wrong');
}

function decipher(
  dukpt: DukptKeyRing,
  { tdes, aes }: DeviceProfile,
  { profile, ksn, data, iv, aesUsage }: Omit<DecryptAccountDataRequest, 'expiry'> & EncipheredPart,
): Buffer {
  if (isAesKsn(ksn)) {
    if (aes === undefined) throw new SecurityModuleError('bad-data', `${profile} has no AES DUKPT`);
    requireBlocks(data, AES_BLOCK_BYTES);
    const workingKey = aesUsage ? { ...aes.workingKey, usage: aesUsage } : aes.workingKey;
    return dukpt.withAesKey('bdk-data', ksn, workingKey, (cipher) =>
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
    ...present({ track2: read.track2, holder: read.holder, cvv: read.cvv, pin: read.pin }),
  };
}
