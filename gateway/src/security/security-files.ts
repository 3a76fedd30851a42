import { join } from 'node:path';
import type { Random } from '@tillbridge/wire/seams/random.js';
import type { KeyMode } from './keys/key-store.js';
import type { SoftwareKeyStoreOptions } from './keys/software-key-store.js';

/** The key files of a gateway, each of mode 0600. */
export type SecurityFiles = Readonly<ReturnType<typeof securityFiles>>;

/**
 * The paths of the key files.
 * @param gatewayHome the gateway's own directory, `gateway/` of the home
 */
export function securityFiles(gatewayHome: string) {
  const directory = join(gatewayHome, 'keys');
  return {
    /** Seals the key store. */
    masterKey: join(directory, 'master.key'),
    /** The sealed keys. */
    keys: join(directory, 'keystore.json'),
    /** Makes fingerprints of the INTERNAL acquirer, which shares nothing with the gateway's tables. */
    internalAcquirerKey: join(directory, 'internal-acquirer.key'),
    /** Proves the gateway to its agents; all nodes of a gateway have the same one. */
    gatewayIdentity: join(directory, 'gateway-identity.pem'),
    /** Takes its place; it may be kept elsewhere. */
    gatewayIdentityBackup: join(directory, 'gateway-identity-backup.pem'),
    /** Its public half, which agents receive. */
    gatewayIdentityBackupPublic: join(directory, 'gateway-identity-backup.pub.pem'),
  };
}

/** What the key store of a home is opened with. */
export function keyStoreOptions(
  { keys, masterKey }: Pick<SecurityFiles, 'keys' | 'masterKey'>,
  mode: KeyMode,
  random: Random,
): SoftwareKeyStoreOptions {
  return { keysPath: keys, masterKeyPath: masterKey, mode, random };
}
