import { expect, it } from 'vitest';
import { framed, MessageFrames } from './message-frames.js';

const texts = (messages: readonly Buffer[]) => messages.map((message) => message.toString('latin1'));

it('cuts messages out of any pieces, and skips empty ones', () => {
  const stream = Buffer.concat([
    framed(Buffer.from('first')),
    framed(Buffer.alloc(0)),
    framed(Buffer.from('2')),
  ]);
  const whole = new MessageFrames();
  expect(texts(whole.push(stream))).toEqual(['first', '2']);
  const byBytes = new MessageFrames();
  expect(texts([...stream].flatMap((byte) => byBytes.push(Buffer.of(byte))))).toEqual(['first', '2']);
  expect(byBytes.heldBytes).toBe(0);
});

it('holds a part, and refuses a length above its maximum before the bytes came', () => {
  const frames = new MessageFrames(4);
  expect(frames.push(Buffer.from([0, 4, 1]))).toEqual([]);
  expect(frames.heldBytes).toBe(3);
  expect(() => new MessageFrames(4).push(Buffer.from([0, 5]))).toThrow(
    expect.objectContaining({ code: 'tooLong' }),
  );
});
