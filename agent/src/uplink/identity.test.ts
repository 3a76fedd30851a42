import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createIdentity, IDENTITY_ID_FILE, IDENTITY_KEY_FILE, loadIdentity } from './identity.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'agent-identity-'));
});
afterEach(() => rmSync(home, { recursive: true }));

it('loads the identity it made, and the halves belong together', () => {
  const made = createIdentity(join(home, 'agent'), 'store-12');
  const loaded = loadIdentity(join(home, 'agent'));
  expect(loaded.agentId).toBe('store-12');
  expect(loaded.publicKeyPem).toBe(made.publicKeyPem);
  const proof = Buffer.from('nonce');
  expect(verify(null, proof, made.publicKeyPem, sign(null, proof, loaded.privateKey))).toBe(true);
});

it('keeps the key to its owner', () => {
  createIdentity(home);
  expect(statSync(join(home, IDENTITY_KEY_FILE)).mode & 0o777).toBe(0o600);
});

it('never replaces a key', () => {
  createIdentity(home);
  expect(() => createIdentity(home)).toThrow(/already has an identity/);
});

it('finishes an attempt that was interrupted before the key', () => {
  writeFileSync(join(home, IDENTITY_ID_FILE), 'half-made\n');
  expect(createIdentity(home, 'whole').agentId).toBe('whole');
  expect(loadIdentity(home).agentId).toBe('whole');
});

it.each<[string, () => void, RegExp]>([
  ['nothing there', () => {}, /cannot read the key pair .*ENOENT.*not been enrolled/],
  [
    'a key open to others',
    () => {
      createIdentity(home);
      chmodSync(join(home, IDENTITY_KEY_FILE), 0o644);
    },
    /mode to 0600/,
  ],
  [
    'no PEM',
    () => {
      createIdentity(home);
      writeFileSync(join(home, IDENTITY_KEY_FILE), 'secret words');
    },
    /no private key in PEM$/,
  ],
  [
    'no id',
    () => {
      createIdentity(home);
      rmSync(join(home, IDENTITY_ID_FILE));
    },
    /cannot read the agent id/,
  ],
  [
    'a strange id',
    () => {
      createIdentity(home);
      writeFileSync(join(home, IDENTITY_ID_FILE), '../x\n');
    },
    /an agent id is/,
  ],
  [
    'another kind of key',
    () => {
      createIdentity(home);
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      writeFileSync(join(home, IDENTITY_KEY_FILE), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    },
    /type ec, expected ed25519/,
  ],
])('refuses %s with the file and the reason', (_name, prepare, message) => {
  prepare();
  expect(() => loadIdentity(home)).toThrow(message);
});
