import { memoryPipe } from '@tillbridge/wire/seams/testing/memory-pipe.js';
import { settle, VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import type { TraceEvent } from '@tillbridge/wire/terminals/trace/trace.js';
import { beforeEach, expect, test } from 'vitest';
import { HOST_PATIENCE_MS, ReplayDevice } from './replay-device.js';
import { HOST_PAUSE_MS, replayPlan } from './replay-plan.js';

const bytes = (atMs: number, from: 'host' | 'device', text: string): TraceEvent => ({
  kind: 'bytes',
  atMs,
  from,
  bytes: Buffer.from(text),
});
const RECORDED: TraceEvent[] = [
  { kind: 'open', atMs: 0 },
  bytes(10, 'host', 'HEL'),
  bytes(11, 'host', 'LO'),
  bytes(40, 'device', 'ack'),
  bytes(90, 'device', 'answer'),
  bytes(100, 'host', 'BYE'),
  { kind: 'closed', atMs: 120 },
];

let clock: VirtualClock;
beforeEach(() => {
  clock = new VirtualClock();
});

function play(speed: number) {
  const device = new ReplayDevice({ steps: replayPlan(RECORDED), clock, speed });
  const [host, end] = memoryPipe();
  const received: string[] = [];
  host.onData((piece) => received.push(Buffer.from(piece).toString()));
  device.attach(end);
  return { device, host, received };
}

test('the device waits for its host and answers as recorded, with the recorded pauses', async () => {
  const { device, host, received } = play(1);
  await host.write(Buffer.from('HELLO'));
  await clock.advance(28);
  expect(received).toEqual([]);
  await clock.advance(1);
  expect(received).toEqual(['ack']);
  await clock.advance(50);
  expect(received).toEqual(['ack', 'answer']);
  await host.write(Buffer.from('BYE'));
  await settle();
  expect(await device.ended).toEqual({ hostSteps: 2, different: 0, complete: true });
});

test('a host that sends other or fewer bytes is counted as different, and gets its answer', async () => {
  const { device, host, received } = play(Number.POSITIVE_INFINITY);
  await host.write(Buffer.from('HI'));
  await clock.advance(HOST_PAUSE_MS + 1);
  expect(received).toEqual(['ack', 'answer']);
  await host.write(Buffer.from('XXX'));
  await settle();
  expect(await device.ended).toEqual({ hostSteps: 2, different: 2, complete: true });
});

test('a host that stops ends the replay', async () => {
  const { device } = play(1);
  await clock.advance(HOST_PATIENCE_MS + 1);
  expect(await device.ended).toEqual({ hostSteps: 0, different: 0, complete: false });
});

test('bytes of the host after a pause are a separate step', () => {
  const steps = replayPlan([
    bytes(10, 'host', 'A'),
    bytes(11, 'host', 'CK'),
    bytes(11 + HOST_PAUSE_MS, 'host', 'NEXT'),
  ]);
  expect(steps).toEqual([
    { kind: 'expect', bytes: Buffer.from('ACK') },
    { kind: 'expect', bytes: Buffer.from('NEXT') },
  ]);
});
