import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createPlainServer } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { issueCertificate, makeAuthority } from '@tillbridge/platform/net/own-authority.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { afterEach, describe, expect, it } from 'vitest';
import { checkCertificate } from './check-certificate.js';
import { requestGateway } from './gateway-answer.js';
import { NO_PINS } from './tls-trust.js';

const DAY_MS = 86_400_000;
const NOW_MS = Date.now();
const clock = { nowMs: () => NOW_MS };
const VALID = { fromMs: NOW_MS - DAY_MS, toMs: NOW_MS + DAY_MS };
const authority = makeAuthority('Own authority', VALID, systemRandom);
const pins = { ...NO_PINS, authorities: [new X509Certificate(authority.certificate).raw] };

let server: Server | undefined;
afterEach(() => void server?.close());

async function portOf(listening: Server): Promise<number> {
  server = listening.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** The address of a gateway on this machine with a certificate of the authority. */
async function gateway(valid = VALID, host = 'localhost'): Promise<string> {
  const names = { commonName: host, dnsNames: [host], addresses: [] };
  const { certificate: cert, key } = issueCertificate(authority, names, valid, systemRandom);
  return `wss://localhost:${await portOf(createServer({ cert, key }, (_, answer) => answer.end()))}/bridge`;
}

describe('the certificate of a gateway', () => {
  it('of a private authority is no fault before an enrolment, and none after it where the gateway named the authority', async () => {
    const url = await gateway();
    await expect(checkCertificate(url, NO_PINS, 'before enrolment', clock)).resolves.toBeUndefined();
    await expect(checkCertificate(url, pins, 'after enrolment', clock)).resolves.toBeUndefined();
    await expect(checkCertificate(url, NO_PINS, 'after enrolment', clock)).rejects.toMatchObject({
      code: 'certificate',
      message: expect.stringMatching(/Own authority.*bridge\.authorityFile.*the code still counts/),
    });
  });

  it.each(['before enrolment', 'after enrolment'] as const)(
    'that has expired is a fault %s',
    async (when) => {
      const url = await gateway({ fromMs: NOW_MS - 2 * DAY_MS, toMs: NOW_MS - DAY_MS });
      await expect(checkCertificate(url, pins, when, clock)).rejects.toMatchObject({
        code: 'certificate',
        message: expect.stringContaining('has expired'),
      });
    },
  );

  it('for another name is a fault', async () => {
    const url = await gateway(VALID, 'other.example');
    await expect(checkCertificate(url, pins, 'before enrolment', clock)).rejects.toThrow(
      'is not for localhost',
    );
  });
});

describe('a request to a gateway', () => {
  it('reports its clock, also without TLS', async () => {
    const url = `ws://127.0.0.1:${await portOf(createPlainServer((_, answer) => answer.end()))}/bridge`;
    const answer = await requestGateway(url, {});
    expect(answer).toMatchObject({ kind: 'answered', timeMs: expect.any(Number) });
    expect(answer).not.toHaveProperty('certificate');
  });

  it('that nothing answers says so in words', async () => {
    const port = await portOf(createPlainServer());
    server?.close();
    await expect(
      checkCertificate(`ws://127.0.0.1:${port}/bridge`, NO_PINS, 'before enrolment', clock),
    ).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining(`no program listens at 127.0.0.1:${port}`),
    });
  });
});
