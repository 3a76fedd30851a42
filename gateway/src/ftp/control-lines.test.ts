import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readControlLines } from './control-lines.js';

let near: Socket;
let far: Socket;
/** Commands that were carried out. */
let handled: string[];
/** Ends the work on a command. */
let answered: () => void;

beforeEach(async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  near = connect((server.address() as AddressInfo).port, '127.0.0.1');
  near.on('error', () => undefined);
  [far] = (await once(server, 'connection')) as [Socket];
  server.close();
  handled = [];
  const handle = (command: string): Promise<void> => {
    handled.push(command);
    return new Promise((resolve) => {
      answered = resolve;
    });
  };
  readControlLines(far, { secure: false, commands: { handle }, reply: async () => undefined });
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
