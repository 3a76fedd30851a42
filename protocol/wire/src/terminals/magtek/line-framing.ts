import type { Parsed } from '../parsed.js';
import type { Direction, FrameEvent } from './framing.js';
import { encodeReports, INITIAL_REPORT_STATE, parseReport } from './hid-packets.js';
import { encodeSlip, INITIAL_SLIP_STATE, parseSlip } from './slip.js';

/** How messages go over a line: reports of 64 bytes (USB-HID), or SLIP (serial line). */
export type MmsTransport = 'hid' | 'serial';

/** A line's framing as one of its ends sees it. */
interface LineFraming<S> {
  readonly initial: S;
  /** The messages in what the other end sent. */
  readonly parse: (state: S, bytes: Uint8Array) => Parsed<S, FrameEvent>;
  /** The pieces of a message, each to be written alone. @throws TerminalFormatError */
  readonly frames: (message: Uint8Array) => readonly Uint8Array[];
}

type ReportState = typeof INITIAL_REPORT_STATE;
type SlipState = typeof INITIAL_SLIP_STATE;

/** The framing of a transport. @param sends the direction in which this end sends */
export function lineFraming(transport: MmsTransport, sends: Direction): LineFraming<ReportState | SlipState> {
  const receives: Direction = sends === 'to-device' ? 'to-host' : 'to-device';
  if (transport === 'hid') {
    return {
      initial: INITIAL_REPORT_STATE,
      parse: (state, bytes) => parseReport(state as ReportState, bytes),
      frames: encodeReports,
    };
  }
  return {
    initial: INITIAL_SLIP_STATE,
    parse: (state, bytes) => parseSlip(state as SlipState, bytes, receives),
    frames: (message) => [encodeSlip(sends, message)],
  };
}
