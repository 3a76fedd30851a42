import type { KeyObject } from 'node:crypto';
import type { HomeConfig } from '../kernel/configuration/home-config.js';
import { gatewayFiles } from '../kernel/data-folder/gateway-files.js';
import type { GatewayIdentity } from './keys/gateway-identity.js';
import { loadKeyFile } from './keys/key-file.js';
import { securityFiles } from './security-files.js';
import { type SharedKey, sharedIdentity, sharedKey } from './shared-keys.js';

/**
 * The keys of a home that all nodes on the database need. The data keys of the database prove the key store and a token: they do not open
 * without.
 * @throws SecretFileError
 */
export function homeKeys(
  { home, transport }: Pick<HomeConfig, 'home' | 'transport'>,
  { tokenKey, identity }: { readonly tokenKey: KeyObject; readonly identity: GatewayIdentity },
): readonly SharedKey[] {
  const { internalAcquirerKey, gatewayIdentity } = securityFiles(home);
  const ofFile = (name: string, file: string) => sharedKey(name, file, loadKeyFile(file));
  return [
    sharedKey('token', gatewayFiles(home).tokenKey, tokenKey),
    sharedIdentity(gatewayIdentity, identity),
    ...(transport.mode === 'test' ? [ofFile('internal-acquirer', internalAcquirerKey)] : []),
  ];
}
