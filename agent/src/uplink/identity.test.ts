import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { enrolledHome } from './enrolled-home.test.support.js';
import {
  completeIdentity,
  IDENTITY_ID_FILE,
  IDENTITY_KEY_FILE,
  knownAgentId,
  loadIdentity,
  PENDING_KEY_FILE,
  pendingKey,
} from './identity.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'agent-identity-'));
});
afterEach(() => rmSync(home, { recursive: true }));

it('loads the identity it made, and the halves belong together', () => {
  const made = enrolledHome(join(home, 'agent'), 'store-12');
  const loaded = loadIdentity(join(home, 'agent'));
  expect(loaded.agentId).toBe('store-12');
  expect(loaded.publicKeyPem).toBe(made.publicKeyPem);
  const proof = Buffer.from('nonce');
  expect(verify(null, proof, made.publicKeyPem, sign(null, proof, loaded.privateKey))).toBe(true);
});

it('keeps the key to its owner', () => {
  enrolledHome(home);
  expect(statSync(join(home, IDENTITY_KEY_FILE)).mode & 0o777).toBe(0o600);
});

it('goes on with the key of an attempt that was interrupted', () => {
  const first = pendingKey(home);
  expect(knownAgentId(home)).toBeUndefined();
  expect(pendingKey(home).equals(first)).toBe(true);
  expect(statSync(join(home, PENDING_KEY_FILE)).mode & 0o777).toBe(0o600);
  completeIdentity(home, 'whole');
  expect(knownAgentId(home)).toBe('whole');
  expect(loadIdentity(home).privateKey.equals(first)).toBe(true);
});

it('has its former key until the new one takes its place', () => {
  const former = enrolledHome(home, 'store-1');
  const next = pendingKey(home);
  expect(loadIdentity(home).privateKey.equals(former.privateKey)).toBe(true);
  completeIdentity(home, 'store-1');
  expect(loadIdentity(home).privateKey.equals(next)).toBe(true);
});

it.each<[string, () => void, RegExp]>([
  ['nothing there', () => {}, /cannot read the key pair .*ENOENT.*tillbridge-agent enrol CODE/],
  [
    'a key open to others',
    () => {
      enrolledHome(home);
      chmodSync(join(home, IDENTITY_KEY_FILE), 0o644);
    },
    /mode to 0600/,
  ],
  [
    'no PEM',
    () => {
      enrolledHome(home);
      writeFileSync(join(home, IDENTITY_KEY_FILE), 'secret words');
    },
    /no private key in PEM$/,
  ],
  [
    'no id',
    () => {
      enrolledHome(home);
      rmSync(join(home, IDENTITY_ID_FILE));
    },
    /cannot read the agent id/,
  ],
  [
    'a strange id',
    () => {
      enrolledHome(home);
      writeFileSync(join(home, IDENTITY_ID_FILE), '../x\n');
    },
    /an agent id is/,
  ],
  [
    'another kind of key',
    () => {
      enrolledHome(home);
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      writeFileSync(join(home, IDENTITY_KEY_FILE), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    },
    /type ec, expected ed25519/,
  ],
])('refuses %s with the file and the reason', (_name, prepare, message) => {
  prepare();
  expect(() => loadIdentity(home)).toThrow(message);
});
