import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { withHomeStore } from '../../kernel/commands/command.js';
import { gatewayFiles } from '../../kernel/data-folder/gateway-files.js';
import { prepareHome } from '../../kernel/data-folder/home.js';
import { homeKeys } from '../../security/home-keys.js';
import { ensureGatewayIdentity, loadGatewayIdentity } from '../../security/keys/gateway-identity.js';
import { ensureKeyFile, loadKeyFile } from '../../security/keys/key-file.js';
import { SoftwareKeyStore } from '../../security/keys/software-key-store.js';
import { keyStoreOptions, securityFiles } from '../../security/security-files.js';
import { claimKeys, SharedKeyError } from '../../security/shared-keys.js';
import type { GatewayConfig } from '../configuration/config.js';

/**
 * Makes an empty home: random key files, an empty key store and the database, all for the configured mode. A second run changes nothing.
 * @throws HomeModeError, KeyStoreError for a home of the other mode; SharedKeyError for a further node without the keys of the others;
 * SecretFileError, StoreUnavailableError
 */
export async function initHome(config: GatewayConfig): Promise<void> {
  const { home, transport } = config;
  const files = gatewayFiles(home);
  const keyFiles = securityFiles(home);
  prepareHome(home);
  // A key that is missing where there is a database was lost, or is that of another node. A new key could open nothing of it.
  const isUsed = config.databaseUrl === undefined ? existsSync(files.database) : await hasKeys(config);
  if (isUsed && config.databaseUrl !== undefined) refuseWithoutKeys(files.tokenKey, keyFiles.gatewayIdentity);
  const keyFile = isUsed ? loadKeyFile : ensureKeyFile;
  const tokenKey = keyFile(files.tokenKey, random);
  if (transport.mode === 'test') keyFile(keyFiles.internalAcquirerKey, random);
  const identity = isUsed ? loadGatewayIdentity(keyFiles) : ensureGatewayIdentity(keyFiles);
  SoftwareKeyStore.create(keyStoreOptions(keyFiles, transport.mode, random));
  await withHomeStore(config, (store) => claimKeys(store, homeKeys(config, { tokenKey, identity })));
}

/** Whether a node has recorded its keys in the database. */
async function hasKeys(config: GatewayConfig): Promise<boolean> {
  return withHomeStore(config, async (store) => (await store.get('settings', ['key/token'])) !== undefined);
}

/** @throws SharedKeyError */
function refuseWithoutKeys(...keys: readonly string[]): void {
  const missing = keys.find((file) => !existsSync(file));
  if (missing === undefined) return;
  throw new SharedKeyError(
    `${missing} is missing, and the database of DATABASE_URL belongs to gateways with keys of their own: mount the folder "keys" of one of them as ${dirname(missing)}, mode 0700, then run init again; nothing was made`,
  );
}
