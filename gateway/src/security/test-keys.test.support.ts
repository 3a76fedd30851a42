import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemRandom } from '@tillbridge/protocol/platform/system-random.js';
import { ensureDevelopmentKeys } from './development-keys.js';
import { SoftwareKeyStore } from './keys/software-key-store.js';
import { securityFiles } from './security-files.js';

/** A fresh gateway home in the temporary directory; the test removes it. */
export function temporaryHome(): string {
  return mkdtempSync(join(tmpdir(), 'tillbridge-gateway-'));
}

/** Opens the key store of a home. */
export function openKeyStore(home: string): SoftwareKeyStore {
  const files = securityFiles(home);
  return SoftwareKeyStore.create({
    keysPath: files.keys,
    masterKeyPath: files.masterKey,
    mode: 'test',
    random: systemRandom,
  });
}

/** Opens the key store of a home with the development keys in it. */
export function openDevelopmentKeyStore(home: string): SoftwareKeyStore {
  ensureDevelopmentKeys(home, systemRandom);
  return openKeyStore(home);
}
