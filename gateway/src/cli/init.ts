import { existsSync } from 'node:fs';
import { systemRandom as random } from '@tillbridge/protocol/platform/system-random.js';
import type { GatewayConfig } from '../config/config.js';
import { gatewayFiles } from '../home/gateway-files.js';
import { prepareHome } from '../home/home.js';
import { openHomeStore } from '../home/open-store.js';
import { ensureKeyFile, loadKeyFile } from '../security/keys/key-file.js';
import { SoftwareKeyStore } from '../security/keys/software-key-store.js';
import { securityFiles } from '../security/security-files.js';

/**
 * Brings an empty home into being: random key files, an empty key store and the database, all for the configured mode. Again changes
 * nothing.
 * @throws HomeModeError, KeyStoreError for a home of the other mode; SecretFileError, StoreUnavailableError
 */
export async function initHome(config: GatewayConfig): Promise<void> {
  const { home, transport } = config;
  const files = gatewayFiles(home);
  const { keys, masterKey, vaultKey, fingerprintKey, internalAcquirerKey } = securityFiles(home);
  prepareHome(home);
  // Beside a database a missing key is a lost one, and a new one would only hide that.
  const keyFile = existsSync(files.database) ? loadKeyFile : ensureKeyFile;
  const wanted = [files.tokenKey, vaultKey, fingerprintKey];
  if (transport.mode === 'test') wanted.push(internalAcquirerKey);
  for (const path of wanted) keyFile(path, random);
  SoftwareKeyStore.create({ keysPath: keys, masterKeyPath: masterKey, mode: transport.mode, random });
  const store = await openHomeStore(config);
  await store.close();
}
