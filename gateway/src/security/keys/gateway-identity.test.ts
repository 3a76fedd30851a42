import { createPublicKey } from 'node:crypto';
import { copyFileSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spkiOf } from '@tillbridge/wire/bridge/identity-key.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { securityFiles } from '../security-files.js';
import { ensureGatewayIdentity, loadGatewayIdentity, rotateGatewayIdentity } from './gateway-identity.js';

let home: string;
let files: ReturnType<typeof securityFiles>;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'gateway-identity-'));
  files = securityFiles(home);
});
afterEach(() => rmSync(home, { recursive: true }));

it('makes a key and a backup once, for their owner alone', () => {
  const made = ensureGatewayIdentity(files);
  expect(ensureGatewayIdentity(files).identityKeys).toEqual(made.identityKeys);
  const [current, backup] = made.identityKeys;
  expect(Buffer.from(spkiOf(createPublicKey(made.signingKey))).equals(current)).toBe(true);
  expect(Buffer.from(backup).equals(current)).toBe(false);
  for (const file of [files.gatewayIdentity, files.gatewayIdentityBackup])
    expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('puts the backup in the place of the key, wherever it is kept', () => {
  const [, backup] = ensureGatewayIdentity(files).identityKeys;
  const elsewhere = join(home, 'safe.pem');
  renameSync(files.gatewayIdentityBackup, elsewhere);
  expect(() => rotateGatewayIdentity(files)).toThrow(/gateway-identity-backup\.pem is missing/);
  const [current, next] = rotateGatewayIdentity(files, elsewhere).identityKeys;
  expect(current).toEqual(backup);
  expect(next).not.toEqual(backup);
  expect(() => rotateGatewayIdentity(files, elsewhere)).toThrow(/is not the backup that agents know/);
});

it('goes on with a rotation that was interrupted', () => {
  const [, backup] = ensureGatewayIdentity(files).identityKeys;
  copyFileSync(files.gatewayIdentityBackup, files.gatewayIdentity);
  expect(() => loadGatewayIdentity(files)).toThrow(
    /rotation was interrupted; run .*rotate-gateway-key" again/,
  );
  const [current, next] = rotateGatewayIdentity(files).identityKeys;
  expect(current).toEqual(backup);
  expect(next).not.toEqual(backup);
});

it('is never made anew while a part of it is left', () => {
  ensureGatewayIdentity(files);
  rmSync(files.gatewayIdentityBackupPublic);
  expect(() => ensureGatewayIdentity(files)).toThrow(/backup\.pub\.pem is missing/);
  writeFileSync(files.gatewayIdentity, 'secret words', { mode: 0o600 });
  expect(() => loadGatewayIdentity(files)).toThrow(/gateway-identity\.pem must hold an Ed25519 key in PEM$/);
});
