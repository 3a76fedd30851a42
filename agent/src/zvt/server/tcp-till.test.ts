import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { connect, type Socket } from 'node:net';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { afterEach, describe, expect, it } from 'vitest';
import { TILL_RIGHTS } from '../../access/rights.js';
import { encodeApdu } from '../messages/apdu.js';
import { PasswordGuard } from '../service/password-guard.js';
import { registration, ZvtHarness } from '../service/zvt-harness.test.support.js';
import { createTcpTill, TCP_LIMITS } from './tcp-till.js';

const clock = new VirtualClock(0);
const refused: string[] = [];
let server: Server;
let sockets: Socket[] = [];

async function listen(from?: readonly string[]): Promise<void> {
  const { service, sale } = await new ZvtHarness().boot();
  server = createTcpTill({
    clock,
    ...(from && { from }),
    conversation: () => ({
      till: { till: 'front', terminalId: '11', rights: TILL_RIGHTS },
      service,
      password: new PasswordGuard('000000', clock),
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
});
