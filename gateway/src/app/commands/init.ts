import { existsSync } from 'node:fs';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { withHomeStore } from '../../kernel/commands/command.js';
import { gatewayFiles } from '../../kernel/data-folder/gateway-files.js';
import { prepareHome } from '../../kernel/data-folder/home.js';
import { ensureGatewayIdentity, loadGatewayIdentity } from '../../security/keys/gateway-identity.js';
import { ensureKeyFile, loadKeyFile } from '../../security/keys/key-file.js';
import { SoftwareKeyStore } from '../../security/keys/software-key-store.js';
import { keyStoreOptions, securityFiles } from '../../security/security-files.js';
import type { GatewayConfig } from '../configuration/config.js';

/**
 * Makes an empty home: random key files, an empty key store and the database, all for the configured mode. A second run changes nothing.
 * @throws HomeModeError, KeyStoreError for a home of the other mode; SecretFileError, StoreUnavailableError
 */
export async function initHome(config: GatewayConfig): Promise<void> {
  const { home, transport } = config;
  const files = gatewayFiles(home);
  const keyFiles = securityFiles(home);
  prepareHome(home);
  // A key that is missing where there is a database was lost. A new key could open nothing of it.
  const isUsed = existsSync(files.database);
  const keyFile = isUsed ? loadKeyFile : ensureKeyFile;
  const wanted = [files.tokenKey];
  if (transport.mode === 'test') wanted.push(keyFiles.internalAcquirerKey);
  for (const path of wanted) keyFile(path, random);
  if (isUsed) loadGatewayIdentity(keyFiles);
  else ensureGatewayIdentity(keyFiles);
  SoftwareKeyStore.create(keyStoreOptions(keyFiles, transport.mode, random));
  await withHomeStore(config, async () => undefined);
}
