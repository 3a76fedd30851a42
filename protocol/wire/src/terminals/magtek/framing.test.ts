import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../../bytes.js';
import { type FrameEvent, MAX_MESSAGE_BYTES } from './framing.js';
import { encodeReports, INITIAL_REPORT_STATE, parseReport, REPORT_BYTES } from './hid-packets.js';
import { encodeCapabilityExceeded, encodeSlip, INITIAL_SLIP_STATE, parseSlip } from './slip.js';

const CANCEL = fromHex('AA0081040113100884021008');
const bytes = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, at) => (at * 37) & 0xff));
const message = (content: Uint8Array): FrameEvent => ({ kind: 'message', bytes: Buffer.from(content) });

function reports(all: readonly Uint8Array[]): readonly FrameEvent[] {
  let state = INITIAL_REPORT_STATE;
  return all.flatMap((report) => {
    const parsed = parseReport(state, report);
    state = parsed.state;
    return parsed.events;
  });
}

function slip(all: Uint8Array, piece = all.length): readonly FrameEvent[] {
  let state = INITIAL_SLIP_STATE;
  const events: FrameEvent[] = [];
  for (let at = 0; at < all.length; at += piece) {
    const parsed = parseSlip(state, all.subarray(at, at + piece), 'to-host');
    state = parsed.state;
    events.push(...parsed.events);
  }
  expect(state).toEqual(INITIAL_SLIP_STATE);
  return events;
}

describe('reports', () => {
  test('carry a short message alone', () => {
    const [only, ...more] = encodeReports(CANCEL);
    expect(more).toEqual([]);
    expect(toHex(only ?? Buffer.alloc(0))).toBe(`000C${toHex(CANCEL)}`.padEnd(2 * REPORT_BYTES, '0'));
  });

  test('carry a long one as head, middles and tail', () => {
    const long = bytes(59 + 61 + 61 + 5);
    const all = encodeReports(long);
    expect(all.map((report) => toHex(report.subarray(0, 5)))).toEqual([
      '01000000BA',
      `020001${toHex(long.subarray(59, 61))}`,
      `020002${toHex(long.subarray(120, 122))}`,
      `0305${toHex(long.subarray(181, 184))}`,
    ]);
    expect(all.every(({ length }) => length === REPORT_BYTES)).toBe(true);
  });

  test.each([0, 1, 61, 62, 63, 120, 121, 122, 181, 182, 183, 500, MAX_MESSAGE_BYTES])(
    'of %i bytes come out whole',
    (length) => {
      expect(reports(encodeReports(bytes(length)))).toEqual([message(bytes(length))]);
    },
  );

  test('that come twice are taken once', () => {
    const long = bytes(300);
    const all = encodeReports(long);
    const twice = reports(all.flatMap((report) => [report, report]));
    expect(twice).toEqual([message(long)]);
  });

  test('let a short message come between the parts of a long one', () => {
    const [head, ...rest] = encodeReports(bytes(300));
    const [short] = encodeReports(CANCEL);
    expect(reports([head, short, ...rest].flatMap((each) => (each ? [each] : [])))).toEqual([
      message(CANCEL),
      message(bytes(300)),
    ]);
  });

  test('tell of damage, and are found again behind it', () => {
    const [head, middle, ...rest] = encodeReports(bytes(300));
    if (!head || !middle) throw new Error('no long message');
    const bent = Buffer.from(middle);
    bent[0] = 0xfd;
    const good = encodeReports(CANCEL);
    expect(reports([head, bent, ...rest, ...good])).toEqual([{ kind: 'damaged' }, message(CANCEL)]);
    expect(reports([head, ...rest, ...good])).toEqual([{ kind: 'damaged' }, message(CANCEL)]);
    expect(reports([head, middle, head, middle, ...rest])).toEqual([
      { kind: 'damaged' },
      message(bytes(300)),
    ]);
    expect(reports([Buffer.alloc(63), ...good])).toEqual([{ kind: 'damaged' }, message(CANCEL)]);
    const cancelled = Buffer.alloc(REPORT_BYTES);
    cancelled[0] = 0x04;
    expect(reports([head, cancelled, ...good])).toEqual([message(CANCEL)]);
  });

  test('of a message that is too long are refused, both ways', () => {
    expect(() => encodeReports(bytes(MAX_MESSAGE_BYTES + 1))).toThrow('at most');
    const head = Buffer.alloc(REPORT_BYTES, 0xff);
    head[0] = 0x01;
    expect(reports([head])).toEqual([{ kind: 'damaged' }]);
  });
});

describe('SLIP', () => {
  test('is the wrapper of the manual', () => {
    expect(toHex(encodeSlip('to-device', CANCEL))).toBe(`C0000000000C${toHex(CANCEL)}C0`);
    expect(toHex(encodeSlip('to-host', fromHex('C0DB01')))).toBe('C00200000003DBDCDBDD01C0');
  });

  test.each([1, 2, 3, 7, 64, 1_000])('comes out whole in pieces of %i', (piece) => {
    const messages = [bytes(300), CANCEL, fromHex('C0C0DBDB'), Buffer.alloc(0)];
    const line = Buffer.concat(messages.map((each) => encodeSlip('to-host', each)));
    expect(slip(line, piece)).toEqual(messages.map(message));
  });

  test('costs one frame and no more when a delimiter is lost or something is bent', () => {
    const good = encodeSlip('to-host', CANCEL);
    const endless = good.subarray(0, -1);
    expect(slip(Buffer.concat([endless, good]))).toEqual([message(CANCEL), message(CANCEL)]);
    const bentEnd = Buffer.from(good);
    bentEnd[bentEnd.length - 1] = 0x3f;
    expect(slip(Buffer.concat([bentEnd, good]))).toEqual([{ kind: 'damaged' }, message(CANCEL)]);
    const badEscape = fromHex('C00200000001DB01C0');
    expect(slip(Buffer.concat([fromHex('FFFF'), good, badEscape, good]))).toEqual([
      { kind: 'damaged' },
      message(CANCEL),
      { kind: 'damaged' },
      message(CANCEL),
    ]);
    expect(slip(encodeSlip('to-device', CANCEL))).toEqual([{ kind: 'damaged' }]);
  });

  test('reports that the device takes no message so long', () => {
    expect(toHex(encodeCapabilityExceeded(1_024))).toBe('C00300000400C0');
    expect(slip(encodeCapabilityExceeded(1_024))).toEqual([{ kind: 'too-long', maxBytes: 1_024 }]);
  });

  test('keeps no more than a frame of what never ends', () => {
    let state = INITIAL_SLIP_STATE;
    const events: FrameEvent[] = [];
    for (let at = 0; at < 60; at += 1) {
      const parsed = parseSlip(state, Buffer.alloc(1_024, 1), 'to-host');
      state = parsed.state;
      events.push(...parsed.events);
    }
    expect(events).toEqual([{ kind: 'damaged' }]);
    expect(state.rest.length).toBeLessThanOrEqual(2 * (MAX_MESSAGE_BYTES + 5));
    const { events: after } = parseSlip(
      state,
      Buffer.concat([Buffer.of(0xc0), encodeSlip('to-host', CANCEL)]),
      'to-host',
    );
    expect(after).toEqual([message(CANCEL)]);
  });
});
