import { createSecretKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entityRow } from '@tillbridge/gateway/core/entities/entities.js';
import { giveFtpAccount } from '@tillbridge/gateway/features/settlement/ftp/ftp-account.js';
import {
  type FtpLocation,
  openFtpLocation,
} from '@tillbridge/gateway/features/settlement/ftp/ftp-location.js';
import {
  FtpPlace,
  type FtpPlaceOptions,
} from '@tillbridge/gateway/features/settlement/host-files/ftp-place.js';
import { MemoryStore } from '@tillbridge/gateway/kernel/store/testing/memory-store.js';
import { keyedFingerprint } from '@tillbridge/gateway/security/tokens/fingerprint.js';
import { systemClock as clock } from '@tillbridge/platform/system-clock.js';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import {
  TEST_CERTIFICATE,
  TEST_CERTIFICATE_KEY,
} from '@tillbridge/wire/crypto/emv/certificate.test.support.js';
import { afterEach, beforeEach, expect, it } from 'vitest';

const MERCHANT = 'a'.repeat(32);
const FILE = `${MERCHANT}-20261120-1.csv`;

let home: string;
let location: FtpLocation;
let options: FtpPlaceOptions;

// Our own location plays the acquirer's server: it speaks TLS alone.
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'ftp-place-'));
  const store = new MemoryStore();
  const file = { name: FILE, merchantId: MERCHANT, recordCount: 0, createdAtMs: 1, version: 1 };
  await store.commit([
    { op: 'insert', table: 'entities', row: entityRow(MERCHANT, 'Merchant', null, 1) },
    { op: 'insert', table: 'reconciliationFiles', row: file },
  ]);
  const tokenKey = createSecretKey(Buffer.alloc(32, 3));
  const parts = { store, tokenKey, random, clock };
  const { user, password } = await giveFtpAccount({ ...parts, actor: 'operator' }, MERCHANT);
  location = await openFtpLocation({
    ...parts,
    fingerprint: keyedFingerprint(createSecretKey(Buffer.alloc(32, 4))),
    folder: join(home, 'files'),
    settings: { host: '127.0.0.1', port: 0, passivePort: 0, passivePorts: 1 },
    tls: () => ({ cert: TEST_CERTIFICATE, key: TEST_CERTIFICATE_KEY }),
    onLocked: () => undefined,
    onFault: (error) => {
      throw error;
    },
  });
  writeFileSync(join(home, 'password'), `${password}\n`, { mode: 0o600 });
  writeFileSync(join(home, 'authority.pem'), TEST_CERTIFICATE);
  options = {
    ...{ host: '127.0.0.1', port: location.port, security: 'explicit', user, folder: '/' },
    passwordFile: join(home, 'password'),
    authorityFile: join(home, 'authority.pem'),
  };
});
afterEach(async () => {
  await location.close();
  rmSync(home, { recursive: true });
});

it('lists the files that are wanted, and copies them', async () => {
  const place = new FtpPlace(options);
  const [file, ...more] = await place.list((name) => name.endsWith('.csv'));
  expect(file).toMatchObject({ name: FILE, modified: expect.stringMatching(/./) });
  expect(more).toEqual([]);
  expect(await place.list((name) => name === 'other')).toEqual([]);
  const to = join(home, 'copy');
  await place.copy(FILE, to);
  expect(readFileSync(to)).toHaveLength(file?.size ?? 0);
  expect(readFileSync(to, 'utf8')).toMatch(/^ReconciliationType;/);
});

it.each<[string, (of: FtpPlaceOptions) => Partial<FtpPlaceOptions>]>([
  ['a wrong user', () => ({ user: 'b'.repeat(32) })],
  ['a certificate of an unknown authority', () => ({ host: 'localhost', authorityFile: '/dev/null' })],
  ['a server that is not there', () => ({ port: 1 })],
])('reports that it cannot be read, and no secret: %s', async (_, change) => {
  const place = new FtpPlace({ ...options, ...change(options) });
  const failed = await place.list(() => true).catch((error: unknown) => error);
  expect(failed).toMatchObject({ name: 'PlaceError', message: expect.stringContaining('cannot be read') });
  expect(String(failed)).not.toContain(readFileSync(options.passwordFile, 'utf8').trim());
});

it('reports that a file is not there any more', async () => {
  const copied = new FtpPlace(options).copy('gone.csv', join(home, 'copy'));
  await expect(copied).rejects.toThrow(/cannot be read: 55[01]/);
});
