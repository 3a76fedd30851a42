import { memoryPipe } from '@tillbridge/protocol/seams/memory-pipe.js';
import { settle, VirtualClock } from '@tillbridge/protocol/seams/virtual-clock.js';
import { beforeEach, expect, test } from 'vitest';
import type { Fault } from './fault.js';
import { FaultDesk, faultPipe } from './fault-pipe.js';

const ACK = Buffer.from([0x06]);
const PACKET = Buffer.from('\x16OPN000\x17ab', 'latin1');
const fault = (name: Fault['name'], changes: Partial<Fault> = {}): Fault => ({
  name,
  skip: 0,
  times: 1,
  delayMs: 0,
  seed: 1,
  ...changes,
});

let clock: VirtualClock;
let desk: FaultDesk;
let pieces: Buffer[];
let resets: number;
let write: (bytes: Uint8Array) => Promise<void>;

beforeEach(() => {
  clock = new VirtualClock();
  desk = new FaultDesk();
  pieces = [];
  resets = 0;
  const [host, device] = memoryPipe();
  host.onData((bytes) => pieces.push(Buffer.from(bytes)));
  const pipe = faultPipe(device, desk, clock, () => {
    resets += 1;
  });
  write = (bytes) => pipe.write(bytes);
});

test('without faults everything passes', async () => {
  await write(ACK);
  await write(PACKET);
  await settle();
  expect(pieces).toEqual([ACK, PACKET]);
});

test('a confirmation is dropped once, packets pass', async () => {
  desk.lay([fault('drop-ack')]);
  await write(ACK);
  await write(PACKET);
  await write(ACK);
  await settle();
  expect(pieces).toEqual([PACKET, ACK]);
  expect(desk.pending).toEqual([]);
});

test('the second packet alone is bent', async () => {
  desk.lay([fault('corrupt-crc', { skip: 1 })]);
  for (let at = 0; at < 3; at += 1) await write(PACKET);
  await settle();
  expect(pieces.map((piece) => piece.equals(PACKET))).toEqual([true, false, true]);
});

test('split cuts the same way for the same seed and loses nothing; repeat sends twice', async () => {
  desk.lay([fault('split', { seed: 7, times: 2 })]);
  await write(PACKET);
  await settle();
  const first = pieces.splice(0);
  expect(first.length).toBeGreaterThan(1);
  expect(Buffer.concat(first)).toEqual(PACKET);
  await write(PACKET);
  await settle();
  expect(pieces.splice(0)).toEqual(first);
  desk.lay([fault('repeat')]);
  await write(PACKET);
  await settle();
  expect(pieces).toEqual([PACKET, PACKET]);
});

test('a delay holds up what follows it', async () => {
  desk.lay([fault('delay', { delayMs: 100 })]);
  const sent = Promise.all([write(PACKET), write(ACK)]);
  await clock.advance(99);
  expect(pieces).toEqual([]);
  await clock.advance(1);
  await sent;
  await settle();
  expect(pieces).toEqual([PACKET, ACK]);
});

test('a reset strikes in place of the packet', async () => {
  desk.lay([fault('reset')]);
  await write(PACKET);
  await settle();
  expect(pieces).toEqual([]);
  expect(resets).toBe(1);
});
