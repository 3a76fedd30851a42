import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { issueCertificate, makeAuthority } from '../net/own-authority.js';
import { systemRandom } from '../system-random.js';
import { certificateFinding } from './certificate-check.js';
import { clockFinding } from './clock-check.js';
import { DISK_LIMITS, diskFinding } from './disk-check.js';
import { portCheck } from './port-check.js';
import { fault, PreflightError, preflight, warning } from './preflight.js';

const DAY_MS = 86_400_000;
const NOW_MS = Date.parse('2026-11-23T12:00:00Z');
const NAMES = { commonName: 'localhost', dnsNames: ['localhost'], addresses: [] };
const valid = (fromDays: number, toDays: number) => ({
  fromMs: NOW_MS + fromDays * DAY_MS,
  toMs: NOW_MS + toDays * DAY_MS,
});
const authority = makeAuthority('Authority', valid(-100, 100), systemRandom);
const issued = (fromDays: number, toDays: number): X509Certificate =>
  new X509Certificate(issueCertificate(authority, NAMES, valid(fromDays, toDays), systemRandom).certificate);
const ROOT = new X509Certificate(authority.certificate);
const find = (...chain: readonly X509Certificate[]) => certificateFinding('tls /c.pem', chain, NOW_MS);

describe('a certificate', () => {
  it('with its chain and time left is as it should be', () => {
    expect(find(issued(-1, 60), ROOT)).toBeUndefined();
  });

  it.each([
    [() => find(issued(-30, -2), ROOT), 'the certificate ended on 2026-11-21: renew it'],
    [() => find(issued(2, 60), ROOT), 'begins on 2026-11-25 and it is 2026-11-23: set the clock right'],
    [() => find(ROOT, issued(-1, 60)), 'certificate 2 did not issue the one before it'],
    [() => find(), 'holds no certificate in PEM'],
  ])('that clients would refuse is a fault: %#', (look, text) => {
    const found = look();
    expect(found?.kind).toBe('fault');
    expect(found?.text).toContain(text);
  });

  it('that ends soon, or comes without a chain, is a warning', () => {
    expect(find(issued(-1, 13), ROOT)).toEqual(
      warning(expect.stringContaining('ends on 2026-12-06: renew it')),
    );
    expect(find(issued(-1, 60))).toEqual(warning(expect.stringContaining('has no chain')));
  });
});

it('a disk is low, then too full', () => {
  expect(diskFinding(DISK_LIMITS.low, '/home', 'X_HOME')).toBeUndefined();
  expect(diskFinding(DISK_LIMITS.low - 1, '/home', 'X_HOME')?.kind).toBe('warning');
  expect(diskFinding(DISK_LIMITS.least - 1, '/home', 'X_HOME')?.kind).toBe('fault');
});

it('a clock may differ by a minute', () => {
  expect(clockFinding(60_000, 'the server')).toBeUndefined();
  expect(clockFinding(60_001, 'the server')?.text).toContain('1 min ahead of that of the server');
  expect(clockFinding(-3_600_000, 'the server')?.text).toContain('60 min behind');
});

it('a port in use is a fault, a free one and any free one are none', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { readonly port: number };
  expect((await portCheck('127.0.0.1', port, 'X_PORT')())?.text).toContain(`port ${port} is in use`);
  server.close();
  await once(server, 'close');
  expect(await portCheck('127.0.0.1', port, 'X_PORT')()).toBeUndefined();
  expect(await portCheck('127.0.0.1', 0, 'X_PORT')()).toBeUndefined();
});

it('all faults are named at once, and warnings stand in no way', async () => {
  const warnings: string[] = [];
  const look = preflight(
    [() => fault('one'), () => warning('soon'), async () => fault('two'), () => undefined],
    (text) => void warnings.push(text),
  );
  await expect(look).rejects.toThrow(new PreflightError('one\ntwo'));
  expect(warnings).toEqual(['soon']);
});
