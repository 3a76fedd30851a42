import { describe, expect, it } from 'vitest';
import { crc16 } from '../crc16.js';
import {
  encodePacket,
  type FrameEvent,
  INITIAL_FRAME_STATE,
  insidePacket,
  MAX_PACKET_DATA,
  parseFrames,
} from './framing.js';

const ascii = (text: string) => Buffer.from(text, 'latin1');
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

function parseAll(bytes: Uint8Array): readonly FrameEvent[] {
  return parseFrames(INITIAL_FRAME_STATE, bytes).events;
}

/** Deterministic bytes: mulberry32. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

describe('ABECS framing', () => {
  it.each([
    ['OPN', '16 4F 50 4E 17 A8 A9'],
    ['GIX', '16 47 49 58 17 59 4D'],
    ['DSP000', '16 44 53 50 30 30 30 17 39 63'],
  ])('writes the published frame of %s', (text, frame) => {
    expect(encodePacket(ascii(text))).toEqual(hex(frame));
    expect(parseAll(hex(frame))).toEqual([{ kind: 'packet', data: ascii(text) }]);
  });

  it('escapes DC3, SYN and ETB and leaves the CRC over the plain data', () => {
    const data = hex('13 16 17 06 18');
    const frame = encodePacket(data);
    const crc = crc16(Uint8Array.of(0x17), crc16(data));
    expect(frame.subarray(0, -2)).toEqual(hex('16 13 33 13 36 13 37 06 18 17'));
    expect(frame.readUInt16BE(frame.length - 2)).toBe(crc);
    expect(parseAll(frame)).toEqual([{ kind: 'packet', data }]);
  });

  it('reads the same events however the stream is cut', () => {
    const stream = Buffer.concat([
      hex('06'),
      encodePacket(hex('00 13 16 17 FF')),
      hex('04'),
      encodePacket(ascii('CLX000')),
    ]);
    const whole = parseAll(stream);
    for (let cut = 0; cut <= stream.length; cut += 1) {
      const first = parseFrames(INITIAL_FRAME_STATE, stream.subarray(0, cut));
      const second = parseFrames(first.state, stream.subarray(cut));
      expect([...first.events, ...second.events]).toEqual(whole);
    }
    expect(whole.map((event) => event.kind)).toEqual(['ack', 'packet', 'eot', 'packet']);
  });

  it('reports bad-crc for a packet with any one bit flipped in data or CRC', () => {
    const frame = encodePacket(ascii('GTS00200'));
    for (let at = 1; at < frame.length; at += 1) {
      if (at === frame.length - 3) continue; // ETB: the packet would not end
      const damaged = Buffer.from(frame);
      damaged[at] = (damaged[at] ?? 0) ^ 0x40;
      expect(parseAll(damaged)).toEqual([{ kind: 'bad-crc' }]);
    }
  });

  it('starts anew at a SYN inside a torn packet', () => {
    const torn = encodePacket(ascii('DSP000')).subarray(0, 4);
    const events = parseAll(Buffer.concat([torn, encodePacket(ascii('OPN000'))]));
    expect(events).toEqual([{ kind: 'torn' }, { kind: 'packet', data: ascii('OPN000') }]);
  });

  it('takes the longest packet and drops one byte more', () => {
    const longest = Buffer.alloc(MAX_PACKET_DATA, 0x16);
    expect(parseAll(encodePacket(longest))).toEqual([{ kind: 'packet', data: longest }]);
    expect(() => encodePacket(Buffer.alloc(MAX_PACKET_DATA + 1))).toThrow(/at most 2049/);
    const endless = Buffer.concat([hex('16'), Buffer.alloc(MAX_PACKET_DATA + 500, 0x41)]);
    const parsed = parseFrames(INITIAL_FRAME_STATE, endless);
    expect(parsed.events).toEqual([{ kind: 'oversize' }]);
    expect(parsed.state.data).toHaveLength(0);
    expect(parseFrames(parsed.state, encodePacket(ascii('OPN'))).events).toEqual([
      { kind: 'packet', data: ascii('OPN') },
    ]);
  });

  it('counts garbage once per run and knows when it stands inside a packet', () => {
    const { events, state } = parseFrames(INITIAL_FRAME_STATE, hex('41 42 06 43 16 44'));
    expect(events).toEqual([{ kind: 'garbage', length: 2 }, { kind: 'ack' }, { kind: 'garbage', length: 1 }]);
    expect(insidePacket(state)).toBe(true);
    expect(insidePacket(INITIAL_FRAME_STATE)).toBe(false);
  });

  it('survives any bytes without growing, and still reads the next packet', () => {
    const next = random(20260101);
    let state = INITIAL_FRAME_STATE;
    for (let round = 0; round < 400; round += 1) {
      const bytes = Array.from({ length: Math.floor(next() * 64) }, () =>
        next() < 0.3 ? ([0x16, 0x17, 0x13, 0x06][Math.floor(next() * 4)] ?? 0) : Math.floor(next() * 256),
      );
      const piece = Buffer.from(bytes);
      const parsed = parseFrames(state, piece);
      state = parsed.state;
      expect(state.data.length).toBeLessThanOrEqual(MAX_PACKET_DATA);
      for (const event of parsed.events) {
        if (event.kind === 'packet') expect(parseAll(encodePacket(event.data))).toEqual([event]);
      }
    }
    const end = parseFrames(state, Buffer.concat([hex('41 41 41'), encodePacket(ascii('OPN000'))]));
    expect(end.events.at(-1)).toEqual({ kind: 'packet', data: ascii('OPN000') });
  });
});
