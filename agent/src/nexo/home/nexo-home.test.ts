import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NEXO_FILES } from '../../home/home-files.js';
import { ensureCertificate, serverNames } from './nexo-home.js';

const NOW = Date.UTC(2026, 10, 23);
const DAY_MS = 86_400_000;
const NAMES = serverNames('legacy-terminal-certificate.test.terminal.adyen.com');

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tillbridge-nexo-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const ensure = (names = NAMES, nowMs = NOW) => ensureCertificate(home, names, nowMs, systemRandom);
const serialOf = ({ tls }: Awaited<ReturnType<typeof ensure>>) => new X509Certificate(tls.cert).serialNumber;

describe('the certificate of the interface', () => {
  it('comes from its own authority, and stays', async () => {
    const first = await ensure();
    const certificate = new X509Certificate(first.tls.cert);
    const authority = new X509Certificate(first.authority);
    expect(certificate.subject).toBe(`CN=${NAMES.commonName}`);
    expect(certificate.subjectAltName).toBe('IP Address:127.0.0.1, DNS:localhost');
    expect(certificate.ca).toBe(false);
    expect(authority.ca).toBe(true);
    expect(certificate.verify(authority.publicKey)).toBe(true);
    expect(certificate.checkIssued(authority)).toBe(true);
    expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(await ensure()).toEqual(first);
  });

  it.each([
    ['another name is configured', serverNames('P400-1.live.terminal.adyen.com'), NOW],
    ['it ends within the year', NAMES, NOW + 500 * DAY_MS],
    ['the clock was ahead at the first start', NAMES, NOW - 900 * DAY_MS],
  ])('is issued anew under the same authority where %s', async (_what, names, nowMs) => {
    const first = await ensure();
    const next = await ensure(names, nowMs);
    expect(serialOf(next)).not.toBe(serialOf(first));
    expect(next.authority).toBe(first.authority);
  });

  it('is issued anew where its files do not fit together', async () => {
    const first = await ensure();
    writeFileSync(join(home, NEXO_FILES.certificateKey), readFileSync(join(home, NEXO_FILES.authorityKey)));
    expect(serialOf(await ensure())).not.toBe(serialOf(first));
  });
});
