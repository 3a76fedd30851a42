import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ControlConnection, MAX_COMMAND, MAX_WAITING, readControlLines } from './control-lines.js';

let near: Socket;
let far: Socket;
/** Commands that were carried out. */
let handled: string[];
/** Replies of the server that no command made. */
let replies: string[];
/** What reached the reader of the server, whose place is taken. */
let served: Buffer[];
/** Ends the work on a command. */
let answered: () => void;
let connection: ControlConnection & { secure: boolean };

beforeEach(async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  near = connect((server.address() as AddressInfo).port, '127.0.0.1');
  near.on('error', () => undefined);
  [far] = (await once(server, 'connection')) as [Socket];
  server.close();
  handled = [];
  replies = [];
  served = [];
  far.on('data', (data: Buffer) => served.push(data));
  const handle = (command: string): Promise<void> => {
    handled.push(command);
    return new Promise((resolve) => {
      answered = resolve;
    });
  };
  const reply = async (code: number, message: string): Promise<unknown> => replies.push(`${code} ${message}`);
  connection = { secure: false, commands: { handle }, reply } as typeof connection;
  readControlLines(far, connection);
});
afterEach(() => {
  near.destroy();
  far.destroy();
});

it('cuts off commands in clear that come in one packet with AUTH TLS, and carries out none', async () => {
  const closed = once(far, 'close');
  near.write('AUTH TLS\r\nNOOP\r\n');
  await closed;
  expect(handled).toEqual([]);
});

it('cuts off half a command in clear behind AUTH TLS', async () => {
  const closed = once(far, 'close');
  near.write('AUTH TLS\r\nNO');
  await closed;
  expect(handled).toEqual([]);
});

it('cuts off commands in clear that are read while TLS begins', async () => {
  const closed = once(far, 'close');
  far.emit('data', Buffer.from('AUTH TLS\r\n'));
  far.emit('data', Buffer.from('NOOP\r\n'));
  await closed;
  expect(handled).toEqual(['AUTH TLS']);
});

it('reads on where AUTH was refused', async () => {
  far.emit('data', Buffer.from('AUTH SSL\r\n'));
  await Promise.resolve();
  expect(far.isPaused()).toBe(true);
  const resumed = once(far, 'resume');
  answered();
  await resumed;
  far.emit('data', Buffer.from('NOOP\r\n'));
  await new Promise(setImmediate);
  expect(handled).toEqual(['AUTH SSL', 'NOOP']);
});

/** Lets the work on a command end, and the next one begin. */
async function next(): Promise<void> {
  answered();
  await new Promise(setImmediate);
}

const send = async (text: string): Promise<void> => {
  far.emit('data', Buffer.from(text));
  await new Promise(setImmediate);
};

it.each(['USER anna', 'pass secret', 'ACCT x', 'USER'])('refuses %s before TLS, unread', async (command) => {
  await send(`${command}\r\n`);
  expect([handled, replies]).toEqual([[], ['530 AUTH TLS comes first']]);
  expect(far.destroyed).toBe(false);
});

it('takes name and password over TLS, and AUTH once more as any command', async () => {
  connection.secure = true;
  await send('USER anna\r\nPASS secret\r\n');
  await next();
  await send('AUTH TLS\r\nNOOP\r\n');
  for (let at = 0; at < 2; at += 1) await next();
  expect(handled).toEqual(['USER anna', 'PASS secret', 'AUTH TLS', 'NOOP']);
  expect([replies, far.destroyed, far.isPaused()]).toEqual([[], false, false]);
});

it('carries out one command after the other, in whatever pieces they come, and none that is empty', async () => {
  await send('NO');
  await send('OP\r\n\r\nSYST\r\n');
  expect(handled).toEqual(['NOOP']);
  await next();
  expect([handled, served]).toEqual([['NOOP', 'SYST'], []]);
});

it.each([
  ['', false],
  ['x', true],
])('takes a command of the longest length, and cuts off a longer one (%j more)', async (more, isCut) => {
  await send(`${'a'.repeat(MAX_COMMAND)}${more}`);
  expect(far.destroyed).toBe(isCut);
});

it('cuts off a long command between short ones', async () => {
  await send(`NOOP\r\n${'a'.repeat(MAX_COMMAND + 1)}\r\nNOOP\r\n`);
  expect([far.destroyed, handled]).toEqual([true, []]);
});

it('lets so many commands wait and no more, and takes others when those are done', async () => {
  await send('NOOP\r\n'.repeat(MAX_WAITING));
  for (let at = 0; at < 2; at += 1) await next();
  await send('NOOP\r\n'.repeat(2));
  expect(far.destroyed).toBe(false);
  await send('NOOP\r\n');
  expect(far.destroyed).toBe(true);
});

it('cuts off where a command cannot be carried out', async () => {
  connection.commands.handle = () => Promise.reject(new Error('broken'));
  await send('NOOP\r\n');
  expect(far.destroyed).toBe(true);
});

/** What the server has in place of the socket once TLS has begun. */
const tls = (finished: Buffer | undefined): Socket =>
  ({ getPeerFinished: () => finished }) as unknown as Socket;

it('reads no commands out of the handshake of TLS, however long it is', async () => {
  connection = Object.assign(connection, { commandSocket: tls(undefined) });
  await send(`NOOP\r\n${'a'.repeat(MAX_COMMAND + 1)}\r\n`);
  expect([handled, far.destroyed]).toEqual([[], false]);
  connection = Object.assign(connection, { commandSocket: tls(Buffer.alloc(32)), secure: true });
  await send('NOOP\r\n');
  expect(handled).toEqual(['NOOP']);
});

it('reads commands off the socket that it was given, before TLS', async () => {
  connection = Object.assign(connection, { commandSocket: far });
  await send('NOOP\r\n');
  expect(handled).toEqual(['NOOP']);
});

it('leaves the socket to TLS where AUTH was taken', async () => {
  await send('auth tls\r\n');
  connection.secure = true;
  await next();
  expect([far.isPaused(), far.destroyed]).toEqual([true, false]);
});

it('cuts off commands in clear behind AUTH also after one that was refused', async () => {
  await send('AUTH SSL\r\n');
  await next();
  expect(far.isPaused()).toBe(false);
  await send('NOOP\r\n');
  await next();
  await send('AUTH TLS\r\nNOOP\r\n');
  expect([handled, far.destroyed]).toEqual([['AUTH SSL', 'NOOP'], true]);
});

it('cuts off commands in clear behind AUTH also where a command before it has ended', async () => {
  await send('NOOP\r\nAUTH TLS\r\n');
  await next();
  expect([handled, far.isPaused()]).toEqual([['NOOP', 'AUTH TLS'], true]);
  await send('NOOP\r\n');
  expect([handled, far.destroyed]).toEqual([['NOOP', 'AUTH TLS'], true]);
});

it('reads on over TLS before the answer to AUTH has left', async () => {
  await send('AUTH TLS\r\n');
  connection = Object.assign(connection, { commandSocket: tls(Buffer.alloc(32)), secure: true });
  await send('NOOP\r\n');
  await next();
  expect([handled, far.destroyed]).toEqual([['AUTH TLS', 'NOOP'], false]);
});

it('cuts off where a refusal cannot be sent', async () => {
  connection.reply = () => Promise.reject(new Error('broken'));
  await send('USER anna\r\n');
  expect(far.destroyed).toBe(true);
});
