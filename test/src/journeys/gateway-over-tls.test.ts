import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  TEST_CERTIFICATE,
  TEST_CERTIFICATE_KEY,
} from '@tillbridge/wire/crypto/emv/certificate.test.support.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { PROGRAMS, writeConfig } from '../stack/layout.js';
import { type PartProcess, startPart } from '../stack/part-process.js';

let folder: string;
let gateway: PartProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-over-tls-'));
});
afterEach(async () => {
  await gateway?.stop();
  rmSync(folder, { recursive: true });
});

it('prints the ports that it got where 0 is configured, that of the redirect too', async () => {
  const [certificateFile, keyFile] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  writeFileSync(certificateFile, TEST_CERTIFICATE);
  writeFileSync(keyFile, TEST_CERTIFICATE_KEY);
  const config = writeConfig(join(folder, 'gateway.yaml'), {
    home: join(folder, 'home'),
    port: 0,
    tls: { certificateFile, keyFile, redirectPort: 0 },
  });
  execFileSync(process.execPath, [PROGRAMS.gateway, 'init', '--config', config]);
  gateway = await startPart({ name: 'gateway', args: [PROGRAMS.gateway, 'serve', '--config', config] });
  const { url, redirectPort } = gateway.listening;
  const plain = await fetch(`http://127.0.0.1:${redirectPort}/docs`, { redirect: 'manual' });
  expect(plain.status).toBe(307);
  expect(plain.headers.get('location')).toBe(`${url}/docs`);
});
