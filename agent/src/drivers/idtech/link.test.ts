import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import { memoryPipe } from '@tillbridge/wire/seams/testing/memory-pipe.js';
import { settle, VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import {
  encodeFrame,
  INITIAL_FRAME_STATE,
  MAX_DATA_BYTES,
  type NeoFrame,
  parseFrames,
} from '@tillbridge/wire/terminals/idtech/frame.js';
import { beforeEach, describe, expect, test } from 'vitest';
import { judgeAnswer } from './answers.js';
import { COMMAND_TIMEOUT_MS } from './limits.js';
import { NeoLink, type Reply } from './link.js';

const NOTHING = Buffer.alloc(0);
const END = Buffer.from('C0DFEE25020010', 'hex');
const LONG_MS = 60_000;

let clock: VirtualClock;
let device: BytePipe;
let link: NeoLink;
let commands: NeoFrame[];

beforeEach(() => {
  clock = new VirtualClock(0);
  const [host, end] = memoryPipe();
  device = end;
  commands = [];
  end.onData((bytes) => {
    for (const event of parseFrames('host', INITIAL_FRAME_STATE, bytes).events) {
      if (event.kind === 'frame') commands.push(event.frame);
    }
  });
  link = new NeoLink(host, clock, 'serial');
});

async function answer(command: number, status: number, data: Uint8Array = NOTHING): Promise<void> {
  await device.write(encodeFrame('device', { command, second: status, data }));
  await settle();
}

/** What a promise has come to; `waiting` while it has not. */
async function now<T>(promise: Promise<T>): Promise<T | 'waiting'> {
  await settle();
  return Promise.race([promise, Promise.resolve('waiting' as const)]);
}

describe('what a frame is to the command that waits', () => {
  const frame = (command: number, second: number, data = NOTHING): NeoFrame => ({ command, second, data });

  test.each([
    ['ping', false, frame(0x18, 0x00), 'ended'],
    ['ping', false, frame(0x18, 0x0b), 'refused'],
    ['ping', false, frame(0x60, 0x00), 'not-ours'],
    ['activate', false, frame(0x02, 0x63), 'accepted'],
    ['activate', false, frame(0x02, 0x23, END), 'not-ours'],
    ['activate', false, frame(0x02, 0x05), 'refused'],
    ['activate', false, frame(0x60, 0x00, END), 'not-ours'],
    ['activate', true, frame(0x60, 0x00, END), 'ended'],
    ['activate', true, frame(0x02, 0x23, END), 'ended'],
    ['activate', true, frame(0x02, 0x63), 'not-ours'],
    ['authenticate', true, frame(0x60, 0x00, END), 'ended'],
    ['authenticate', false, frame(0x60, 0x00, END), 'not-ours'],
    ['encryptedPin', false, frame(0x62, 0x00), 'accepted'],
    ['encryptedPin', true, frame(0x62, 0x00), 'not-ours'],
    ['encryptedPin', true, frame(0x62, 0x00, END), 'ended'],
    ['encryptedPin', true, frame(0x62, 0x0a, Buffer.of(1)), 'refused'],
    ['keyedCard', false, frame(0x83, 0x00, END), 'ended'],
    ['keyedCard', false, frame(0x83, 0x08), 'refused'],
    ['keyedCard', false, frame(0x02, 0x00, END), 'not-ours'],
  ] as const)('%s, accepted %s', (name, accepted, given, expected) => {
    expect(judgeAnswer(name, accepted, given)).toBe(expected);
  });
});

describe('the link', () => {
  test('the late end of an earlier step is not taken for the one that was just sent', async () => {
    const running = link.execute('authenticate', NOTHING, LONG_MS);
    await settle();
    await answer(0x60, 0x00, END);
    expect(await now(running)).toBe('waiting');
    await answer(0x60, 0x63);
    await answer(0x60, 0x00, Buffer.of(0xc0));
    expect(await running).toEqual({ kind: 'reply', status: 0, data: Buffer.of(0xc0) });
  });

  test('a device that never begins is silent soon, one that has begun may take its time', async () => {
    const silent = link.execute('activate', NOTHING, LONG_MS);
    await settle();
    await clock.advance(COMMAND_TIMEOUT_MS);
    expect(await silent).toMatchObject({ kind: 'failed', failure: 'terminal-silent' });
    const begun = link.execute('activate', NOTHING, LONG_MS);
    await settle();
    await answer(0x02, 0x63);
    await clock.advance(LONG_MS - 1);
    expect(await now(begun)).toBe('waiting');
    await clock.advance(1);
    expect(await begun).toMatchObject({ kind: 'failed', failure: 'terminal-silent' });
  });

  test('a cancel ends what runs, whether it has a separate answer or not, and holds up the next command', async () => {
    for (const own of [true, false]) {
      commands = [];
      const running = link.execute('activate', NOTHING, LONG_MS);
      await settle();
      await answer(0x02, 0x63);
      const cancelled = link.cancel();
      const next = link.execute('ping');
      await settle();
      expect(commands.map(({ command }) => command)).toEqual([0x02, 0x05]);
      if (own) await answer(0x02, 0x0a, END);
      await answer(0x05, 0x00);
      expect(await running).toEqual({ kind: 'cancelled' });
      expect(await cancelled).toMatchObject({ kind: 'reply', status: 0 });
      await settle();
      expect(commands.at(-1)?.command).toBe(0x18);
      await answer(0x18, 0x00);
      expect(await next).toMatchObject({ kind: 'reply' });
    }
  });

  test('what was decided before the cancel arrived stands', async () => {
    const running = link.execute('activate', NOTHING, LONG_MS);
    await settle();
    await answer(0x02, 0x63);
    void link.cancel();
    await answer(0x60, 0x00, END);
    expect(await running).toEqual({ kind: 'reply', status: 0, data: END });
    await answer(0x05, 0x00);
    expect(link.blocking).toBe(false);
  });

  test('the PIN pad has its own cancel', async () => {
    const running = link.execute('encryptedPin', NOTHING, LONG_MS);
    await settle();
    await answer(0x62, 0x00);
    void link.cancel();
    await settle();
    expect(commands.map(({ command, second }) => [command, second])).toEqual([
      [0x62, 0x01],
      [0x62, 0x00],
    ]);
    await answer(0x62, 0x00);
    expect(await now(running)).toBe('waiting');
    await answer(0x62, 0x0a, Buffer.of(0x02));
    expect(await running).toMatchObject({ status: 0x0a });
  });

  test('damage ends a command that waits for people at once; a short command runs into its timeout', async () => {
    const troubles: string[] = [];
    link.listen({ onDamage: () => troubles.push('trouble') });
    const running = link.execute('activate', NOTHING, LONG_MS);
    await settle();
    await device.write(Buffer.of(0x55));
    expect(await running).toMatchObject({ kind: 'failed', failure: 'protocol-error' });
    const short = link.execute('ping');
    await settle();
    await device.write(Buffer.of(0x55));
    expect(await now(short)).toBe('waiting');
    await answer(0x18, 0x00);
    expect(await short).toMatchObject({ kind: 'reply' });
    expect(troubles).not.toEqual([]);
  });

  test('notifications reach the listener during any command', async () => {
    const notified: string[] = [];
    const stop = link.onNotification(({ command, second }) => notified.push(`${command} ${second}`));
    const running = link.execute('showScreen');
    await settle();
    await answer(0x61, 0xff, Buffer.of(0));
    await answer(0xf2, 0x00, Buffer.of(1));
    expect(await now(running)).toBe('waiting');
    expect(notified).toEqual(['97 255', '242 0']);
    stop();
    await answer(0xf2, 0x00, Buffer.of(0));
    expect(notified).toHaveLength(2);
    await answer(0x61, 0x00);
    expect(await running).toMatchObject({ kind: 'reply' });
  });

  test('one command at a time, and none over a closed pipe', async () => {
    const running = link.execute('activate', NOTHING, LONG_MS);
    await settle();
    expect(await link.execute('ping')).toMatchObject({ failure: 'terminal-busy' });
    await device.close();
    const gone: Reply = { kind: 'failed', failure: 'terminal-gone', detail: 'the port closed' };
    expect(await running).toEqual(gone);
    expect(await link.execute('ping')).toEqual(gone);
  });

  test('data that no frame holds are refused before anything is sent', async () => {
    expect(await link.execute('applyHostResponse', Buffer.alloc(MAX_DATA_BYTES + 1))).toMatchObject({
      failure: 'data-too-long',
    });
    expect(commands).toEqual([]);
  });
});
