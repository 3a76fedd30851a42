import { settle, VirtualClock } from '@tillbridge/protocol/seams/virtual-clock.js';
import { expect, it } from 'vitest';
import type { DeskEvent } from '../sale/desk.js';
import { EVENT_LIMITS, type EventSink, EventStream } from './event-stream.js';
import { HEARTBEAT_TEXT } from './event-text.js';
import { MemoryDesk } from './memory-desk.test.support.js';

class MemorySink implements EventSink {
  text = '';
  bufferedBytes = 0;
  ended = false;
  write(text: string): void {
    this.text += text;
  }
  drained(): Promise<void> {
    return Promise.resolve();
  }
  end(): void {
    this.ended = true;
  }
  /** Ids in the order in which they were told. */
  ids(): number[] {
    return [...this.text.matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1]));
  }
}

function streamTo(desk: MemoryDesk, sink: EventSink, afterId?: number, clock = new VirtualClock()) {
  return new EventStream(desk, sink, clock, (error) => failures.push(error), afterId);
}

const failures: unknown[] = [];

async function durable(desk: MemoryDesk, id: number): Promise<void> {
  const sale = await desk.get('r');
  desk.tell({ type: 'sale', id, atMs: 0, step: 'done', sale });
}

/** A desk with `count` durable events in the past. */
async function deskWithPast(count: number): Promise<MemoryDesk> {
  const desk = new MemoryDesk();
  await desk.request(
    { reference: 'r', type: 'sale', amount: { minor: 1, currency: 'EUR' } },
    { wait: false },
  );
  for (let id = 2; id <= count; id += 1) await durable(desk, id);
  return desk;
}

const PASSING: DeskEvent = { type: 'gateway', atMs: 0, state: 'up' };

it('tells only the present to a client without an id', async () => {
  const desk = await deskWithPast(3);
  const sink = new MemorySink();
  streamTo(desk, sink);
  await durable(desk, 4);
  expect(sink.ids()).toEqual([4]);
});

it('tells the past over many pages, then the present, each once', async () => {
  const count = EVENT_LIMITS.replayPage * 2 + 7;
  const desk = await deskWithPast(count);
  const sink = new MemorySink();
  streamTo(desk, sink, 5);
  // Happens while the past is still being told: in the last page and among the held ones at once.
  await durable(desk, count + 1);
  await settle();
  await durable(desk, count + 2);
  expect(sink.ids()).toEqual(Array.from({ length: count - 3 }, (_, i) => i + 6));
});

it('keeps passing events behind the past, and gives them no id', async () => {
  const desk = await deskWithPast(2);
  const sink = new MemorySink();
  streamTo(desk, sink, 0);
  desk.tell(PASSING);
  await settle();
  expect(sink.text).toMatch(/id: 2\nevent: sale\n.*\n\nevent: gateway\ndata: .*"state":"up"/);
});

it('cuts a client that does not read', async () => {
  const desk = await deskWithPast(1);
  const sink = new MemorySink();
  streamTo(desk, sink);
  sink.bufferedBytes = EVENT_LIMITS.maxBufferedBytes + 1;
  desk.tell(PASSING);
  expect(sink.ended).toBe(true);
  expect(desk.listenerCount).toBe(0);
});

it('cuts a client whose past takes too long', async () => {
  const desk = await deskWithPast(1);
  let free = (): void => {};
  const sink = new MemorySink();
  sink.drained = () =>
    new Promise((resolve) => {
      free = resolve;
    });
  streamTo(desk, sink, 0);
  await settle();
  for (let i = 0; i <= EVENT_LIMITS.maxHeldEvents; i += 1) desk.tell(PASSING);
  expect(sink.ended).toBe(true);
  free();
  await settle();
  expect(sink.text).not.toContain('event: gateway');
});

it('sends a comment while nothing happens, until it ends', async () => {
  const clock = new VirtualClock();
  const sink = new MemorySink();
  const stream = streamTo(new MemoryDesk(), sink, undefined, clock);
  await clock.advance(EVENT_LIMITS.heartbeatMs * 2);
  expect(sink.text.split(HEARTBEAT_TEXT)).toHaveLength(3);
  stream.end();
  expect(clock.nextTimerInMs()).toBeUndefined();
});

it('keeps the order of the journal when events are told in another one', async () => {
  const desk = await deskWithPast(3);
  const sink = new MemorySink();
  streamTo(desk, sink);
  const sale = await desk.get('r');
  const [fourth, fifth] = [4, 5].map((id): DeskEvent => ({ type: 'sale', id, atMs: 0, step: 'done', sale }));
  if (!fourth || !fifth) throw new Error('two events');
  desk.past.push(fourth);
  desk.tell(fifth);
  for (const listener of [...desk.listeners]) listener(fourth);
  await settle();
  await durable(desk, 6);
  expect(sink.ids()).toEqual([4, 5, 6]);
});

it('goes on over rows that are no events', async () => {
  const desk = await deskWithPast(3);
  const sink = new MemorySink();
  streamTo(desk, sink);
  await durable(desk, 9);
  await settle();
  await durable(desk, 10);
  expect(sink.ids()).toEqual([9, 10]);
});

it('ends, and says why, when the past cannot be read', async () => {
  const desk = await deskWithPast(1);
  desk.eventsAfter = () => Promise.reject(new Error('disk'));
  const sink = new MemorySink();
  streamTo(desk, sink, 0);
  await settle();
  expect(sink.ended).toBe(true);
  expect(failures).toEqual([new Error('disk')]);
});
