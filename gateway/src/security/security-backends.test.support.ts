import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { KeyStore } from './keys/key-store.js';
import type { SoftwareKeyStore } from './keys/software-key-store.js';
import type { SecurityModule } from './module/security-module.js';
import { SoftwareSecurityModule } from './module/software-security-module.js';
import { Pkcs11Keys } from './pkcs11/pkcs11-keys.js';
import { pkcs11SecurityModule } from './pkcs11/pkcs11-security-module.js';
import { Pkcs11Token } from './pkcs11/pkcs11-token.js';
import { TokenKeyStore } from './pkcs11/token-key-store.js';
import { temporaryHome } from './test-keys.test.support.js';

/** One implementation, ready for a test. */
export interface OpenBackend {
  /** Where its keys are brought in and rotated. */
  readonly keys: KeyStore;
  /** The module over all keys that were added so far. */
  module(): SecurityModule;
  close(): void;
}

/** An implementation of the security module. */
interface Backend {
  readonly name: string;
  /** Why it cannot run on this machine. */
  readonly skip: string | undefined;
  readonly open: (store: SoftwareKeyStore) => OpenBackend;
  /** Ends what all tests share. */
  readonly end: () => void;
}

/** Where distributions put SoftHSM 2. */
const LIBRARIES = [
  process.env.SOFTHSM2_LIBRARY ?? '',
  '/usr/lib/softhsm/libsofthsm2.so',
  '/usr/lib64/softhsm/libsofthsm.so',
  '/usr/lib64/pkcs11/libsofthsm2.so',
  '/opt/homebrew/lib/softhsm/libsofthsm2.so',
];
/** The library, where there is one. */
export const SOFTHSM_LIBRARY = LIBRARIES.find((path) => path !== '' && existsSync(path));
/** Label and PIN of the test token. */
export const TOKEN = { tokenLabel: 'tillbridge-test', pin: '123456' };

function skipReason(): string | undefined {
  if (SOFTHSM_LIBRARY === undefined)
    return 'skipped: a PKCS#11 token, because SoftHSM 2 is not installed (apt install softhsm2)';
  try {
    createRequire(import.meta.url)('pkcs11js');
    return undefined;
  } catch {
    return 'skipped: a PKCS#11 token, because the optional package pkcs11js is not built (npm rebuild pkcs11js)';
  }
}

/** Why nothing can be tested on a token here; undefined where it can. */
export const TOKEN_SKIP_REASON = skipReason();
if (TOKEN_SKIP_REASON !== undefined) console.log(TOKEN_SKIP_REASON);

/** Makes a fresh SoftHSM token in a folder and opens it. */
export function openSoftHsm(folder: string): Pkcs11Token {
  const tokens = join(folder, 'tokens');
  mkdirSync(tokens);
  const config = join(folder, 'softhsm2.conf');
  writeFileSync(config, `directories.tokendir = ${tokens}\nobjectstore.backend = file\nlog.level = ERROR\n`);
  process.env.SOFTHSM2_CONF = config;
  const init = [
    '--init-token',
    '--free',
    '--label',
    TOKEN.tokenLabel,
    '--so-pin',
    '12345678',
    '--pin',
    TOKEN.pin,
  ];
  execFileSync('softhsm2-util', init, { stdio: 'ignore' });
  return Pkcs11Token.open({ library: SOFTHSM_LIBRARY ?? '', ...TOKEN });
}

function softwareBackend(store: SoftwareKeyStore): OpenBackend {
  return {
    keys: store,
    module: () => new SoftwareSecurityModule(store),
    close: () => undefined,
  };
}

/** One token for all tests of a file: making one costs more than most tests do. Each test finds it empty. */
let shared: { readonly token: Pkcs11Token; readonly folder: string } | undefined;

function sharedToken(): Pkcs11Token {
  if (shared === undefined) {
    const folder = temporaryHome();
    shared = { token: openSoftHsm(folder), folder };
  }
  return shared.token;
}

function endSharedToken(): void {
  shared?.token.close();
  if (shared !== undefined) rmSync(shared.folder, { recursive: true, force: true });
  shared = undefined;
}

function tokenBackend(store: SoftwareKeyStore): OpenBackend {
  const token = sharedToken();
  return {
    keys: new TokenKeyStore(store, new Pkcs11Keys(token, store.mode)),
    module: () => pkcs11SecurityModule(token, store),
    close: () => {
      for (const key of token.handles()) token.destroy(key);
    },
  };
}

/** All implementations: what one does the others do. */
export const BACKENDS: readonly Backend[] = [
  { name: 'software key store', skip: undefined, open: softwareBackend, end: () => undefined },
  { name: 'PKCS#11 token', skip: TOKEN_SKIP_REASON, open: tokenBackend, end: endSharedToken },
];
