import type { Envelope } from '@tillbridge/wire/bridge/messages.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryQueue } from './memory-queue.test.support.js';
import { type HandOver, SendQueues } from './send-queues.js';
import { SENDER_LIMITS } from './stream-sender.js';

/** A line of the log: its text, and what it is about. */
function textOf(line: Readonly<Record<string, string>>): string {
  return `${line.msg}: ${line.messageId ?? line.terminalId}`;
}

let queue: MemoryQueue;
let clock: VirtualClock;
let sent: string[];
let logged: string[];
let toTake: (() => void)[];
let handOver: (envelope: Envelope, taken: () => void) => HandOver;
let queues: SendQueues;

beforeEach(() => {
  queue = new MemoryQueue();
  clock = new VirtualClock(Date.UTC(2026, 0, 1));
  sent = [];
  logged = [];
  toTake = [];
  handOver = (_, taken) => {
    toTake.push(taken);
    return { done: true };
  };
  const write = (line: string) => logged.push(textOf(JSON.parse(line)));
  queues = new SendQueues({
    queue,
    clock,
    log: pino({ level: 'warn' }, { write }),
    write: (envelope, taken) => {
      sent.push(envelope.id);
      return handOver(envelope, taken);
    },
  });
});

/** What has been sent when every promise is resolved. */
const seen = async (ids: readonly string[]) => {
  await clock.advance(0);
  expect(sent).toEqual(ids);
};
/** The socket has taken all that was handed over. */
const taken = () => {
  for (const each of toTake.splice(0)) each();
};

describe('stream messages', () => {
  it('go out one at a time, each when the socket has taken the one before', async () => {
    queue.add('1', 1);
    queue.add('1', 2);
    queues.sessionUp(1, 9);
    await seen(['m-1-1']);
    taken();
    await seen(['m-1-1', 'm-1-2']);
  });

  it('go out when they are added, and after a session has ended those of the next one', async () => {
    queues.sessionUp(1, 9);
    queue.add('1', 1);
    await seen(['m-1-1']);
    queues.sessionDown();
    queue.add('1', 2);
    taken();
    await seen(['m-1-1']);
    queues.sessionUp(1, 9);
    await seen(['m-1-1', 'm-1-1']);
  });

  it('get their credit back when the journal has their acknowledgement', async () => {
    queue.add('1', 1);
    queue.add('1', 2);
    queues.sessionUp(1, 1);
    await seen(['m-1-1']);
    taken();
    let write: () => void = () => undefined;
    queues.statusReceived(
      'm-1-1',
      new Promise((resolve) => {
        write = resolve;
      }),
    );
    expect(sent).toEqual(['m-1-1']);
    write();
    await seen(['m-1-1', 'm-1-2']);
  });

  it('keep their credit where the journal could not be written', async () => {
    queue.add('1', 1);
    queue.add('1', 2);
    queues.sessionUp(1, 1);
    await seen(['m-1-1']);
    taken();
    queues.statusReceived('m-1-1', Promise.reject(new Error('disk full')));
    await clock.advance(0);
    expect(logged).toEqual(['acknowledgement not journaled: m-1-1']);
    expect(sent).toEqual(['m-1-1']);
    expect(queues.isStalled()).toBe(false);
    await clock.advance(SENDER_LIMITS.acknowledgeTimeoutMs);
    expect(queues.isStalled()).toBe(true);
  });

  it('are looked for again two seconds after the queue could not be read', async () => {
    queue.add('1', 1);
    queue.broken = true;
    queues.sessionUp(1, 9);
    await clock.advance(0);
    expect(logged).toEqual(['forward queue not readable: 1']);
    queue.broken = false;
    await clock.advance(1_999);
    expect(sent).toEqual([]);
    await clock.advance(1);
    await seen(['m-1-1']);
    expect(clock.nextTimerInMs()).toBeUndefined();
  });

  it('of other terminals go on where one cannot be read', async () => {
    queue.add('1', 1);
    queue.add('2', 1);
    const next = queue.next.bind(queue);
    queue.next = (terminalId, after) =>
      terminalId === '1' ? Promise.reject(new Error('disk full')) : next(terminalId, after);
    queues.sessionUp(1, 9);
    await seen(['m-2-1']);
  });

  it('are looked for at once at a nudge', async () => {
    queue.add('1', 1);
    queue.add('2', 1);
    queue.broken = true;
    queues.sessionUp(1, 9);
    await clock.advance(0);
    expect(logged).toHaveLength(2);
    queue.broken = false;
    queues.nudge();
    await seen(['m-1-1']);
    taken();
    await seen(['m-1-1', 'm-2-1']);
  });

  it('that break a rule of the bridge are parked, and the next ones go out', async () => {
    queue.add('1', 1);
    queue.add('1', 2);
    handOver = (envelope, take) => {
      if (envelope.id === 'm-1-1') return { done: false, fault: 'reference: too long' };
      toTake.push(take);
      return { done: true };
    };
    queues.sessionUp(1, 1);
    await seen(['m-1-1', 'm-1-2']);
    expect(queue.ended).toEqual([
      'parked m-1-1: unsendable, breaks a rule of the bridge: reference: too long',
    ]);
  });

  it('that the socket did not take stay unacknowledged: the session is started over', async () => {
    queue.add('1', 1);
    queue.add('2', 1);
    handOver = () => ({ done: false });
    queues.sessionUp(1, 9);
    await seen(['m-1-1', 'm-2-1']);
    expect(queue.ended).toEqual([]);
    await clock.advance(SENDER_LIMITS.acknowledgeTimeoutMs);
    expect(queues.isStalled()).toBe(true);
  });
});

describe('live messages', () => {
  it('go out while there are credits, which answers and time give back', async () => {
    expect(queues.mayGoLive()).toBe(false);
    queues.sessionUp(1, 9);
    expect(queues.mayGoLive()).toBe(true);
    queues.liveSent('a');
    expect(queues.mayGoLive()).toBe(false);
    queues.liveAnswered('a');
    expect(queues.mayGoLive()).toBe(true);
    await clock.advance(5);
    queues.liveSent('b');
    await clock.advance(SENDER_LIMITS.liveCreditTtlMs - 1);
    expect(queues.mayGoLive()).toBe(false);
    await clock.advance(1);
    expect(queues.mayGoLive()).toBe(true);
  });
});

it('leaves no timer and listens to no work when it is closed', async () => {
  queue.add('1', 1);
  queue.broken = true;
  queues.sessionUp(1, 9);
  await clock.advance(0);
  expect(logged).toHaveLength(1);
  expect(clock.nextTimerInMs()).toBe(2_000);
  queues.close();
  expect(clock.nextTimerInMs()).toBeUndefined();
  queue.broken = false;
  queue.add('1', 2);
  await clock.advance(10_000);
  expect(sent).toEqual([]);
});
