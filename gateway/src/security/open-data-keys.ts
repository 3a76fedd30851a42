import type { OpenSecurityModule } from './open-security-module.js';
import { KeyEncryptionKeys } from './vault/key-encryption-keys.js';
import { StoredDataKeys, type StoredDataKeysOptions } from './vault/stored-data-keys.js';

/**
 * Opens the data keys of the vault. A key-encryption key in a file of the home gives way to one in the token where a token is configured: then
 * nothing that opens the database is left next to it.
 * @throws as `StoredDataKeys.open`
 */
export async function openDataKeys(
  { keys, ofFiles }: Pick<OpenSecurityModule, 'keys' | 'ofFiles'>,
  options: Omit<StoredDataKeysOptions, 'keks'>,
): Promise<StoredDataKeys> {
  const { random } = options;
  const stored = await StoredDataKeys.open({ ...options, keks: new KeyEncryptionKeys(keys, random) });
  const isOutside = keys !== ofFiles && new KeyEncryptionKeys(ofFiles, random).list().length > 0;
  if (isOutside) await stored.rotateKek();
  return stored;
}
