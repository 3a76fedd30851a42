import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { isFromThisMachine } from './own-machine.js';
import { peersOf } from './peers.js';

const request = (remoteAddress: string, headers: Record<string, string> = {}) =>
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage;

test('a request of this machine comes over loopback, and no proxy passed it on', () => {
  expect(isFromThisMachine(request('127.0.0.1'), peersOf([]))).toBe(true);
  expect(isFromThisMachine(request('::1'), peersOf(['10.0.0.0/8']))).toBe(true);
  expect(isFromThisMachine(request('192.168.1.7'), peersOf([]))).toBe(false);
});

test.each(['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'])('what carries %s began elsewhere', (name) => {
  expect(isFromThisMachine(request('127.0.0.1', { [name]: 'client' }), peersOf([]))).toBe(false);
});

test('a proxy on this machine is not this machine', () => {
  expect(isFromThisMachine(request('127.0.0.1'), peersOf(['127.0.0.1']))).toBe(false);
});
