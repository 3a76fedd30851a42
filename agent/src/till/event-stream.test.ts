import type { EventSink } from '@tillbridge/platform/net/event-sink.js';
import { settle, VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { expect, it } from 'vitest';
import type { TillEvent } from '../sale/service/sale-service.js';
import { EVENT_LIMITS, EventStream } from './event-stream.js';
import { HEARTBEAT_TEXT } from './event-text.js';
import { MemorySaleService } from './memory-sale-service.test.support.js';

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
  /** Ids in the order in which they were sent. */
  ids(): number[] {
    return [...this.text.matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1]));
  }
}

function streamTo(service: MemorySaleService, sink: EventSink, afterId?: number, clock = new VirtualClock()) {
  const failed = (error: unknown) => failures.push(error);
  return new EventStream({ service, sink, clock, failed, afterId, receives: (event) => event });
}

const failures: unknown[] = [];

async function durable(service: MemorySaleService, id: number): Promise<void> {
  const sale = await service.get('r');
  service.tell({ type: 'sale', id, atMs: 0, step: 'done', sale });
}

/** A service with `count` durable events in the past. */
async function serviceWithPast(count: number): Promise<MemorySaleService> {
  const service = new MemorySaleService();
  await service.request(
    { reference: 'r', type: 'sale', amount: { minor: 1, currency: 'EUR' } },
    { wait: false },
  );
  for (let id = 2; id <= count; id += 1) await durable(service, id);
  return service;
}

const PASSING: TillEvent = { type: 'gateway', atMs: 0, state: 'up' };

it('sends only the current state to a client without an id', async () => {
  const service = await serviceWithPast(3);
  const sink = new MemorySink();
  streamTo(service, sink);
  await durable(service, 4);
  expect(sink.ids()).toEqual([4]);
});

it('sends past events over many pages, then the current state, each once', async () => {
  const count = EVENT_LIMITS.replayPage * 2 + 7;
  const service = await serviceWithPast(count);
  const sink = new MemorySink();
  streamTo(service, sink, 5);
  // Happens while the past is still being sent: in the last page and among the held ones at once.
  await durable(service, count + 1);
  await settle();
  await durable(service, count + 2);
  expect(sink.ids()).toEqual(Array.from({ length: count - 3 }, (_, i) => i + 6));
});

it('sends new events to a client whose id is of rows that a restore has lost', async () => {
  const service = await serviceWithPast(3);
  const sink = new MemorySink();
  streamTo(service, sink, 9);
  await settle();
  await durable(service, 4);
  expect(sink.ids()).toEqual([4]);
});

it('keeps passing events behind the past, and gives them no id', async () => {
  const service = await serviceWithPast(2);
  const sink = new MemorySink();
  streamTo(service, sink, 0);
  service.tell(PASSING);
  await settle();
  expect(sink.text).toMatch(/id: 2\nevent: sale\n.*\n\nevent: gateway\ndata: .*"state":"up"/);
});

it('cuts a client that does not read', async () => {
  const service = await serviceWithPast(1);
  const sink = new MemorySink();
  streamTo(service, sink);
  sink.bufferedBytes = EVENT_LIMITS.maxBufferedBytes + 1;
  service.tell(PASSING);
  expect(sink.ended).toBe(true);
  expect(service.listenerCount).toBe(0);
});

it('cuts a client whose past takes too long', async () => {
  const service = await serviceWithPast(1);
  let free = (): void => {};
  const sink = new MemorySink();
  sink.drained = () =>
    new Promise((resolve) => {
      free = resolve;
    });
  streamTo(service, sink, 0);
  await settle();
  for (let i = 0; i <= EVENT_LIMITS.maxHeldEvents; i += 1) service.tell(PASSING);
  expect(sink.ended).toBe(true);
  free();
  await settle();
  expect(sink.text).not.toContain('event: gateway');
});

it('sends a comment while nothing happens, until it ends', async () => {
  const clock = new VirtualClock();
  const sink = new MemorySink();
  const stream = streamTo(new MemorySaleService(), sink, undefined, clock);
  await clock.advance(EVENT_LIMITS.heartbeatMs * 2);
  expect(sink.text.split(HEARTBEAT_TEXT)).toHaveLength(3);
  stream.end();
  expect(clock.nextTimerInMs()).toBeUndefined();
});

it('keeps the order of the journal when events are announced in another one', async () => {
  const service = await serviceWithPast(3);
  const sink = new MemorySink();
  streamTo(service, sink);
  const sale = await service.get('r');
  const [fourth, fifth] = [4, 5].map((id): TillEvent => ({ type: 'sale', id, atMs: 0, step: 'done', sale }));
  if (!fourth || !fifth) throw new Error('two events');
  service.past.push(fourth);
  service.tell(fifth);
  for (const listener of [...service.listeners]) listener(fourth);
  await settle();
  await durable(service, 6);
  expect(sink.ids()).toEqual([4, 5, 6]);
});

it('goes on over rows that are no events', async () => {
  const service = await serviceWithPast(3);
  const sink = new MemorySink();
  streamTo(service, sink);
  await durable(service, 9);
  await settle();
  await durable(service, 10);
  expect(sink.ids()).toEqual([9, 10]);
});

it('ends with the reason when past events cannot be read', async () => {
  const service = await serviceWithPast(1);
  service.eventsAfter = () => Promise.reject(new Error('disk'));
  const sink = new MemorySink();
  streamTo(service, sink, 0);
  await settle();
  expect(sink.ended).toBe(true);
  expect(failures).toEqual([new Error('disk')]);
});
