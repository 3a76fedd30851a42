import { FileLockError } from '@tillbridge/platform/file-lock.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { CryptoError } from '@tillbridge/wire/crypto/ciphers/errors.js';
import { TlvError } from '@tillbridge/wire/emv/tlv.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { TerminalFormatError } from '@tillbridge/wire/terminals/format-error.js';
import { SecretFileError } from '../../kernel/data-folder/secret-file.js';
import type { DeviceKeySets } from '../keys/device-key-sets.js';
import { type KeyStore, KeyStoreError, type KeyStoreRule, type ReadableKeyStore } from '../keys/key-store.js';
import { decryptAccountData } from './account-data.js';
import { checkCryptogram } from './cryptogram-check.js';
import { type BaseKeys, DukptKeyRing, keyStoreBaseKeys } from './dukpt-keys.js';
import { importKeyBlock } from './key-block-import.js';
import { generateMac, verifyMac } from './mac-operation.js';
import { type PinDeps, translatePin, verifyPin } from './pin-operations.js';
import {
  type ArqcRequest,
  type DecryptAccountDataRequest,
  type GenerateMacRequest,
  type ImportKeyBlockRequest,
  type ReplaceZoneKeyRequest,
  type SecurityModule,
  SecurityModuleError,
  type SecurityModuleErrorCode,
  type TranslatePinRequest,
  type VerifyMacRequest,
  type VerifyPinRequest,
} from './security-module.js';
import { replaceZoneKey } from './zone-keys.js';

/** The operations of the security module on keys of a local key store. */
export class SoftwareSecurityModule implements SecurityModule {
  readonly #keys: KeyStore;
  readonly #pins: PinDeps;
  readonly decryptAccountData = guarded('account data', (request: DecryptAccountDataRequest) =>
    decryptAccountData(this.#pins.dukpt, request),
  );
  readonly verifyArqcAndMakeArpc = guarded('cryptogram', (request: ArqcRequest) =>
    checkCryptogram(this.#keys, request),
  );
  readonly translatePin = guarded('PIN block', (request: TranslatePinRequest) =>
    translatePin(this.#pins, request),
  );
  readonly verifyPin = guarded('PIN block', (request: VerifyPinRequest) => verifyPin(this.#pins, request));
  readonly generateMac = guarded('MAC', (request: GenerateMacRequest) => generateMac(this.#pins, request));
  readonly verifyMac = guarded('MAC', (request: VerifyMacRequest) => verifyMac(this.#pins, request));
  readonly importKeyBlock = guarded('key block', (request: ImportKeyBlockRequest) =>
    importKeyBlock(this.#keys, request),
  );
  readonly replaceZoneKey = guarded('zone key', (request: ReplaceZoneKeyRequest) =>
    replaceZoneKey(this.#keys, request),
  );

  constructor(keys: ReadableKeyStore, random?: Random);
  /** @param baseKeys where the base derivation keys are, when not in the key store */
  constructor(keys: KeyStore, random: Random, baseKeys: BaseKeys);
  constructor(keys: KeyStore | ReadableKeyStore, random: Random = systemRandom, baseKeys?: BaseKeys) {
    this.#keys = keys;
    const base = baseKeys ?? keyStoreBaseKeys(keys as ReadableKeyStore);
    this.#pins = { keys, random, dukpt: new DukptKeyRing(base) };
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

/**
 * An operation with the errors of the layers below in the module's own words; the original is not kept as cause, its text would add nothing but
 * risk.
 */
function guarded<Request, Answer>(subject: string, operation: (request: Request) => Answer) {
  return async (request: Request): Promise<Answer> => {
    try {
      return operation(request);
    } catch (error) {
      throw ownError(subject, error);
    }
  };
}

function ownError(subject: string, error: unknown): unknown {
  if (error instanceof KeyStoreError)
    return new SecurityModuleError(CODES[error.code] ?? 'unavailable', error.message);
  if (error instanceof SecretFileError || error instanceof FileLockError)
    return new SecurityModuleError('unavailable', error.message);
  if (BAD_DATA.some((kind) => error instanceof kind))
    return new SecurityModuleError('bad-data', `${subject}: ${(error as Error).message}`);
  return error;
}
