import { expect, it } from 'vitest';
import { readEvents } from './event-reader.js';

async function read(pieces: readonly string[]) {
  const events = [];
  async function* source() {
    yield* pieces;
  }
  for await (const event of readEvents(source())) events.push(event);
  return events;
}

const STREAM =
  'retry: 1000\n\nid: 7\nevent: sale\ndata: {"a":1}\n\n: heartbeat\n\ndata: x\ndata: y\n\nevent: half';

it('reads whole events, wherever the stream is cut', async () => {
  const expected = [
    { id: '7', type: 'sale', data: '{"a":1}' },
    { id: undefined, type: 'message', data: 'x\ny' },
  ];
  expect(await read([STREAM])).toEqual(expected);
  expect(await read([...STREAM])).toEqual(expected);
  for (let cut = 1; cut < STREAM.length; cut += 1) {
    expect(await read([STREAM.slice(0, cut), STREAM.slice(cut)])).toEqual(expected);
  }
});

it('refuses an event without end', async () => {
  await expect(read(Array.from({ length: 40 }, () => 'x'.repeat(64 * 1024)))).rejects.toThrow(RangeError);
});
