import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeApdu } from '../messages/apdu.js';
import { ACK, encodeFrame, FrameReader, frameCrc, NAK } from './framing.js';
import { type LinkEffect, SERIAL_LIMITS, SerialLink } from './serial-link.js';

/** CRC-16/KERMIT, bit by bit, written from its definition: its check value is 2189 for the digits 1 to 9. */
function kermit(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes)
    for (let bit = 0; bit < 8; bit += 1) {
      const isOdd = ((crc ^ (byte >> bit)) & 1) === 1;
      crc = (crc >> 1) ^ (isOdd ? 0x8408 : 0);
    }
  return crc;
}

const COMPLETION = encodeApdu({ control: 0x060f, data: Buffer.alloc(0) });
const writes = (effects: readonly LinkEffect[]) =>
  effects.flatMap((effect) => (effect.kind === 'write' ? [Buffer.from(effect.bytes).toString('hex')] : []));
const kinds = (effects: readonly LinkEffect[]) => effects.map(({ kind }) => kind);

describe('frames', () => {
  it('have the checksum of the message and its ETX', () => {
    expect(kermit(Buffer.from('123456789'))).toBe(0x2189);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (message) => {
        expect(frameCrc(message)).toBe(kermit(Uint8Array.of(...message, 0x03)));
      }),
      { numRuns: 200 },
    );
  });

  it('are found again in pieces of any size, whatever their bytes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ minLength: 3, maxLength: 40 })),
        fc.integer({ min: 1, max: 50 }),
        (messages, size) => {
          const all = Buffer.concat(messages.map(encodeFrame));
          const reader = new FrameReader();
          const found = [];
          for (let at = 0; at < all.length; at += size)
            found.push(...reader.push(all.subarray(at, at + size)));
          expect(found).toEqual(messages.map((bytes) => ({ kind: 'message', bytes: Buffer.from(bytes) })));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('are bad where one bit of the message changed', () => {
    const frame = encodeFrame(COMPLETION);
    for (let at = 2; at < 5; at += 1) {
      const changed = Buffer.from(frame);
      changed[at] = (changed[at] ?? 0) ^ 0x40;
      expect(new FrameReader().push(changed)).toEqual([{ kind: 'bad-frame' }]);
    }
  });
});

describe('the line', () => {
  it('acknowledges a good frame, and requests a bad one again', () => {
    const link = new SerialLink();
    const frame = encodeFrame(COMPLETION);
    expect(link.received(frame)).toEqual([
      { kind: 'write', bytes: Buffer.of(ACK) },
      { kind: 'received', apdu: { control: 0x060f, data: Buffer.alloc(0) } },
    ]);
    const bad = Buffer.from(frame);
    bad[frame.length - 1] = (bad[frame.length - 1] ?? 0) ^ 1;
    expect(writes(link.received(bad))).toEqual([Buffer.of(NAK).toString('hex')]);
  });

  it('takes a frame once that comes again because its acknowledgement was lost', () => {
    const link = new SerialLink();
    const frame = encodeFrame(COMPLETION);
    const [delivered, acknowledged] = [['write', 'received'], ['write']];
    expect(kinds(link.received(frame))).toEqual(delivered);
    expect(kinds(link.received(frame))).toEqual(acknowledged);
    link.send(COMPLETION);
    expect(kinds(link.received(frame))).toEqual(acknowledged);
    // The till has acknowledged what came after it: the same bytes are another message.
    link.received(Buffer.of(ACK));
    expect(kinds(link.received(frame))).toEqual(delivered);
    link.send(COMPLETION);
    for (let time = 0; time <= SERIAL_LIMITS.maxRepeats; time += 1) link.acknowledgeTimeout();
    expect(kinds(link.received(frame))).toEqual(delivered);
  });

  it('sends one frame after the other, each after the acknowledgement of the one before', () => {
    const link = new SerialLink();
    const frame = encodeFrame(COMPLETION).toString('hex');
    expect(writes(link.send(COMPLETION))).toEqual([frame]);
    expect(link.send(COMPLETION)).toEqual([]);
    expect(writes(link.received(Buffer.of(ACK)))).toEqual([frame]);
    expect(link.received(Buffer.of(ACK))).toEqual([]);
    expect(link.timers).toEqual({ acknowledge: false, pause: false });
  });

  it('sends a frame again after a NAK or without an answer, three times', () => {
    const link = new SerialLink();
    link.send(COMPLETION);
    for (let time = 0; time < SERIAL_LIMITS.maxRepeats; time += 1) {
      const effects = time % 2 === 0 ? link.received(Buffer.of(NAK)) : link.acknowledgeTimeout();
      expect(kinds(effects)).toEqual(['write']);
    }
    expect(kinds(link.acknowledgeTimeout())).toEqual(['lost']);
    expect(link.timers.acknowledge).toBe(false);
  });

  it('drops a frame whose rest does not come', () => {
    const link = new SerialLink();
    link.received(encodeFrame(COMPLETION).subarray(0, 4));
    expect(link.timers.pause).toBe(true);
    expect(writes(link.pauseTimeout())).toEqual([Buffer.of(NAK).toString('hex')]);
    expect(kinds(link.received(encodeFrame(COMPLETION)))).toEqual(['write', 'received']);
  });
});
