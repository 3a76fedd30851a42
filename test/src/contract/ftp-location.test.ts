import { createSecretKey } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { connect as connectTls, createSecureContext, TLSSocket } from 'node:tls';
import { entityRow } from '@tillbridge/gateway/core/entities/entities.js';
import { MAX_WAITING, readControlLines } from '@tillbridge/gateway/features/settlement/ftp/control-lines.js';
import { giveFtpAccount, removeFtpAccount } from '@tillbridge/gateway/features/settlement/ftp/ftp-account.js';
import {
  FTP_LIMITS,
  type FtpLocation,
  openFtpLocation,
} from '@tillbridge/gateway/features/settlement/ftp/ftp-location.js';
import { SIGN_IN_LIMITS, SignIn } from '@tillbridge/gateway/features/settlement/ftp/sign-in.js';
import type { Change } from '@tillbridge/gateway/kernel/store/store.js';
import { MemoryStore } from '@tillbridge/gateway/kernel/store/testing/memory-store.js';
import { keyedFingerprint } from '@tillbridge/gateway/security/tokens/fingerprint.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import {
  TEST_CERTIFICATE,
  TEST_CERTIFICATE_KEY,
} from '@tillbridge/wire/crypto/emv/certificate.test.support.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { Client } from 'basic-ftp';
import { afterEach, beforeEach, expect, it } from 'vitest';

const [OURS, THEIRS] = ['a'.repeat(32), 'b'.repeat(32)];
const FILE = `${OURS}-20261120-1.csv`;
const HEAD = /^ReconciliationType;PaymentType;Cashflow;/;

let folder: string;
let signalListeners: number;
let store: MemoryStore;
let location: FtpLocation;
let client: Client;
let account: { readonly user: string; readonly password: string };
let clock: Clock = systemClock;
const tokenKey = createSecretKey(Buffer.alloc(32, 3));
const fingerprint = keyedFingerprint(createSecretKey(Buffer.alloc(32, 4)));

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-ftp-'));
  store = new MemoryStore();
  const merchants = [OURS, THEIRS].map((id): Change => {
    const row = { name: `${id}-20261120-1.csv`, merchantId: id, recordCount: 0, createdAtMs: 1, version: 1 };
    return { op: 'insert', table: 'reconciliationFiles', row };
  });
  const entities = [OURS, THEIRS].map(
    (id): Change => ({ op: 'insert', table: 'entities', row: entityRow(id, 'Merchant', null, 1) }),
  );
  await store.commit([...entities, ...merchants]);
  account = await giveFtpAccount({ store, tokenKey, random, clock, actor: 'operator' }, OURS);
  signalListeners = process.listenerCount('SIGTERM');
  await open();
  client = new Client(5_000);
});
const parts = () => ({
  store,
  tokenKey,
  clock,
  random,
  fingerprint,
  folder,
  settings: { host: '127.0.0.1', port: 0, passivePort: 0, passivePorts: 1 },
  tls: () => ({ cert: TEST_CERTIFICATE, key: TEST_CERTIFICATE_KEY }),
  onLocked: () => undefined,
  onFault: (error: unknown) => {
    throw error;
  },
});
const open = async (): Promise<void> => {
  location = await openFtpLocation(parts());
};
/** Another location, whose time the test makes. */
const openVirtual = async (): Promise<VirtualClock> => {
  await location.close();
  const virtual = new VirtualClock(systemClock.nowMs());
  clock = virtual;
  await open();
  return virtual;
};
afterEach(async () => {
  client.close();
  await location.close();
  clock = systemClock;
  rmSync(folder, { recursive: true });
});

const target = () => ({
  host: '127.0.0.1',
  port: location.port,
  secure: true,
  secureOptions: { rejectUnauthorized: false },
});
const access = (more: object = {}) => client.access({ ...target(), ...account, ...more });
const read = async (name: string): Promise<string> => {
  const parts: Buffer[] = [];
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      parts.push(chunk);
      done();
    },
  });
  await client.downloadTo(sink, name);
  return Buffer.concat(parts).toString();
};

it('lists and gives the files of one merchant over TLS', async () => {
  await access();
  expect((await client.list()).map(({ name }) => name)).toEqual([FILE]);
  const text = await read(FILE);
  expect(text).toMatch(HEAD);
  expect(text).toBe(readFileSync(join(folder, FILE), 'utf8'));
  expect(await client.size(`/${FILE}`)).toBe(text.length);
});

it('shows nothing of another merchant, and nothing outside', async () => {
  await access();
  for (const name of [`${THEIRS}-20261120-1.csv`, '../gateway.db', '/etc/passwd', `${folder}/${FILE}`])
    await expect(read(name), name).rejects.toThrow('No such file');
  await expect(client.cd('..')).rejects.toThrow();
  await expect(client.cd('/etc')).rejects.toThrow();
});

it.each([
  ['stores', () => client.uploadFrom(join(folder, FILE), 'new.csv')],
  ['deletes', () => client.remove(FILE)],
  ['renames', () => client.rename(FILE, 'other.csv')],
  ['makes folders', () => client.send('MKD folder')],
  ['changes modes', () => client.send(`SITE CHMOD 777 ${FILE}`)],
  ['connects to others', () => client.send('PORT 127,0,0,1,4,210')],
  ['connects to others by EPRT', () => client.send('EPRT |1|127.0.0.1|1234|')],
])('never %s', async (_name, change) => {
  await access();
  await client.list();
  await read(FILE);
  await expect(change()).rejects.toThrow();
  client.close();
  client = new Client(5_000);
  await access();
  expect((await client.list()).map(({ name }) => name)).toEqual([FILE]);
});

it.each([
  ['another password', () => ({ password: 'tb_wrong' })],
  ['another merchant', () => ({ user: THEIRS })],
  ['an unknown merchant', () => ({ user: 'c'.repeat(32) })],
])('refuses %s in the same words', async (_name, more) => {
  await expect(access(more())).rejects.toThrow('530 Authentication failed');
});

it('refuses an account that was taken away', async () => {
  await removeFtpAccount({ store, random, clock, actor: 'operator' }, OURS);
  await expect(access()).rejects.toThrow('530 Authentication failed');
});

it('locks an address and an account after failures, in the same words, until the time is over', async () => {
  const virtual = new VirtualClock(clock.nowMs());
  const locked: string[] = [];
  const onLocked = (name: string) => void locked.push(name);
  const parts = { store, tokenKey, fingerprint, clock: virtual, onLocked };
  // Two gateways, which count together.
  const gateways = [new SignIn(parts), new SignIn(parts)];
  let attempts = 0;
  const attempt = async (password: string, address: string) => {
    attempts += 1;
    const done = gateways[attempts % 2]?.isGood(OURS, password, address);
    await virtual.advance(SIGN_IN_LIMITS.answerMs);
    return done;
  };
  for (let failed = 0; failed < SIGN_IN_LIMITS.address; failed += 1)
    expect(await attempt('tb_wrong', '::ffff:192.0.2.1')).toBe(false);
  expect(await attempt(account.password, '192.0.2.1')).toBe(false);
  expect(await attempt(account.password, '192.0.2.2')).toBe(true);
  for (let failed = SIGN_IN_LIMITS.address; failed < SIGN_IN_LIMITS.account; failed += 1)
    expect(await attempt('tb_wrong', `198.51.100.${failed}`)).toBe(false);
  expect(locked).toEqual([OURS]);
  expect(await attempt(account.password, '192.0.2.2')).toBe(false);
  // What a locked one tries makes its lock no longer.
  await virtual.advance(SIGN_IN_LIMITS.windowMs);
  expect(await attempt(account.password, '192.0.2.1')).toBe(true);
});

it('refuses a client whose address is locked, though it knows the password', async () => {
  const guesses = Array.from({ length: SIGN_IN_LIMITS.address }, async () => {
    const guesser = new Client(5_000);
    const guess = guesser.access({ ...target(), user: OURS, password: 'tb_wrong' });
    await expect(guess).rejects.toThrow('530 Authentication failed');
    guesser.close();
  });
  await Promise.all(guesses);
  await expect(access()).rejects.toThrow('530 Authentication failed');
});

it('takes no name and no password in clear', async () => {
  await expect(access({ secure: false })).rejects.toThrow('530 AUTH TLS comes first');
});

/** Both ends of a connection, the far one read as commands, and what was handled. */
async function controlPair(
  answer: (far: Socket, connection: { secure: boolean; commandSocket?: TLSSocket }) => void,
) {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const near = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [far] = (await once(server, 'connection')) as [Socket];
  server.close();
  const handled: string[] = [];
  let onSecond = (): void => undefined;
  const handle = async (command: string): Promise<void> => {
    handled.push(command);
    if (handled.length === 2) onSecond();
    far.write('reply\r\n');
    // The server reports that it has answered later than the client has the answer.
    await Promise.race([once(far, 'close'), turns(50)]);
    answer(far, connection);
  };
  const both = new Promise<void>((resolve) => {
    onSecond = resolve;
  });
  const connection = { secure: false, commands: { handle }, reply: async () => undefined };
  readControlLines(far, connection);
  return { near, handled, done: Promise.race([both, once(far, 'close')]) };
}

it('takes another AUTH of a client whose first one was refused, however soon it comes', async () => {
  const { near, handled, done } = await controlPair(() => undefined);
  near.write('AUTH SSL\r\n');
  await once(near, 'data');
  near.write('AUTH TLS\r\n');
  await done;
  expect(handled).toEqual(['AUTH SSL', 'AUTH TLS']);
  near.destroy();
});

it('takes a handshake for no command, however soon it comes', async () => {
  const { near, handled, done } = await controlPair((far, connection) => {
    if (connection.secure) return;
    const secureContext = createSecureContext({ cert: TEST_CERTIFICATE, key: TEST_CERTIFICATE_KEY });
    const secured = new TLSSocket(far, { isServer: true, secureContext });
    // As the library does.
    secured.on('data', (data) => void far.emit('data', data));
    secured.on('error', () => undefined);
    Object.assign(connection, { secure: true, commandSocket: secured });
  });
  near.write('AUTH TLS\r\n');
  await once(near, 'data');
  const secured = connectTls({ socket: near, rejectUnauthorized: false });
  secured.on('error', () => undefined);
  secured.write('NOOP\r\n');
  await done;
  expect(handled).toEqual(['AUTH TLS', 'NOOP']);
  secured.destroy();
});

it('cuts off who sends commands in clear behind AUTH TLS', async () => {
  const socket = connect(location.port, '127.0.0.1');
  const received = await untilClosed(socket, `AUTH TLS\r\nUSER ${OURS}\r\n`);
  expect(received).not.toMatch(/^(234|331)/m);
});

it('cuts off a command without an end', async () => {
  const socket = connect(location.port, '127.0.0.1');
  expect(await untilClosed(socket, 'x'.repeat(5_000))).toMatch(/^220/);
});

it('cuts off who sends commands and waits for no answer, with TLS and without', async () => {
  const commands = 'NOOP\r\n'.repeat(MAX_WAITING + 1);
  const received = await untilClosed(connect(location.port, '127.0.0.1'), commands);
  expect(received.split('\n').length).toBeLessThan(MAX_WAITING);
  await access();
  const ended = once(client.ftp.socket, 'end');
  client.ftp.socket.write(commands);
  await ended;
});

it('ends a connection without sign-in, and one that has become silent', async () => {
  const virtual = await openVirtual();
  const stranger = connect(location.port, '127.0.0.1');
  await once(stranger, 'data');
  await access();
  await client.list();
  await Promise.all([once(stranger, 'close'), virtual.advance(FTP_LIMITS.idleMs)]);
  await client.send('NOOP');
  const closed = once(client.ftp.socket, 'end');
  await virtual.advance(FTP_LIMITS.idleMs);
  await client.send('NOOP');
  await Promise.all([closed, virtual.advance(2 * FTP_LIMITS.idleMs)]);
});

it('gives a file that takes long, and ends who does not read it', async () => {
  const virtual = await openVirtual();
  // More than the buffers of a connection.
  const size = 48 * 1_024 ** 2;
  writeFileSync(join(folder, FILE), Buffer.alloc(size, 'x'));
  await access();
  let taken = 0;
  let marks = [0.25, 0.5, 0.75].map((part) => part * size);
  const slow = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      taken += chunk.length;
      const [mark = size + 1] = marks;
      if (taken < mark) return done();
      marks = marks.slice(1);
      virtual.advance(FTP_LIMITS.idleMs).then(() => done(), done);
    },
  });
  await client.downloadTo(slow, FILE);
  expect([taken, marks]).toEqual([size, []]);
  let begin = (): void => undefined;
  const began = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const refused = expect(client.downloadTo(new Writable({ write: () => begin() }), FILE)).rejects.toThrow();
  await began;
  let isOver = false;
  void refused.finally(() => {
    isOver = true;
  });
  for (; !isOver; await turns(10)) await virtual.advance(FTP_LIMITS.idleMs);
  await refused;
});

it('holds the process no longer than a moment behind a client that went away', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  await access();
  await client.list();
  client.close();
  await location.close();
  // Turns of the loop, no timers: those are what is counted.
  const endMs = performance.now() + 5_000;
  while (timers() > before && performance.now() < endMs)
    await new Promise((resolve) => setImmediate(resolve));
  expect(timers()).toBeLessThanOrEqual(before);
  location = { port: 0, close: async () => undefined };
});

it('names the package to install where its library is absent', async () => {
  const absent = () => Promise.reject(Object.assign(new Error('absent'), { code: 'ERR_MODULE_NOT_FOUND' }));
  await expect(openFtpLocation(parts(), absent)).rejects.toThrow('run npm install ftp-srv');
});

it('takes the next port for data where another program took one first', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const taken = (other.address() as AddressInfo).port;
  const ports = [taken, taken, 0];
  const { FtpSrv } = await import('ftp-srv');
  class LateServer extends FtpSrv {
    readonly getNextPasvPort = () => Promise.resolve(ports.shift());
  }
  await location.close();
  location = await openFtpLocation(parts(), () => Promise.resolve({ FtpSrv: LateServer } as never));
  await access();
  expect((await client.list()).map(({ name }) => name)).toEqual([FILE]);
  expect(ports).toEqual([]);
  other.close();
});

it('leaves the signals of the process to the gateway', () => {
  expect(process.listenerCount('SIGTERM')).toBe(signalListeners);
});

/** Sends after the greeting; returns all that came until the server closed. */
function untilClosed(socket: Socket, text: string): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      if (received === '') socket.write(text);
      received += data.toString();
    });
    socket.on('close', () => resolve(received));
  });
}

/** Turns of the loop. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
