import { memoryPipe } from '@tillbridge/wire/seams/testing/memory-pipe.js';
import { settle, VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { beforeEach, expect, test } from 'vitest';
import type { Fault } from './fault.js';
import { faultPipe } from './fault-pipe.js';
import { FaultRegistry } from './fault-registry.js';

const ACK = Buffer.from([0x06]);
const UNSOLICITED = Buffer.from('unsolicited');
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
let registry: FaultRegistry;
let pieces: Buffer[];
let resets: number;
let unplugged: number[];
let write: (bytes: Uint8Array) => Promise<void>;

beforeEach(() => {
  clock = new VirtualClock();
  registry = new FaultRegistry();
  pieces = [];
  resets = 0;
  unplugged = [];
  const [host, device] = memoryPipe();
  host.onData((bytes) => pieces.push(Buffer.from(bytes)));
  const pipe = faultPipe(device, registry, clock, {
    reset: () => {
      resets += 1;
    },
    unplug: (forMs) => unplugged.push(forMs),
    unsolicited: () => UNSOLICITED,
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
  registry.lay([fault('drop-ack')]);
  await write(ACK);
  await write(PACKET);
  await write(ACK);
  await settle();
  expect(pieces).toEqual([PACKET, ACK]);
  expect(registry.pending).toEqual([]);
});

test('the second packet alone is bent', async () => {
  registry.lay([fault('corrupt-crc', { skip: 1 })]);
  for (let at = 0; at < 3; at += 1) await write(PACKET);
  await settle();
  expect(pieces.map((piece) => piece.equals(PACKET))).toEqual([true, false, true]);
});

test('split cuts the same way for the same seed and loses nothing; repeat sends twice', async () => {
  registry.lay([fault('split', { seed: 7, times: 2 })]);
  await write(PACKET);
  await settle();
  const first = pieces.splice(0);
  expect(first.length).toBeGreaterThan(1);
  expect(Buffer.concat(first)).toEqual(PACKET);
  await write(PACKET);
  await settle();
  expect(pieces.splice(0)).toEqual(first);
  registry.lay([fault('repeat')]);
  await write(PACKET);
  await settle();
  expect(pieces).toEqual([PACKET, PACKET]);
});

test('a delay holds up what follows it', async () => {
  registry.lay([fault('delay', { delayMs: 100 })]);
  const sent = Promise.all([write(PACKET), write(ACK)]);
  await clock.advance(99);
  expect(pieces).toEqual([]);
  await clock.advance(1);
  await sent;
  await settle();
  expect(pieces).toEqual([PACKET, ACK]);
});

test('a reset strikes in place of the packet', async () => {
  registry.lay([fault('reset')]);
  await write(PACKET);
  await settle();
  expect(pieces).toEqual([]);
  expect(resets).toBe(1);
});

test('split-bytes and slow send each byte alone, slow with pauses', async () => {
  registry.lay([fault('split-bytes')]);
  await write(PACKET);
  await settle();
  expect(pieces.splice(0)).toEqual(Array.from(PACKET, (byte) => Buffer.of(byte)));
  registry.lay([fault('slow', { delayMs: 10 })]);
  const sent = write(PACKET);
  await clock.advance(15);
  expect(Buffer.concat(pieces)).toEqual(PACKET.subarray(0, 1));
  await clock.advance(10 * PACKET.length);
  await sent;
  await settle();
  expect(Buffer.concat(pieces)).toEqual(PACKET);
});

test('glue sends two frames in one, or one alone when nothing follows', async () => {
  registry.lay([fault('glue', { delayMs: 50, times: 2 })]);
  await write(PACKET);
  await write(PACKET);
  await write(ACK);
  await settle();
  expect(pieces.splice(0)).toEqual([Buffer.concat([PACKET, PACKET, ACK])]);
  registry.lay([fault('glue', { delayMs: 50 })]);
  await write(PACKET);
  await clock.advance(51);
  expect(pieces).toEqual([PACKET]);
});

test('an unsolicited frame goes first; an unplug takes the frame with it', async () => {
  registry.lay([fault('unsolicited')]);
  await write(PACKET);
  registry.lay([fault('unplug', { delayMs: 300 })]);
  await write(PACKET);
  await settle();
  expect(pieces).toEqual([UNSOLICITED, PACKET]);
  expect(unplugged).toEqual([300]);
});

test('faults of the device stand until they are replaced', () => {
  const seen: (readonly string[])[] = [];
  const own = new FaultRegistry({}, (faults) => seen.push(faults));
  own.lay([fault('tamper'), fault('split')]);
  expect(own.pending.map(({ name }) => name)).toEqual(['split', 'tamper']);
  own.lay([]);
  expect(seen).toEqual([['tamper'], []]);
});

test('reports of HID keep their borders', async () => {
  registry = new FaultRegistry({ reports: true });
  registry.lay([fault('split-bytes'), fault('glue', { delayMs: 50 })]);
  expect(registry.strike(PACKET).pieces).toEqual([PACKET]);
  expect(registry.pending).toHaveLength(2);
});
