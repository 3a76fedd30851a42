import type { IncomingMessage } from 'node:http';
import { peersOf } from '@tillbridge/platform/net/peers.js';
import { expect, test } from 'vitest';
import { peerOf } from './peer.js';

const proxies = peersOf(['10.0.0.1']);

test.each([
  ['192.168.1.7', undefined, '192.168.1.7'],
  ['192.168.1.7', '8.8.8.8', '192.168.1.7'],
  ['10.0.0.1', '8.8.8.8', '8.8.8.8'],
  ['10.0.0.1', '1.1.1.1, 2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
  ['10.0.0.1', undefined, '10.0.0.1'],
  ['::ffff:10.0.0.1', '', '10.0.0.1'],
])('a connection from %s with X-Forwarded-For %s is of %s', (remoteAddress, forwarded, peer) => {
  const request = { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } };
  expect(peerOf(request as unknown as IncomingMessage, proxies)).toBe(peer);
});
