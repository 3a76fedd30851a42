import { TerminalFormatError } from '../format-error.js';
import { type FrameEvent, MAX_MESSAGE_BYTES } from './framing.js';

/** Bytes of a report, in both directions; reports are not numbered. */
export const REPORT_BYTES = 64;

/** First byte of a report. */
export const PACKET_TYPES = { single: 0x00, head: 0x01, middle: 0x02, tail: 0x03, cancel: 0x04 } as const;

const SINGLE_BYTES = 62;
const HEAD_BYTES = 59;
const MIDDLE_BYTES = 61;
const TAIL_BYTES = 62;

/** A message of several reports that is not whole yet. */
interface Assembly {
  readonly total: number;
  readonly parts: readonly Buffer[];
  readonly length: number;
  /** Number of the last middle report. */
  readonly number: number;
}

/** What a parser remembers between two reports. */
export interface ReportState {
  readonly assembly: Assembly | undefined;
}

/** Nothing has come yet. */
export const INITIAL_REPORT_STATE: ReportState = { assembly: undefined };

interface Parsed {
  readonly state: ReportState;
  readonly events: readonly FrameEvent[];
}

function report(...parts: readonly Uint8Array[]): Buffer {
  return Buffer.concat(parts, REPORT_BYTES);
}

function number16(value: number): Buffer {
  return Buffer.of(value >> 8, value & 0xff);
}

/** The reports of a message, in their order. @throws TerminalFormatError when it is too long */
export function encodeReports(message: Uint8Array): Buffer[] {
  const { length } = message;
  if (length > MAX_MESSAGE_BYTES)
    throw new TerminalFormatError('message', `has ${length} bytes, at most ${MAX_MESSAGE_BYTES}`);
  if (length <= SINGLE_BYTES) return [report(Buffer.of(PACKET_TYPES.single, length), message)];
  const total = Buffer.alloc(4);
  total.writeUInt32BE(length);
  const reports = [report(Buffer.of(PACKET_TYPES.head), total, message.subarray(0, HEAD_BYTES))];
  let at = HEAD_BYTES;
  for (let number = 1; length - at > TAIL_BYTES; number += 1) {
    const part = message.subarray(at, at + MIDDLE_BYTES);
    reports.push(report(Buffer.of(PACKET_TYPES.middle), number16(number), part));
    at += MIDDLE_BYTES;
  }
  reports.push(report(Buffer.of(PACKET_TYPES.tail, length - at), message.subarray(at)));
  return reports;
}

const DAMAGED: readonly FrameEvent[] = [{ kind: 'damaged' }];

/**
 * Takes one report. A report that came twice is no damage, nor is a part whose head was lost: the loss was reported when it
 * happened. A single message may come between the parts of a long one.
 */
export function parseReport(state: ReportState, bytes: Uint8Array): Parsed {
  if (bytes.length !== REPORT_BYTES) return { state: INITIAL_REPORT_STATE, events: DAMAGED };
  const data = Buffer.from(bytes);
  switch (data[0]) {
    case PACKET_TYPES.single:
      return single(state, data);
    case PACKET_TYPES.head:
      return head(state, data);
    case PACKET_TYPES.middle:
      return middle(state, data);
    case PACKET_TYPES.tail:
      return tail(state, data);
    case PACKET_TYPES.cancel:
      return { state: INITIAL_REPORT_STATE, events: [] };
    default:
      return { state: INITIAL_REPORT_STATE, events: DAMAGED };
  }
}

function single(state: ReportState, data: Buffer): Parsed {
  const length = data[1] ?? 0;
  if (length > SINGLE_BYTES) return { state, events: DAMAGED };
  return { state, events: [{ kind: 'message', bytes: data.subarray(2, 2 + length) }] };
}

function head({ assembly }: ReportState, data: Buffer): Parsed {
  const total = data.readUInt32BE(1);
  if (total <= SINGLE_BYTES || total > MAX_MESSAGE_BYTES)
    return { state: INITIAL_REPORT_STATE, events: DAMAGED };
  const first = data.subarray(5);
  const begun = { total, parts: [first], length: HEAD_BYTES, number: 0 };
  const twice =
    assembly?.number === 0 && assembly.total === total && assembly.parts[0]?.equals(first) === true;
  return { state: { assembly: begun }, events: assembly && !twice ? DAMAGED : [] };
}

function middle(state: ReportState, data: Buffer): Parsed {
  const { assembly } = state;
  if (!assembly) return { state, events: [] };
  const number = data.readUInt16BE(1);
  const part = data.subarray(3);
  if (number === assembly.number && assembly.parts.at(-1)?.equals(part)) return { state, events: [] };
  const length = assembly.length + MIDDLE_BYTES;
  if (number !== assembly.number + 1 || length >= assembly.total)
    return { state: INITIAL_REPORT_STATE, events: DAMAGED };
  return {
    state: { assembly: { ...assembly, parts: [...assembly.parts, part], length, number } },
    events: [],
  };
}

function tail(state: ReportState, data: Buffer): Parsed {
  const { assembly } = state;
  if (!assembly) return { state, events: [] };
  const length = data[1] ?? 0;
  if (length > TAIL_BYTES || assembly.length + length !== assembly.total)
    return { state: INITIAL_REPORT_STATE, events: DAMAGED };
  const bytes = Buffer.concat([...assembly.parts, data.subarray(2, 2 + length)]);
  return { state: INITIAL_REPORT_STATE, events: [{ kind: 'message', bytes }] };
}
