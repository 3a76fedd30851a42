import { withSecret } from '@tillbridge/wire/bytes.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import type { TokenConfig } from '../kernel/configuration/home-config.js';
import { readSecretFile, SecretFileError } from '../kernel/data-folder/secret-file.js';
import type { KeyMode, KeyStore } from './keys/key-store.js';
import { SoftwareKeyStore } from './keys/software-key-store.js';
import type { SecurityModule } from './module/security-module.js';
import { SoftwareSecurityModule } from './module/software-security-module.js';
import { Pkcs11Keys } from './pkcs11/pkcs11-keys.js';
import { pkcs11SecurityModule } from './pkcs11/pkcs11-security-module.js';
import { Pkcs11Token } from './pkcs11/pkcs11-token.js';
import { TokenKeyStore } from './pkcs11/token-key-store.js';
import { keyStoreOptions, type SecurityFiles } from './security-files.js';

/** What a security module is opened with. */
export interface SecurityModuleOptions {
  readonly files: Pick<SecurityFiles, 'keys' | 'masterKey'>;
  readonly mode: KeyMode;
  readonly random: Random;
  /** Where the base derivation keys are, when not in the key store. */
  readonly token?: TokenConfig;
}

/** A security module and what ends it. */
export interface OpenSecurityModule {
  readonly module: SecurityModule;
  /** The keys of the module, wherever they are. */
  readonly keys: KeyStore;
  /** Those of them that are in files of the home. */
  readonly ofFiles: KeyStore;
  close(): void;
}

/**
 * Opens the security module that is configured.
 * @throws KeyStoreError, SecretFileError; SecurityModuleError unavailable when the token does not open
 */
export function openSecurityModule({
  files,
  mode,
  random,
  token,
}: SecurityModuleOptions): OpenSecurityModule {
  const ofFiles = SoftwareKeyStore.open(keyStoreOptions(files, mode, random));
  if (token === undefined) {
    const module = new SoftwareSecurityModule(ofFiles, random);
    return { module, keys: ofFiles, ofFiles, close: () => undefined };
  }
  const opened = openToken(token);
  try {
    const keys = new TokenKeyStore(ofFiles, new Pkcs11Keys(opened, mode));
    const module = pkcs11SecurityModule(opened, ofFiles, random);
    return { module, keys, ofFiles, close: () => opened.close() };
  } catch (error) {
    opened.close();
    throw error;
  }
}

/**
 * Opens a token with the PIN of its file.
 * @throws SecretFileError; SecurityModuleError unavailable
 */
export function openToken({ library, label, pinFile }: TokenConfig): Pkcs11Token {
  const content = readSecretFile(pinFile);
  if (content === undefined) throw new SecretFileError(`${pinFile} is missing: it must hold the token's PIN`);
  return withSecret(content, (text) => {
    const pin = text.toString('utf8').trim();
    if (pin === '') throw new SecretFileError(`${pinFile} is empty: it must hold the token's PIN`);
    return Pkcs11Token.open({ library, tokenLabel: label, pin });
  });
}
