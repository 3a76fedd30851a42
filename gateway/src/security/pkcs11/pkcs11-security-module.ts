import { systemRandom } from '@tillbridge/platform/system-random.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import type { KeyStore } from '../keys/key-store.js';
import type { SecurityModule } from '../module/security-module.js';
import { SoftwareSecurityModule } from '../module/software-security-module.js';
import { Pkcs11BaseKeys } from './pkcs11-base-keys.js';
import { Pkcs11Keys } from './pkcs11-keys.js';
import type { Pkcs11Token } from './pkcs11-token.js';
import { TokenKeyStore } from './token-key-store.js';

/**
 * The security module whose symmetric keys are in a PKCS#11 token.
 * @throws KeyStoreError testKeyInLive, badKey; SecurityModuleError unavailable
 */
export function pkcs11SecurityModule(
  token: Pkcs11Token,
  keys: KeyStore,
  random: Random = systemRandom,
): SecurityModule {
  const inside = new Pkcs11Keys(token, keys.mode);
  return new SoftwareSecurityModule(new TokenKeyStore(keys, inside), random, new Pkcs11BaseKeys(inside));
}
