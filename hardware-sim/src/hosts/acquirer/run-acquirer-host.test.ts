import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { HomeInUseError } from '@tillbridge/platform/home-lock.js';
import { issueCertificate, makeAuthority } from '@tillbridge/platform/net/own-authority.js';
import { SocketPipe } from '@tillbridge/platform/socket-pipe.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { DIALECTS } from '@tillbridge/wire/iso8583/dialects/dialects.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestGateway } from './line/gateway.test.support.js';
import { type RunningAcquirerHost, startAcquirerHost } from './run-acquirer-host.js';

let home: string;
let running: RunningAcquirerHost;

const config = () => ({
  host: '127.0.0.1',
  hostNames: [],
  acquirerHost: {
    home,
    port: 0,
    controlPort: 0,
    dialect: '1987-binary' as const,
    keyForm: 'tr31' as const,
    macMethod: 'iso9797Algorithm3' as const,
  },
  log: { level: 'silent' as const, target: 'stderr' as const },
});

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'acquirer-host-'));
  running = await startAcquirerHost(config());
});
afterAll(async () => {
  await running.close();
  rmSync(home, { recursive: true });
});

async function connected(): Promise<TestGateway> {
  const [host = '', port = ''] = running.listening.address.split(':');
  const socket = connect(Number(port), host);
  await once(socket, 'connect');
  const gateway = new TestGateway(new SocketPipe(socket, 'host'), DIALECTS['1987-binary']);
  await gateway.signOn();
  return gateway;
}

async function control(method: string, path: string, body?: object) {
  const response = await fetch(running.listening.url + path, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  return { status: response.status, body: (await response.json()) as unknown };
}

it('takes sales over TCP and shows them', async () => {
  const gateway = await connected();
  const sale = await gateway.ask({});
  expect(sale).toMatchObject({ responseCode: '00' });
  expect((await control('GET', '/transactions')).body).toEqual([
    expect.objectContaining({ kind: 'sale', amountMinor: 1234, last4Digits: '0000', approved: 1 }),
  ]);
  const [row] = (await control('GET', '/accounts')).body as { card: string }[];
  expect((await control('PUT', `/accounts/${row?.card}/EUR`, { balanceMinor: 0 })).status).toBe(200);
  expect(await gateway.ask({})).toMatchObject({ responseCode: '51' });
  await gateway.close();
});

it('takes faults and rules by REST, and refuses what is none', async () => {
  const gateway = await connected();
  expect(await control('PUT', '/faults', [{ name: 'disconnect' }])).toMatchObject({
    status: 200,
    body: [{ name: 'disconnect', times: 1 }],
  });
  await gateway.send(gateway.message({}));
  await gateway.ended();
  expect((await control('PUT', '/faults', [{ name: 'nothing' }])).status).toBe(400);
  expect((await control('PUT', '/rules', [{ responseCode: '4' }])).status).toBe(400);
  expect((await control('POST', '/chargebacks', { message: 'x', amountMinor: 1, reason: 'y' })).status).toBe(
    404,
  );
  expect((await control('POST', '/cut-over')).status).toBe(200);
});

describe('over TLS', () => {
  const valid = { fromMs: Date.now() - 60_000, toMs: Date.now() + 3_600_000 };
  const authority = makeAuthority('Test acquirer', valid, systemRandom);
  const names = { commonName: 'host', dnsNames: ['localhost'], addresses: ['127.0.0.1'] };
  const server = issueCertificate(authority, names, valid, systemRandom);
  const about = { commonName: 'gateway', dnsNames: ['gateway'], addresses: [], isClient: true };
  const client = issueCertificate(authority, about, valid, systemRandom);
  const { certificate: cert, key } = client;
  let secured: RunningAcquirerHost;

  beforeAll(async () => {
    const file = (name: string, content: string): string => {
      writeFileSync(join(home, name), content);
      return join(home, name);
    };
    const tls = {
      certificateFile: file('certificate.pem', server.certificate),
      keyFile: file('key.pem', server.key),
      clientAuthorityFile: file('authority.pem', authority.certificate),
    };
    const { acquirerHost, ...rest } = config();
    const own = mkdtempSync(join(home, 'tls-'));
    secured = await startAcquirerHost({ ...rest, acquirerHost: { ...acquirerHost, home: own, tls } });
  });
  afterAll(() => secured.close());

  const open = (options: ConnectionOptions) => {
    const port = Number(secured.listening.address.split(':')[1]);
    return connectTls({ host: '127.0.0.1', port, ca: authority.certificate, ...options });
  };

  it('talks to gateways with a certificate of its authority', async () => {
    const socket = open({ cert, key });
    await once(socket, 'secureConnect');
    const gateway = new TestGateway(new SocketPipe(socket, 'host'), DIALECTS['1987-binary']);
    expect(await gateway.signOn()).toMatchObject({ responseCode: '00' });
    await gateway.close();
  });

  it('refuses those without one, and counts them', async () => {
    const socket = open({});
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.once('close', resolve));
    const response = await fetch(`${secured.listening.url}/status`);
    expect(await response.json()).toMatchObject({ badMessages: 1 });
  });
});

it('has its home to itself', async () => {
  await expect(startAcquirerHost(config())).rejects.toThrow(HomeInUseError);
});
