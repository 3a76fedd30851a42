import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import { memoryPipe } from '@tillbridge/wire/seams/testing/memory-pipe.js';
import { settle, VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { encodeFrame } from '@tillbridge/wire/terminals/idtech/frame.js';
import { beforeEach, expect, test } from 'vitest';
import { CardSeat } from './card-seat.js';
import { NeoLink } from './link.js';

const PATIENCE_MS = 1_000;

let clock: VirtualClock;
let device: BytePipe;
let seat: CardSeat;
let ended: boolean;
let stopped: boolean;

beforeEach(() => {
  clock = new VirtualClock(0);
  const [host, end] = memoryPipe();
  device = end;
  ended = false;
  stopped = false;
  seat = new CardSeat(new NeoLink(host, clock, 'serial'), clock);
});

async function tell(seated: boolean): Promise<void> {
  const data = Buffer.of(seated ? 1 : 0);
  await device.write(encodeFrame('device', { command: 0xf2, second: 0x00, data }));
  await settle();
}

async function wait(): Promise<void> {
  void seat
    .waitUntilEmpty(PATIENCE_MS, () => stopped)
    .then(() => {
      ended = true;
    });
  await settle();
}

test('an empty slot is not waited for, a card is until it has left', async () => {
  await wait();
  expect(ended).toBe(true);
  ended = false;
  await tell(true);
  expect(seat.taken).toBe(true);
  await wait();
  expect(ended).toBe(false);
  await tell(false);
  expect([ended, seat.taken]).toEqual([true, false]);
});

test.each([
  ['the time', () => clock.advance(PATIENCE_MS)],
  ['the till', async () => seat.stopWaiting()],
  ['a damaged frame', () => device.write(Buffer.of(0x55))],
  ['a closed pipe', () => device.close()],
])('%s ends the wait as well', async (_, end) => {
  await tell(true);
  await wait();
  await end();
  await settle();
  expect([ended, seat.taken]).toEqual([true, false]);
});

test('a wait that was stopped before it began does not begin', async () => {
  await tell(true);
  stopped = true;
  await wait();
  expect(ended).toBe(true);
  ended = false;
  stopped = false;
  await wait();
  expect(ended).toBe(false);
});

test('after a damaged frame no wait goes on for a card that may have left', async () => {
  await tell(true);
  await device.write(Buffer.of(0x55));
  await settle();
  expect(seat.taken).toBe(false);
});
