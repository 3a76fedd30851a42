import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import type { TlsPair } from '@tillbridge/platform/net/tls-certificate.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { afterEach, describe, expect, it } from 'vitest';
import { TILL_RIGHTS } from '../../access/rights.js';
import { NEXO_FILES } from '../../home/home-files.js';
import { ensureCertificate, serverNames } from '../../nexo/home/nexo-home.js';
import { encodeApdu } from '../messages/apdu.js';
import { PasswordGuard } from '../service/password-guard.js';
import { registration, ZvtHarness } from '../service/zvt-harness.test.support.js';
import { createTcpTill, TCP_LIMITS } from './tcp-till.js';

const clock = new VirtualClock(0);
const refused: string[] = [];
let server: Server;
let sockets: Socket[] = [];

async function listen(from?: readonly string[], tls?: TlsPair): Promise<void> {
  const { service, sale } = await new ZvtHarness().boot();
  server = createTcpTill({
    clock,
    ...(from && { from }),
    ...(tls && { tls }),
    conversation: () => ({
      till: { till: 'front', terminalId: '11', rights: TILL_RIGHTS },
      service,
      password: new PasswordGuard('000000', clock),
      recallRegistration: () => undefined,
      keepRegistration: () => undefined,
      onEvent: (listener) => sale.runner.service.onEvent(listener),
      refused: (code) => refused.push(code),
      fault: (error) => refused.push(String(error)),
    }),
    unknownPeer: () => refused.push('unknown-peer'),
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

async function open(): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

const closed = (socket: Socket) => once(socket, 'close');

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  refused.length = 0;
  server.close();
});

describe('the port of a till', () => {
  it('takes a registration in pieces', async () => {
    await listen();
    const socket = await open();
    const bytes = encodeApdu(registration(0x30));
    socket.write(bytes.subarray(0, 4));
    socket.write(bytes.subarray(4));
    const answers: Buffer[] = [];
    while (Buffer.concat(answers).length < 3 + 3 + 2 + 5 + 3) answers.push((await once(socket, 'data'))[0]);
    expect(Buffer.concat(answers).toString('hex')).toBe(
      '800000' + '060f0a' + '1900' + '2900000011' + '490978',
    );
  });

  it('hangs up on addresses that may not connect', async () => {
    await listen(['10.0.0.1']);
    await closed(await open());
    expect(refused).toEqual(['unknown-peer']);
  });

  it('hangs up on a message that is longer than the limit', async () => {
    await listen();
    const socket = await open();
    socket.write(Buffer.from('0601ffffff', 'hex'));
    await closed(socket);
    expect(refused).toEqual(['too-long']);
  });

  it.each([
    ['the rest of a message', TCP_LIMITS.messageMs, Buffer.from('060110', 'hex')],
    ['a registration', TCP_LIMITS.registrationMs, encodeApdu({ control: 0x0602, data: Buffer.alloc(0) })],
  ])('hangs up without %s', async (_name, limitMs, bytes) => {
    await listen();
    const taken = once(server, 'connection').then(([each]) => once(each as Socket, 'data'));
    const socket = await open();
    // What is not read keeps a socket open.
    socket.resume();
    socket.write(bytes);
    await taken;
    await clock.advance(limitMs);
    await closed(socket);
  });

  it('holds no more connections than its limit', async () => {
    await listen();
    const held = [];
    for (let at = 0; at < TCP_LIMITS.connectionsPerPeer; at += 1) held.push(await open());
    await closed(await open());
    expect(held.every((socket) => !socket.destroyed)).toBe(true);
  });

  it('speaks TLS alone where it has a certificate', async () => {
    const home = mkdtempSync(join(tmpdir(), 'tillbridge-zvt-tls-'));
    try {
      const { tls } = await ensureCertificate(
        home,
        serverNames('localhost'),
        systemClock.nowMs(),
        systemRandom,
      );
      await listen(undefined, tls);
      const ca = readFileSync(join(home, NEXO_FILES.authority));
      const { port } = server.address() as AddressInfo;
      const secure = connectTls({ host: '127.0.0.1', port, ca });
      sockets.push(secure);
      await once(secure, 'secureConnect');
      secure.write(encodeApdu(registration(0x30)));
      expect(((await once(secure, 'data'))[0] as Buffer).subarray(0, 3).toString('hex')).toBe('800000');
      const plain = await open();
      plain.resume();
      plain.write(encodeApdu(registration(0x30)));
      await closed(plain);
    } finally {
      rmSync(home, { recursive: true });
    }
  });
});
