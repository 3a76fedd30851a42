import { CryptoError } from '@tillbridge/protocol/crypto/errors.js';
import { TlvError } from '@tillbridge/protocol/emv/tlv.js';
import { AbecsFormatError } from '@tillbridge/protocol/terminals/abecs/errors.js';
import { decryptAccountData } from './account-data.js';
import { checkCryptogram } from './cryptogram-check.js';
import { type KeyStore, KeyStoreError } from './key-store.js';
import { translatePin, verifyPin } from './pin-operations.js';
import {
  type AccountData,
  type ArqcRequest,
  type ArqcVerdict,
  type DecryptAccountDataRequest,
  type SecurityModule,
  SecurityModuleError,
  type TranslatedPin,
  type TranslatePinRequest,
  type VerifyPinRequest,
} from './security-module.js';

/** The operations of the security module on keys of a local key store. */
export class SoftwareSecurityModule implements SecurityModule {
  readonly #keys: KeyStore;

  constructor(keys: KeyStore) {
    this.#keys = keys;
  }

  async decryptAccountData(request: DecryptAccountDataRequest): Promise<AccountData> {
    return guarded('account data', () => decryptAccountData(this.#keys, request));
  }

  async verifyArqcAndMakeArpc(request: ArqcRequest): Promise<ArqcVerdict> {
    return guarded('cryptogram', () => checkCryptogram(this.#keys, request));
  }

  async translatePin(request: TranslatePinRequest): Promise<TranslatedPin> {
    return guarded('PIN block', () => translatePin(this.#keys, request));
  }

  async verifyPin(request: VerifyPinRequest): Promise<boolean> {
    return guarded('PIN block', () => verifyPin(this.#keys, request));
  }
}

/** Errors of the layers below in the module's own words; the original is not kept as cause, its text would add nothing but risk. */
function guarded<T>(subject: string, operation: () => T): T {
  try {
    return operation();
  } catch (error) {
    if (error instanceof KeyStoreError)
      throw new SecurityModuleError(error.rule === 'noKey' ? 'unknown-key' : 'unavailable', error.message);
    if (error instanceof CryptoError || error instanceof TlvError || error instanceof AbecsFormatError)
      throw new SecurityModuleError('bad-data', `${subject}: ${error.message}`);
    throw error;
  }
}
