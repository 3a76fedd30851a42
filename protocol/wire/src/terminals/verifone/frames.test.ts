import { describe, expect, test } from 'vitest';
import { fromHex } from '../../bytes.js';
import { TerminalFormatError } from '../format-error.js';
import {
  encodeTypeA,
  type FrameAEvent,
  INITIAL_FRAME_A,
  insideFrameA,
  MAX_BLOCK_BYTES,
  MAX_TYPE_A_BYTES,
  parseTypeA,
} from './frame-a.js';
import { encodeTypeB, type FrameBEvent, INITIAL_FRAME_B, MAX_RESPONSE_BYTES, parseTypeB } from './frame-b.js';

// The frames of the guide's examples (GET PIN and an answer with data), and one that was computed from its facts.
const GET_PIN = '02410004220100000' + '37B25';
const ANSWER = '024100149000478265CA63733B39FFFF9876541114A00079' + '03865A';
const EMV_INIT = '02410004390000000' + '3E534';
const GET_PIN_B = '0242000000042201000003';

function parseA(bytes: Uint8Array, piece = bytes.length): readonly FrameAEvent[] {
  let state = INITIAL_FRAME_A;
  const events: FrameAEvent[] = [];
  for (let at = 0; at < bytes.length; at += piece) {
    const parsed = parseTypeA(state, bytes.subarray(at, at + piece));
    state = parsed.state;
    events.push(...parsed.events);
  }
  expect(insideFrameA(state)).toBe(false);
  return events;
}

function parseB(bytes: Uint8Array, piece = bytes.length): readonly FrameBEvent[] {
  let state = parseTypeB(INITIAL_FRAME_B, new Uint8Array(), MAX_RESPONSE_BYTES).state;
  const events: FrameBEvent[] = [];
  for (let at = 0; at < bytes.length; at += piece) {
    const parsed = parseTypeB(state, bytes.subarray(at, at + piece), MAX_RESPONSE_BYTES);
    state = parsed.state;
    events.push(...parsed.events);
  }
  return events;
}

const block = (data: Uint8Array, number = 0, last = true): FrameAEvent => ({
  kind: 'block',
  number,
  last,
  data: Buffer.from(data),
});

describe('protocol type A', () => {
  test('writes and reads the published frames', () => {
    for (const [frame, message] of [
      [GET_PIN, '22010000'],
      [ANSWER, '9000478265CA63733B39FFFF9876541114A00079'],
      [EMV_INIT, '39000000'],
    ] as const) {
      expect(encodeTypeA(fromHex(message)).map((bytes) => bytes.toString('hex').toUpperCase())).toEqual([
        frame,
      ]);
      expect(parseA(fromHex(frame))).toEqual([block(fromHex(message))]);
    }
  });

  test('reads the same however the bytes are cut', () => {
    const bytes = Buffer.concat([
      fromHex('06'),
      fromHex(ANSWER),
      fromHex('15'),
      ...encodeTypeA(Buffer.alloc(700, 0x02)),
    ]);
    const whole = parseA(bytes);
    expect(whole.map(({ kind }) => kind)).toEqual(['ack', 'block', 'nak', 'block']);
    for (const piece of [1, 2, 3, 7, 255]) expect(parseA(bytes, piece)).toEqual(whole);
  });

  test('splits a long message into numbered blocks', () => {
    const frames = encodeTypeA(Buffer.alloc(2 * MAX_BLOCK_BYTES + 5, 7));
    expect(frames.map((frame) => frame.subarray(0, 4).toString('hex'))).toEqual([
      '02410fff',
      '02411fff',
      '02412005',
    ]);
    expect(parseA(Buffer.concat(frames)).map((event) => event.kind === 'block' && event.last)).toEqual([
      false,
      false,
      true,
    ]);
    expect(encodeTypeA(Buffer.alloc(MAX_TYPE_A_BYTES))).toHaveLength(16);
    expect(() => encodeTypeA(Buffer.alloc(MAX_TYPE_A_BYTES + 1))).toThrow(TerminalFormatError);
    expect(() => encodeTypeA(Buffer.alloc(0))).toThrow('message');
  });

  test('reports a damaged frame once and finds the next', () => {
    const bent = Buffer.from(fromHex(ANSWER));
    bent[9] = 0;
    expect(parseA(Buffer.concat([bent, fromHex(GET_PIN)]))).toEqual([
      { kind: 'damaged' },
      block(fromHex('22010000')),
    ]);
    const wrongEnd = Buffer.from(fromHex(GET_PIN));
    wrongEnd[8] = 0x04;
    expect(parseA(wrongEnd)).toEqual([{ kind: 'damaged' }]);
    expect(parseA(fromHex(`FF00${GET_PIN}`))).toEqual([{ kind: 'damaged' }, block(fromHex('22010000'))]);
  });

  test('keeps at most one frame', () => {
    let state = INITIAL_FRAME_A;
    for (let at = 0; at < 100; at += 1) {
      state = parseTypeA(state, Buffer.concat([fromHex('02410FFF'), Buffer.alloc(1_000)])).state;
      expect(state.rest.length).toBeLessThan(MAX_BLOCK_BYTES + 7);
    }
  });
});

describe('protocol type B', () => {
  test('writes and reads the published frame, however it is cut', () => {
    expect(encodeTypeB(fromHex('22010000')).toString('hex')).toBe(GET_PIN_B);
    const bytes = fromHex(GET_PIN_B + GET_PIN_B);
    const message = { kind: 'message', message: Buffer.from(fromHex('22010000')) };
    for (const piece of [1, 5, 6, 22]) expect(parseB(bytes, piece)).toEqual([message, message]);
  });

  test.each([
    ['a wrong start', '0342000000042201000003', '02'],
    ['another type', '02410004', 'type B'],
    ['a length of zero', '02420000000003', '1 to 65535'],
    ['a length beyond the limit', '024200010000', '1 to 65535'],
    ['a wrong end', '0242000000042201000004', '03'],
  ])('is broken for good by %s', (_, hex, reason) => {
    const events = parseB(fromHex(`${hex}${GET_PIN_B}`));
    expect(events).toEqual([{ kind: 'broken', reason: expect.stringContaining(reason) }]);
  });

  test('refuses an empty message', () => {
    expect(() => encodeTypeB(Buffer.alloc(0))).toThrow(TerminalFormatError);
  });
});
