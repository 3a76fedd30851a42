import { fromHex } from '@tillbridge/wire/bytes.js';
import {
  INITIAL_FRAME_STATE as ABECS_START,
  encodePacket as encodeAbecs,
  parseFrames as parseAbecs,
} from '@tillbridge/wire/terminals/abecs/framing.js';
import { encodeFrame as encodeNeo } from '@tillbridge/wire/terminals/idtech/frame.js';
import { encodeOnLine, INITIAL_LINE_STATE, parseLine } from '@tillbridge/wire/terminals/idtech/line.js';
import {
  encodeReports,
  INITIAL_REPORT_STATE,
  parseReport,
  REPORT_BYTES,
} from '@tillbridge/wire/terminals/magtek/hid-packets.js';
import { encodeSlip, INITIAL_SLIP_STATE, parseSlip } from '@tillbridge/wire/terminals/magtek/slip.js';
import {
  encodeMessagePackets as encodeMiura,
  INITIAL_PACKET_STATE as MIURA_START,
  parsePackets as parseMiura,
} from '@tillbridge/wire/terminals/miura/packet.js';
import {
  encodeFrame as encodeNewland,
  INITIAL_FRAME_STATE as NEWLAND_START,
  parseFrames as parseNewland,
} from '@tillbridge/wire/terminals/newland/frame.js';
import { encodeTypeA, INITIAL_FRAME_A, parseTypeA } from '@tillbridge/wire/terminals/verifone/frame-a.js';
import {
  encodeTypeB,
  INITIAL_FRAME_B,
  MAX_RESPONSE_BYTES,
  parseTypeB,
} from '@tillbridge/wire/terminals/verifone/frame-b.js';
import { type BenchRow, measure } from './rows/measure.js';

/** EMV data of the size that a chip's request has. */
const EMV_BYTES = 240;
const PAYLOAD = Buffer.from(Array.from({ length: EMV_BYTES }, (_, at) => (at * 7) & 0xff));
const FRAMES = 16;
/** No goal: a copy is no parser, and the fastest serial line carries 0.01 MB/s. */
const GOAL = 0;

/** One maker's framing: bytes of frames as they come from the line, and the parser over them. */
interface Codec {
  readonly name: string;
  readonly line: Buffer;
  readonly parse: (bytes: Uint8Array) => number;
}

const repeated = (frame: Uint8Array): Buffer => Buffer.concat(Array.from({ length: FRAMES }, () => frame));

/** Each report as it comes from its pipe. */
function parseReports(bytes: Uint8Array): number {
  let state = INITIAL_REPORT_STATE;
  let messages = 0;
  for (let at = 0; at < bytes.length; at += REPORT_BYTES) {
    const parsed = parseReport(state, bytes.subarray(at, at + REPORT_BYTES));
    state = parsed.state;
    messages += parsed.events.length;
  }
  return messages;
}

const NEO_ANSWER = { command: 0x60, second: 0x00, data: PAYLOAD } as const;

/** Each report of a NEO 2 reader as it comes from its pipe. */
function parseNeoReports(bytes: Uint8Array): number {
  let state = INITIAL_LINE_STATE;
  let frames = 0;
  for (let at = 0; at < bytes.length; at += REPORT_BYTES) {
    const parsed = parseLine('hid', 'device', state, bytes.subarray(at, at + REPORT_BYTES));
    state = parsed.state;
    frames += parsed.events.length;
  }
  return frames;
}

const CODECS: readonly Codec[] = [
  {
    name: 'GERTEC_PPC930',
    line: repeated(encodeAbecs(Buffer.concat([Buffer.from('GOX000'), PAYLOAD]))),
    parse: (bytes) => parseAbecs(ABECS_START, bytes).events.length,
  },
  {
    name: 'IDTECH_VP6800 serial',
    line: repeated(encodeNeo('device', NEO_ANSWER)),
    parse: (bytes) => parseLine('serial', 'device', INITIAL_LINE_STATE, bytes).events.length,
  },
  {
    name: 'IDTECH_VP6800 reports',
    line: repeated(Buffer.concat([...encodeOnLine('hid', 'device', NEO_ANSWER)])),
    parse: parseNeoReports,
  },
  {
    name: 'MAGTEK_DYNAFLEX over HID',
    line: repeated(Buffer.concat(encodeReports(PAYLOAD))),
    parse: parseReports,
  },
  {
    name: 'MAGTEK_DYNAFLEX over SLIP',
    line: repeated(encodeSlip('to-host', PAYLOAD)),
    parse: (bytes) => parseSlip(INITIAL_SLIP_STATE, bytes, 'to-host').events.length,
  },
  {
    name: 'MIURA_M020',
    line: repeated(
      encodeMiura({ node: 'mpi', unsolicited: false, apdu: Buffer.concat([PAYLOAD, fromHex('9000')]) }),
    ),
    parse: (bytes) => parseMiura(MIURA_START, bytes).events.length,
  },
  {
    name: 'NEWLAND_P180',
    line: repeated(encodeNewland(Buffer.concat([Buffer.from('L1/'), PAYLOAD]))),
    parse: (bytes) => parseNewland(NEWLAND_START, bytes).events.length,
  },
  {
    name: 'VERIFONE_P400 type A',
    line: repeated(Buffer.concat(encodeTypeA(Buffer.concat([fromHex('9000'), PAYLOAD])))),
    parse: (bytes) => parseTypeA(INITIAL_FRAME_A, bytes).events.length,
  },
  {
    name: 'VERIFONE_P400 type B',
    line: repeated(encodeTypeB(Buffer.concat([fromHex('9000'), PAYLOAD]))),
    parse: (bytes) => parseTypeB(INITIAL_FRAME_B, bytes, MAX_RESPONSE_BYTES).events.length,
  },
];

/** Frames per second of each maker's framing, compared with a bare copy of the same bytes. */
export function benchTerminals(): BenchRow[] {
  return CODECS.map(({ name, line, parse }) => {
    if (parse(line) < FRAMES) throw new Error(`${name} does not read its own frames`);
    const row = measure({
      name: `${name}: ${FRAMES} frames, ${line.length} bytes, against a copy`,
      goal: GOAL,
      ours: () => parse(line),
      baseline: () => Buffer.from(line),
    });
    return {
      ...row,
      name: `${row.name} (${megabytes(row.value, line.length)} MB/s)`,
      unit: `${FRAMES} frames/s`,
    };
  });
}

function megabytes(perSecond: number, bytes: number): string {
  return ((perSecond * bytes) / 1e6).toFixed(0);
}
