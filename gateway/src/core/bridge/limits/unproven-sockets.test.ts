import { expect, test } from 'vitest';
import { DEFAULT_BRIDGE_LIMITS } from './bridge-limits.js';
import { UnprovenSockets } from './unproven-sockets.js';

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

test('a peer that proves itself again takes its places among the proven, and none among strangers', () => {
  const limits = { ...DEFAULT_BRIDGE_LIMITS, maxUnprovenSockets: 2, maxUnprovenOfPeer: 2 };
  const sockets = new UnprovenSockets(limits);
  for (const peer of ['10.0.0.1', '10.0.0.2']) {
    sockets.add(peer);
    sockets.proved(peer);
  }
  for (let at = 0; at < 2; at += 1) sockets.add('10.0.0.1');
  expect(sockets.hasRoomFor('10.0.0.2')).toBe(false);
  sockets.proved('10.0.0.1');
  expect(sockets.hasRoomFor('10.0.0.2')).toBe(true);
  for (const peer of ['10.0.0.3', '10.0.0.4']) {
    expect(sockets.hasRoomFor(peer)).toBe(true);
    sockets.add(peer);
  }
  expect(sockets.hasRoomFor('10.0.0.5')).toBe(false);
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

test('addresses of one IPv6 network are one peer', () => {
  const sockets = new UnprovenSockets({ ...DEFAULT_BRIDGE_LIMITS, maxUnprovenOfPeer: 2 });
  sockets.add('2001:db8:1:2::1');
  sockets.add('2001:0DB8:1:2:8000::9');
  expect(sockets.hasRoomFor('2001:db8:1:2:3:4:5:6')).toBe(false);
  expect(sockets.hasRoomFor('2001:db8:1:3::1')).toBe(true);
});

test('a peer that ends in silence again is held as before', () => {
  const limits = { ...DEFAULT_BRIDGE_LIMITS, silentPeerSocketsPerSecond: 2, silentPeerSocketsBurst: 1 };
  const sockets = new UnprovenSockets(limits);
  for (let at = 0; at < 2; at += 1) {
    sockets.add('10.0.0.1');
    sockets.endedSilent('10.0.0.1');
    sockets.waitMs('10.0.0.1', 0);
  }
  expect(sockets.waitMs('10.0.0.1', 0)).toBe(1_000);
});

const peersOf = (count: number) =>
  Array.from({ length: count }, (_, at) => `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`);

test('of more silent peers than are remembered the first is forgotten', () => {
  const sockets = new UnprovenSockets(DEFAULT_BRIDGE_LIMITS);
  const [first = '', second = '', ...others] = peersOf(10_001);
  const end = (peer: string) => {
    sockets.add(peer);
    sockets.endedSilent(peer);
  };
  for (const peer of [first, second, ...others.slice(1)]) end(peer);
  expect(sockets.isSilent(first)).toBe(true);
  end(others[0] ?? '');
  expect([sockets.isSilent(first), sockets.isSilent(second)]).toEqual([false, true]);
});

test('of more proven peers than are remembered the one that is longest ago is a stranger again', () => {
  const limits = { ...DEFAULT_BRIDGE_LIMITS, maxUnprovenSockets: 2, maxUnprovenOfPeer: 2 };
  const sockets = new UnprovenSockets(limits);
  const [first = '', second = '', ...others] = peersOf(20_001);
  const prove = (peer: string) => {
    sockets.add(peer);
    sockets.proved(peer);
  };
  for (const peer of [second, first, ...others.slice(1)]) prove(peer);
  // Proven once more: now the other one is the longest ago.
  prove(second);
  for (let at = 0; at < 2; at += 1) sockets.add(first);
  for (const peer of ['192.168.0.1', '192.168.0.2']) expect(sockets.hasRoomFor(peer)).toBe(true);
  expect(sockets.hasRoomFor(second)).toBe(false);
  prove(others[0] ?? '');
  // The sockets of the forgotten one are those of a stranger, and take no place of the proven.
  expect(sockets.hasRoomFor('192.168.0.1')).toBe(false);
  expect(sockets.hasRoomFor(second)).toBe(true);
});
