import { expect, test } from 'vitest';
import { DEFAULT_BRIDGE_LIMITS } from './bridge-limits.js';
import { networkOf, UnprovenSockets } from './unproven-sockets.js';

test('a peer that has its share leaves room for another, and gets room again', () => {
  const sockets = new UnprovenSockets({
    ...DEFAULT_BRIDGE_LIMITS,
    maxUnprovenSockets: 5,
    maxUnprovenOfPeer: 2,
  });
  for (const peer of ['10.0.0.1', '10.0.0.1']) sockets.add(peer);
  expect(sockets.hasRoomFor('10.0.0.1')).toBe(false);
  expect(sockets.hasRoomFor('10.0.0.2')).toBe(true);
  sockets.remove('10.0.0.1');
  expect(sockets.hasRoomFor('10.0.0.1')).toBe(true);
});

test('all peers together have a limit, too', () => {
  const sockets = new UnprovenSockets({
    ...DEFAULT_BRIDGE_LIMITS,
    maxUnprovenSockets: 2,
    maxUnprovenOfPeer: 2,
  });
  sockets.add('10.0.0.1');
  sockets.add('10.0.0.2');
  expect(sockets.hasRoomFor('10.0.0.3')).toBe(false);
});

test('strangers cannot take the places of a peer that has proved itself before', () => {
  const limits = { ...DEFAULT_BRIDGE_LIMITS, maxUnprovenSockets: 2, maxUnprovenOfPeer: 2 };
  const sockets = new UnprovenSockets(limits);
  for (let at = 0; at < 2; at += 1) sockets.add('10.0.0.1');
  // One of two is proven: the other one still counts.
  sockets.proved('10.0.0.1');
  for (const peer of ['10.0.0.2', '10.0.0.3']) {
    expect(sockets.hasRoomFor(peer)).toBe(true);
    sockets.add(peer);
  }
  expect(sockets.hasRoomFor('10.0.0.4')).toBe(false);
  expect(sockets.hasRoomFor('10.0.0.1')).toBe(true);
  sockets.add('10.0.0.1');
  expect(sockets.hasRoomFor('10.0.0.1')).toBe(false);
  // Nor those that have proved themselves more than their own.
  sockets.remove('10.0.0.2');
  sockets.proved('10.0.0.3');
  expect(sockets.hasRoomFor('10.0.0.3')).toBe(false);
  expect(sockets.hasRoomFor('10.0.0.4')).toBe(true);
});

test('new sockets of a peer come slowly once one has ended without a proof, until one proves itself', () => {
  const limits = { ...DEFAULT_BRIDGE_LIMITS, silentPeerSocketsPerSecond: 2, silentPeerSocketsBurst: 1 };
  const sockets = new UnprovenSockets(limits);
  const waits = (peer: string) => [1, 2, 3].map(() => sockets.waitMs(peer, 0));
  for (const peer of ['10.0.0.1', '10.0.0.1', '10.0.0.2']) sockets.add(peer);
  expect(waits('10.0.0.1')).toEqual([0, 0, 0]);
  sockets.endedSilent('10.0.0.1');
  expect(waits('10.0.0.1')).toEqual([0, 500, 1_000]);
  expect(waits('10.0.0.2')).toEqual([0, 0, 0]);
  sockets.proved('10.0.0.1');
  expect(waits('10.0.0.1')).toEqual([0, 0, 0]);
  expect(sockets.hasRoomFor('10.0.0.1')).toBe(true);
});

test.each([
  ['10.0.0.1', '10.0.0.1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['unknown', 'unknown'],
])('%s belongs to %s', (peer, network) => {
  expect(networkOf(peer)).toBe(network);
});
