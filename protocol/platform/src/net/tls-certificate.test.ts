import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, createServer, request, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import {
  RENEWED_CERTIFICATE,
  RENEWED_CERTIFICATE_KEY,
  TEST_CERTIFICATE,
  TEST_CERTIFICATE_KEY,
} from '@tillbridge/wire/crypto/emv/certificate.test.support.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConfigError } from '../config/problems.js';
import { CERTIFICATE_CHECK_MS, TlsCertificate, type TlsFiles } from './tls-certificate.js';

let folder: string;
let files: TlsFiles;
let clock: VirtualClock;
let server: Server;
let certificate: TlsCertificate;
let logged: string[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tls-'));
  files = { certificateFile: join(folder, 'certificate.pem'), keyFile: join(folder, 'key.pem') };
  put(TEST_CERTIFICATE, TEST_CERTIFICATE_KEY);
  certificate = new TlsCertificate('tls', files);
  server = createServer({ ...certificate.pair }, (_request, response) => response.end('served'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  clock = new VirtualClock();
  logged = [];
  const log = {
    info: (_about: object, text: string) => void logged.push(text),
    error: (about: object, text: string) => void logged.push(`${text} ${JSON.stringify(about)}`),
  };
  certificate.follow(server, { clock, log });
});
afterEach(async () => {
  certificate.stop();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  rmSync(folder, { recursive: true });
});

function put(certificateText: string, key: string): void {
  writeFileSync(files.certificateFile, certificateText);
  writeFileSync(files.keyFile, key);
}

/** Which certificate a call gets to see. */
async function seenBy(agent = new Agent({ keepAlive: false })): Promise<'first' | 'renewed' | 'neither'> {
  const { port } = server.address() as AddressInfo;
  const call = request({ port, host: '127.0.0.1', agent, ca: [TEST_CERTIFICATE, RENEWED_CERTIFICATE] });
  call.end();
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  const { raw } = (response.socket as TLSSocket).getPeerCertificate();
  response.resume();
  await once(response, 'end');
  const isOf = (pem: string) => pem.replaceAll('\n', '').includes(raw.toString('base64'));
  if (isOf(TEST_CERTIFICATE)) return 'first';
  return isOf(RENEWED_CERTIFICATE) ? 'renewed' : 'neither';
}

const checked = () => clock.advance(CERTIFICATE_CHECK_MS);

describe('a certificate whose files are replaced', () => {
  test('is in use for new connections after the next look; open ones go on', async () => {
    const kept = new Agent({ keepAlive: true, maxSockets: 1 });
    expect(await seenBy(kept)).toBe('first');
    put(RENEWED_CERTIFICATE, RENEWED_CERTIFICATE_KEY);
    expect(await seenBy()).toBe('first');
    await checked();
    expect(await seenBy()).toBe('renewed');
    expect(await seenBy(kept)).toBe('first');
    expect(logged).toEqual(['a new certificate is in use']);
    kept.destroy();
  });

  test('is in use at once when a check is requested', async () => {
    put(RENEWED_CERTIFICATE, RENEWED_CERTIFICATE_KEY);
    certificate.check();
    expect(await seenBy()).toBe('renewed');
  });

  test('stays where the new files cannot be used, and logs that once', async () => {
    for (const [text, key] of [
      ['broken', RENEWED_CERTIFICATE_KEY],
      [RENEWED_CERTIFICATE, TEST_CERTIFICATE_KEY],
    ] as const) {
      put(text, key);
      await checked();
      await checked();
      expect(await seenBy()).toBe('first');
    }
    rmSync(files.keyFile);
    await checked();
    await checked();
    expect(await seenBy()).toBe('first');
    expect(logged).toHaveLength(3);
    expect(certificate.fault).toBe('ENOENT');
    for (const text of logged) {
      expect(text).toContain('the former one stays in use');
      expect(text).toContain(files.certificateFile);
      expect(text).not.toContain('PRIVATE');
    }
    put(RENEWED_CERTIFICATE, RENEWED_CERTIFICATE_KEY);
    await checked();
    expect(await seenBy()).toBe('renewed');
    expect(certificate.fault).toBeUndefined();
  });

  test('is not looked at after the end', async () => {
    certificate.stop();
    put(RENEWED_CERTIFICATE, RENEWED_CERTIFICATE_KEY);
    await checked();
    expect(await seenBy()).toBe('first');
  });
});

test.each([
  ['missing', undefined, 'ENOENT'],
  ['no key', 'no key', 'ERR_OSSL'],
  ['the key of another certificate', RENEWED_CERTIFICATE_KEY, 'KEY_VALUES_MISMATCH'],
])('a key file that is %s is named at the start', (_what, key, reason) => {
  if (key === undefined) rmSync(files.keyFile);
  else writeFileSync(files.keyFile, key);
  const open = () => new TlsCertificate('replica.tls', files);
  expect(open).toThrow(ConfigError);
  expect(open).toThrow(`replica.tls.keyFile ${files.keyFile} cannot be used`);
  expect(open).toThrow(reason);
});
