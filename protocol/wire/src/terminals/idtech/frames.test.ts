import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../../bytes.js';
import { TerminalFormatError } from '../format-error.js';
import {
  encodeFrame,
  INITIAL_FRAME_STATE,
  MAX_DATA_BYTES,
  MAX_FRAME_BYTES,
  type NeoFrame,
  parseFrames,
  type Sender,
} from './frame.js';
import { encodeReports, INITIAL_REPORT_STATE, REPORT_BYTES, takeReport } from './hid-report.js';
import { encodeOnLine, INITIAL_LINE_STATE, type NeoLine, parseLine } from './line.js';

const hex = (text: string): Buffer => fromHex(text.replaceAll(' ', ''));
const NOTHING = Buffer.alloc(0);
const HEAD = '56 69 56 4F 74 65 63 68 32 00';

/**
 * Frames of the guide, its examples for the VP3350 and VP6800, and of published test logs: who sent them, and what they
 * say. One log has the check bytes of 60-11 and 60-12 the other way round; these follow the guide, as its 60-16 does.
 */
const PUBLISHED: readonly (readonly [string, Sender, number, number, string, string])[] = [
  ['ping', 'host', 0x18, 0x01, '', `${HEAD} 18 01 00 00 B3 CD`],
  ['answer to a ping', 'device', 0x18, 0x00, '', `${HEAD} 18 00 00 00 FA 83`],
  ['get serial number', 'host', 0x12, 0x01, '', `${HEAD} 12 01 00 00 18 A5`],
  [
    'serial number',
    'device',
    0x12,
    0x00,
    '36 33 30 5A 30 30 30 30 30 31 00 00 00 00 00',
    `${HEAD} 12 00 00 0F 36 33 30 5A 30 30 30 30 30 31 00 00 00 00 00 94 BC`,
  ],
  [
    'activate with three interfaces',
    'host',
    0x02,
    0x40,
    '1E 9C0100 9F0206000000000100 9F0306000000000000 DFEF370107 DFEF3C03010060',
    `${HEAD} 02 40 00 22 1E 9C0100 9F0206000000000100 9F0306000000000000 DFEF370107 DFEF3C03010060 18 D1`,
  ],
  ['activate accepted', 'device', 0x02, 0x63, '', `${HEAD} 02 63 00 00 4B B4`],
  ['authenticate', 'host', 0x60, 0x11, '00 00 78', `${HEAD} 60 11 00 03 00 00 78 F3 46`],
  [
    'apply host response',
    'host',
    0x60,
    0x12,
    '01 8A 02 30 30 91 0A 11 22 33 44 55 66 77 88 30 30',
    `${HEAD} 60 12 00 11 01 8A 02 30 30 91 0A 11 22 33 44 55 66 77 88 30 30 F3 1C`,
  ],
  ['show the system screen', 'host', 0x61, 0x17, '', `${HEAD} 61 17 00 00 72 8D`],
  [
    'create a screen by its name',
    'host',
    0x61,
    0x0a,
    '53 63 72 65 65 6E 31 00',
    // The guide prints these check bytes with the name Screen2 as well.
    `${HEAD} 61 0A 00 08 53 63 72 65 65 6E 31 00 A2 D7`,
  ],
  ['id of a new screen', 'device', 0x61, 0x00, '00 01', `${HEAD} 61 00 00 02 00 01 2E DE`],
  ['set ICS identification', 'host', 0x60, 0x16, '03', `${HEAD} 60 16 00 01 03 92 ED`],
  ['contact step accepted', 'device', 0x60, 0x63, '', `${HEAD} 60 63 00 00 FF 0E`],
  [
    'result alone',
    'device',
    0x60,
    0x00,
    'EA DF EE 25 02 30 12',
    `${HEAD} 60 00 00 07 EA DF EE 25 02 30 12 B4 21`,
  ],
  ['cancelled', 'device', 0x05, 0x00, '', `${HEAD} 05 00 00 00 D8 A2`],
  ['PIN entry cancelled by host', 'device', 0x62, 0x0a, '02', `${HEAD} 62 0A 00 01 02 ED A5`],
  ['key serial number', 'host', 0x81, 0x0b, '02 00 00', `${HEAD} 81 0B 00 03 02 00 00 08 EB`],
  ['power off', 'host', 0x2c, 0x18, '20', `${HEAD} 2C 18 00 01 20 8A C1`],
  ['screen command done', 'device', 0x61, 0x00, '', `${HEAD} 61 00 00 00 4B 81`],
];

describe('published frames', () => {
  test.each(PUBLISHED)('%s is written and read byte for byte', (_, sender, command, second, data, frame) => {
    expect(toHex(encodeFrame(sender, { command, second, data: hex(data) }))).toBe(toHex(hex(frame)));
    expect(parseFrames(sender, INITIAL_FRAME_STATE, hex(frame)).events).toEqual([
      { kind: 'frame', frame: { command, second, data: hex(data) } },
    ]);
  });

  test('the other side reads its check bytes the other way round', () => {
    expect(parseFrames('device', INITIAL_FRAME_STATE, hex(`${HEAD} 18 01 00 00 B3 CD`)).events).toEqual([
      { kind: 'damaged' },
    ]);
  });
});

const anyFrame = fc.record({
  command: fc.integer({ min: 0, max: 255 }),
  second: fc.integer({ min: 0, max: 255 }),
  data: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
});
const sender = fc.constantFrom<Sender>('host', 'device');

/** Reads bytes cut at these places. */
function readCut(from: Sender, bytes: Buffer, cuts: readonly number[]) {
  let state = INITIAL_FRAME_STATE;
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].flatMap((at, index) => {
    const parsed = parseFrames(from, state, bytes.subarray(at, places[index] ?? bytes.length));
    state = parsed.state;
    return parsed.events;
  });
}

describe('frames on a serial line', () => {
  test('any splitting gives the same frames, garbage between them is reported once', () => {
    fc.assert(
      fc.property(
        sender,
        fc.array(anyFrame, { minLength: 1, maxLength: 4 }),
        fc.uint8Array({ minLength: 1, maxLength: 20 }),
        fc.array(fc.nat()),
        (from, frames, noise, cuts) => {
          const garbage = Buffer.from(noise.map((byte) => (byte === 0x56 ? 0x55 : byte)));
          const bytes = Buffer.concat(frames.flatMap((frame) => [garbage, encodeFrame(from, frame)]));
          const events = readCut(from, bytes, cuts);
          expect(events).toEqual(frames.flatMap((frame) => [{ kind: 'damaged' }, { kind: 'frame', frame }]));
        },
      ),
    );
  });

  test('one wrong bit makes a frame damaged, and the next one is found', () => {
    fc.assert(
      fc.property(sender, anyFrame, fc.nat(), fc.integer({ min: 0, max: 7 }), (from, frame, place, bit) => {
        const bent = encodeFrame(from, frame);
        const at = place % bent.length;
        // A bent length makes the parser wait for more: the next frames must fill it up.
        if (at === 12 || at === 13) return;
        bent[at] = (bent[at] ?? 0) ^ (1 << bit);
        const good: NeoFrame = { command: 0x18, second: 0, data: NOTHING };
        const { events } = parseFrames(
          from,
          INITIAL_FRAME_STATE,
          Buffer.concat([bent, encodeFrame(from, good)]),
        );
        expect(events[0]).toEqual({ kind: 'damaged' });
        expect(events.at(-1)).toEqual({ kind: 'frame', frame: good });
      }),
    );
  });

  test('a length beyond the longest is damage, and nothing is kept', () => {
    const { state, events } = parseFrames('device', INITIAL_FRAME_STATE, hex(`${HEAD} 60 00 FF FF`));
    expect(events).toEqual([{ kind: 'damaged' }]);
    expect(state.rest.length).toBeLessThan(HEAD.length);
    expect(() =>
      encodeFrame('host', { command: 1, second: 1, data: Buffer.alloc(MAX_DATA_BYTES + 1) }),
    ).toThrow(TerminalFormatError);
  });
});

describe('reports', () => {
  test('a short frame is one report with id 1, filled with zeros', () => {
    const [report, ...others] = encodeReports(hex(`${HEAD} 18 01 00 00 B3 CD`));
    expect(others).toEqual([]);
    expect(report).toHaveLength(REPORT_BYTES);
    expect(toHex(report?.subarray(0, 17) ?? NOTHING)).toBe(
      '0156 69 56 4F 74 65 63 68 32 00 18 01 00 00 B3 CD'.replaceAll(' ', ''),
    );
    expect(report?.subarray(17).every((byte) => byte === 0)).toBe(true);
  });

  test('63 bytes fit one report, 64 take a first and a last, 127 a middle one as well', () => {
    const ids = (length: number): (number | undefined)[] =>
      encodeReports(Buffer.alloc(length)).map(([id]) => id);
    expect(ids(63)).toEqual([1]);
    expect(ids(64)).toEqual([2, 4]);
    expect(ids(126)).toEqual([2, 4]);
    expect(ids(127)).toEqual([2, 3, 4]);
  });

  test('frames of any size come out of their reports', () => {
    fc.assert(
      fc.property(sender, anyFrame, (from, frame) => {
        let state = INITIAL_LINE_STATE;
        const events = encodeOnLine('hid', from, frame).flatMap((report) => {
          const parsed = parseLine('hid', from, state, report);
          state = parsed.state;
          return parsed.events;
        });
        expect(events).toEqual([{ kind: 'frame', frame }]);
        expect(state).toEqual(INITIAL_LINE_STATE);
      }),
    );
  });

  test('a whole frame between the parts of another leaves them be', () => {
    const data = Buffer.alloc(150, 0x5a);
    const [first = NOTHING, ...rest] = encodeOnLine('hid', 'device', { command: 0x02, second: 0, data });
    const [notice = NOTHING] = encodeOnLine('hid', 'device', {
      command: 0xf2,
      second: 0,
      data: Buffer.of(1),
    });
    let state = INITIAL_LINE_STATE;
    const commands = [first, notice, ...rest].flatMap((report) => {
      const parsed = parseLine('hid', 'device', state, report);
      state = parsed.state;
      return parsed.events.map((event) => (event.kind === 'frame' ? event.frame.command : 'damaged'));
    });
    expect(commands).toEqual([0xf2, 0x02]);
  });

  test('unknown ids and parts without a beginning are passed over', () => {
    for (const id of [0, 3, 4, 5, 0xff]) {
      const taken = takeReport(INITIAL_REPORT_STATE, Buffer.alloc(REPORT_BYTES, id));
      expect(taken.whole).toBeUndefined();
      expect(taken.state.parts).toBeUndefined();
    }
  });

  test('a frame that never ends is given up at the longest', () => {
    let state = takeReport(INITIAL_REPORT_STATE, Buffer.alloc(REPORT_BYTES, 2)).state;
    for (let count = 0; count < 2 * Math.ceil(MAX_FRAME_BYTES / 63) && state.parts; count += 1) {
      expect(state.parts.length).toBeLessThanOrEqual(MAX_FRAME_BYTES);
      state = takeReport(state, Buffer.alloc(REPORT_BYTES, 3)).state;
    }
    expect(state.parts).toBeUndefined();
  });

  test.each<NeoLine>(['serial', 'hid'])('a bent frame on %s is damaged', (line) => {
    const [write = NOTHING] = encodeOnLine(line, 'device', { command: 0x18, second: 0, data: NOTHING });
    const bent = Buffer.from(write);
    const at = line === 'hid' ? 15 : 14;
    bent[at] = (bent[at] ?? 0) ^ 0xff;
    expect(parseLine(line, 'device', INITIAL_LINE_STATE, bent).events).toEqual([{ kind: 'damaged' }]);
  });
});
