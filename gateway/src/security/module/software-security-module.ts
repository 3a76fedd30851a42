import { CryptoError } from '@tillbridge/protocol/crypto/ciphers/errors.js';
import { TlvError } from '@tillbridge/protocol/emv/tlv.js';
import { FileLockError } from '@tillbridge/protocol/platform/file-lock.js';
import { systemRandom } from '@tillbridge/protocol/platform/system-random.js';
import type { Random } from '@tillbridge/protocol/seams/random.js';
import { TerminalFormatError } from '@tillbridge/protocol/terminals/format-error.js';
import type { DeviceKeySets } from '../keys/device-key-sets.js';
import {
  type KeyInfo,
  type KeyStore,
  KeyStoreError,
  type KeyStoreRule,
  type ReadableKeyStore,
} from '../keys/key-store.js';
import { SecretFileError } from '../keys/secret-file.js';
import { decryptAccountData } from './account-data.js';
import { checkCryptogram } from './cryptogram-check.js';
import { type BaseKeys, DukptKeyRing, keyStoreBaseKeys } from './dukpt-keys.js';
import { importKeyBlock } from './key-block-import.js';
import { generateMac, verifyMac } from './mac-operation.js';
import { type PinDeps, translatePin, verifyPin } from './pin-operations.js';
import {
  type AccountData,
  type ArqcRequest,
  type ArqcVerdict,
  type DecryptAccountDataRequest,
  type GenerateMacRequest,
  type ImportKeyBlockRequest,
  type ReplaceZoneKeyRequest,
  type SecurityModule,
  SecurityModuleError,
  type SecurityModuleErrorCode,
  type TranslatedPin,
  type TranslatePinRequest,
  type VerifyMacRequest,
  type VerifyPinRequest,
} from './security-module.js';
import { replaceZoneKey } from './zone-keys.js';

/** The operations of the security module on keys of a local key store. */
export class SoftwareSecurityModule implements SecurityModule {
  readonly #keys: KeyStore;
  readonly #pins: PinDeps;

  constructor(keys: ReadableKeyStore, random?: Random);
  /** @param baseKeys where the base derivation keys are, when not in the key store */
  constructor(keys: KeyStore, random: Random, baseKeys: BaseKeys);
  constructor(keys: KeyStore | ReadableKeyStore, random: Random = systemRandom, baseKeys?: BaseKeys) {
    this.#keys = keys;
    const base = baseKeys ?? keyStoreBaseKeys(keys as ReadableKeyStore);
    this.#pins = { keys, random, dukpt: new DukptKeyRing(base) };
  }

  async decryptAccountData(request: DecryptAccountDataRequest): Promise<AccountData> {
    return guarded('account data', () => decryptAccountData(this.#pins.dukpt, request));
  }

  async verifyArqcAndMakeArpc(request: ArqcRequest): Promise<ArqcVerdict> {
    return guarded('cryptogram', () => checkCryptogram(this.#keys, request));
  }

  async translatePin(request: TranslatePinRequest): Promise<TranslatedPin> {
    return guarded('PIN block', () => translatePin(this.#pins, request));
  }

  async verifyPin(request: VerifyPinRequest): Promise<boolean> {
    return guarded('PIN block', () => verifyPin(this.#pins, request));
  }

  async generateMac(request: GenerateMacRequest): Promise<Uint8Array> {
    return guarded('MAC', () => generateMac(this.#keys, request));
  }

  async verifyMac(request: VerifyMacRequest): Promise<boolean> {
    return guarded('MAC', () => verifyMac(this.#keys, request));
  }

  async importKeyBlock(request: ImportKeyBlockRequest): Promise<KeyInfo> {
    return guarded('key block', () => importKeyBlock(this.#keys, request));
  }

  async replaceZoneKey(request: ReplaceZoneKeyRequest): Promise<KeyInfo> {
    return guarded('zone key', () => replaceZoneKey(this.#keys, request));
  }

  deviceKeySets(): DeviceKeySets {
    return this.#pins.dukpt.deviceKeySets();
  }
}

/** What a rule of the key store means to the caller; the others are faults of the store itself. */
const CODES: Partial<Record<KeyStoreRule, SecurityModuleErrorCode>> = {
  noKey: 'unknown-key',
  badKey: 'bad-data',
  badUse: 'bad-data',
  kcvMismatch: 'bad-data',
  keyExists: 'bad-data',
  retired: 'bad-data',
  storeFull: 'bad-data',
  testKeyInLive: 'bad-data',
};

/** Errors of what cannot be read, as after a wrong key: of the layers below, and of every maker's codec. */
const BAD_DATA = [CryptoError, TlvError, TerminalFormatError] as const;

/** Errors of the layers below in the module's own words; the original is not kept as cause, its text would add nothing but risk. */
function guarded<T>(subject: string, operation: () => T): T {
  try {
    return operation();
  } catch (error) {
    if (error instanceof KeyStoreError)
      throw new SecurityModuleError(CODES[error.code] ?? 'unavailable', error.message);
    if (error instanceof SecretFileError || error instanceof FileLockError)
      throw new SecurityModuleError('unavailable', error.message);
    if (BAD_DATA.some((kind) => error instanceof kind))
      throw new SecurityModuleError('bad-data', `${subject}: ${(error as Error).message}`);
    throw error;
  }
}
