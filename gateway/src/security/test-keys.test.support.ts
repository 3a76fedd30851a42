import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { ensureDevelopmentKeys } from './development-keys.js';
import { SoftwareKeyStore } from './keys/software-key-store.js';
import { securityFiles } from './security-files.js';
import { KeyEncryptionKeys } from './vault/key-encryption-keys.js';

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

let made: ReadonlyMap<string, Buffer> | undefined;

/** The key files of a development home whose vault was opened, made once for a process: writing each key to disk took most of the time of a test. */
function developmentKeyFiles(): ReadonlyMap<string, Buffer> {
  if (made !== undefined) return made;
  const home = temporaryHome();
  try {
    ensureDevelopmentKeys(home, systemRandom);
    new KeyEncryptionKeys(openKeyStore(home), systemRandom).first();
    const keys = keysOf(home);
    made = new Map(readdirSync(keys).map((name) => [name, readFileSync(join(keys, name))]));
    return made;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Opens the key store of a new home with the development keys and the vault's first one in it. */
export function openDevelopmentKeyStore(home: string): SoftwareKeyStore {
  const keys = keysOf(home);
  mkdirSync(keys, { recursive: true, mode: 0o700 });
  for (const [name, content] of developmentKeyFiles())
    writeFileSync(join(keys, name), content, { mode: 0o600 });
  return openKeyStore(home);
}

function keysOf(home: string): string {
  return dirname(securityFiles(home).keys);
}
