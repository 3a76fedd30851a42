import type { IncomingMessage } from 'node:http';
import { peersOf } from '@tillbridge/platform/net/peers.js';
import { expect, test } from 'vitest';
import { bridgeArrival } from './bridge-arrival.js';

const PINS = ['sha256/own'];

function arrival(
  mode: 'test' | 'live',
  remoteAddress: string,
  headers: Record<string, string> = {},
  encrypted = false,
) {
  const request = { socket: { remoteAddress, encrypted }, headers } as unknown as IncomingMessage;
  return bridgeArrival({ mode, proxies: peersOf(['10.0.0.0/8']) }, request, PINS);
}

test('TLS of our own has our pins, and the address of the connection', () => {
  expect(arrival('live', '192.0.2.1', {}, true)).toEqual({ peer: '192.0.2.1', channels: PINS });
});

test('what a client claims of its way is not believed', () => {
  const claims = { 'x-forwarded-for': '198.51.100.1', 'x-forwarded-proto': 'https' };
  expect(arrival('live', '192.0.2.1', claims, true)).toEqual({ peer: '192.0.2.1', channels: PINS });
  expect(arrival('live', '192.0.2.1', claims)).toBeUndefined();
});

test('behind proxies the peer is whom the first of them saw', () => {
  const hops = { 'x-forwarded-for': '203.0.113.9, 192.0.2.1, 10.0.0.7', 'x-forwarded-proto': 'https' };
  expect(arrival('live', '10.0.0.8', hops)).toEqual({ peer: '192.0.2.1', channels: PINS });
});

test('plain loopback in test mode has no TLS key; elsewhere nothing is plain', () => {
  expect(arrival('test', '127.0.0.1')).toEqual({ peer: '127.0.0.1', channels: ['none'] });
  expect(arrival('test', '192.0.2.1')).toBeUndefined();
  expect(arrival('live', '127.0.0.1')).toBeUndefined();
});
