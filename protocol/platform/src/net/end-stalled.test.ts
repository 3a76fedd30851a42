import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import {
  TEST_CERTIFICATE,
  TEST_CERTIFICATE_KEY,
} from '@tillbridge/wire/crypto/emv/certificate.test.support.js';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { endStalled } from './end-stalled.js';

const STALLED_MS = 1_000;
let server: EventEmitter;
beforeEach(() => {
  vi.useFakeTimers();
  server = new EventEmitter();
  endStalled(server as Server, STALLED_MS);
  server.emit('listening');
});
afterEach(() => {
  server.emit('close');
  vi.useRealTimers();
});

/** A connection that has been given so many bytes, of which so many wait. */
class Connection extends EventEmitter {
  bytesWritten = 0;
  writableLength = 0;
  destroyed = false;

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

function connected(): Connection {
  const connection = new Connection();
  server.emit('connection', connection as unknown as Socket);
  return connection;
}

const looks = (count: number) => vi.advanceTimersByTime(count * STALLED_MS);

it('ends a connection whose peer takes nothing between two looks', () => {
  const stalled = connected();
  Object.assign(stalled, { bytesWritten: 500, writableLength: 100 });
  looks(1);
  expect(stalled.destroyed).toBe(false);
  looks(1);
  expect(stalled.destroyed).toBe(true);
});

it('ends it although more is written to it', () => {
  const stalled = connected();
  for (let at = 1; at <= 2; at += 1) {
    Object.assign(stalled, { bytesWritten: 400 + 100 * at, writableLength: 100 * at });
    looks(1);
  }
  expect(stalled.destroyed).toBe(true);
});

it('leaves those that take a little, and those for which nothing waits', () => {
  const slow = connected();
  const idle = connected();
  for (let at = 1; at <= 10; at += 1) {
    Object.assign(slow, { bytesWritten: 500, writableLength: 100 - at });
    looks(1);
  }
  expect([slow.destroyed, idle.destroyed]).toEqual([false, false]);
});

it('begins anew with what waits after a quiet time', () => {
  const connection = connected();
  for (let at = 0; at < 4; at += 1) {
    connection.bytesWritten += 100;
    connection.writableLength = 100;
    looks(1);
    connection.writableLength = 0;
    looks(1);
  }
  expect(connection.destroyed).toBe(false);
});

it('leaves a connection that has closed', () => {
  const closed = connected();
  Object.assign(closed, { bytesWritten: 500, writableLength: 100 });
  closed.emit('close');
  looks(3);
  expect(closed.destroyed).toBe(false);
});

it('looks no more once the server is closed', () => {
  server.emit('close');
  expect(vi.getTimerCount()).toBe(0);
});

/** More than the system buffers at both ends hold. */
const SIP_BYTES = 12 * 1_048_576;
const SIPS = 5;

it.each([false, true])('sees how far a single long write has come (over TLS: %s)', async (isTls) => {
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const answer = Buffer.alloc((SIPS + 2) * SIP_BYTES);
  const write = (socket: Socket): void => {
    socket.on('error', () => undefined);
    socket.write(answer);
  };
  const tls = { cert: TEST_CERTIFICATE, key: TEST_CERTIFICATE_KEY };
  const real = isTls ? createTlsServer(tls, write) : createServer(write);
  endStalled(real, STALLED_MS);
  real.listen(0, '127.0.0.1');
  await once(real, 'listening');
  const { port } = real.address() as AddressInfo;
  const client = isTls ? connectTls({ port, rejectUnauthorized: false }) : connect(port, '127.0.0.1');
  client.on('error', () => undefined);
  for (let at = 0; at < SIPS; at += 1) {
    await sip(client);
    looks(1);
  }
  expect(client.destroyed).toBe(false);
  looks(3);
  client.resume();
  await once(client, 'close');
  expect(client.bytesRead).toBeLessThan(answer.length);
  real.close();
});

async function sip(client: Socket): Promise<void> {
  for (let taken = 0; taken < SIP_BYTES; ) {
    const chunk: Buffer | null = client.read();
    if (chunk) taken += chunk.length;
    else await once(client, 'readable');
  }
}
