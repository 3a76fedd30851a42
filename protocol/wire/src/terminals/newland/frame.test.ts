import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../../bytes.js';
import { TerminalFormatError } from '../format-error.js';
import {
  CANCEL_CARD_WAIT,
  encodeFrame,
  type FrameEvent,
  INITIAL_FRAME_STATE,
  lrc,
  MAX_DATA_BYTES,
  MAX_FRAME_BYTES,
  parseFrames,
} from './frame.js';
import { decodeMessage, encodeMessage } from './messages.js';

// Computed frame of the facts this codec was written from: GET DUKPT KSN of slot 1.
const GET_KSN = '02000433342F01032E';

function parse(bytes: Uint8Array, piece = bytes.length): readonly FrameEvent[] {
  let state = INITIAL_FRAME_STATE;
  const events: FrameEvent[] = [];
  for (let at = 0; at < bytes.length; at += piece) {
    const parsed = parseFrames(state, bytes.subarray(at, at + piece));
    state = parsed.state;
    expect(state.rest.length).toBeLessThan(MAX_FRAME_BYTES);
    events.push(...parsed.events);
  }
  return events;
}

const frame = (text: string): FrameEvent => ({ kind: 'frame', data: Buffer.from(text, 'latin1') });

describe('frames', () => {
  test('are the published bytes, both ways', () => {
    const data = encodeMessage({ type: '34', body: Buffer.of(1) });
    expect(toHex(encodeFrame(data))).toBe(GET_KSN);
    expect(parse(fromHex(GET_KSN))).toEqual([{ kind: 'frame', data }]);
    expect(decodeMessage(data)).toEqual({ type: '34', body: Buffer.of(1) });
  });

  test('have their length in BCD', () => {
    const bytes = encodeFrame(Buffer.alloc(1_234, 0x41));
    expect(toHex(bytes.subarray(0, 3))).toBe('021234');
    expect(parse(bytes)).toHaveLength(1);
  });

  test('refuse data that no frame carries', () => {
    for (const length of [0, 2, MAX_DATA_BYTES + 1]) {
      expect(() => encodeFrame(Buffer.alloc(length))).toThrow(TerminalFormatError);
    }
  });

  test('come out among confirmations, refusals, cancels and garbage', () => {
    const bytes = Buffer.concat([
      Buffer.of(0x06, 0x15, 0x55, 0xaa),
      encodeFrame(Buffer.from('90/')),
      CANCEL_CARD_WAIT,
      encodeFrame(Buffer.from('91/x')),
    ]);
    expect(parse(bytes)).toEqual([
      { kind: 'ack' },
      { kind: 'nak' },
      { kind: 'damaged' },
      frame('90/'),
      { kind: 'cancel' },
      frame('91/x'),
    ]);
  });

  test('a wrong check is damage, and the next frame is found', () => {
    const bent = encodeFrame(Buffer.from('91/text'));
    bent[bent.length - 1] = (bent.at(-1) ?? 0) ^ 0xff;
    expect(parse(Buffer.concat([bent, encodeFrame(Buffer.from('90/'))]))).toEqual([
      { kind: 'damaged' },
      frame('90/'),
    ]);
  });

  test('a length that is no BCD, or too long, is damage at once', () => {
    for (const header of ['02000A', '020A', '029999', '020002']) {
      expect(parse(fromHex(header))[0]).toEqual({ kind: 'damaged' });
    }
  });

  test('the check is the XOR from the length to ETX', () => {
    expect(lrc(fromHex('000433342F0103'))).toBe(0x2e);
  });

  test('any bytes in any pieces give the same events', () => {
    const pieces = fc.oneof(
      fc.uint8Array({ minLength: 3, maxLength: 60 }).map((data) => encodeFrame(data)),
      fc.uint8Array({ maxLength: 12 }),
      fc.constant(CANCEL_CARD_WAIT),
      fc.constant(Buffer.of(0x06)),
      fc.constant(Buffer.from('+++CAN')),
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 6 }), fc.integer({ min: 1, max: 9 }), (parts, piece) => {
        const bytes = Buffer.concat(parts);
        expect(parse(bytes, piece)).toEqual(parse(bytes));
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  test('what is encoded comes out', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 3, maxLength: 300 }), (data) => {
        expect(parse(encodeFrame(data))).toEqual([{ kind: 'frame', data: Buffer.from(data) }]);
      }),
      { seed: 8, numRuns: 200 },
    );
  });
});
