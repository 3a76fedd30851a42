import type { Parsed } from '../parsed.js';
import {
  encodeFrame,
  type FrameEvent,
  type FrameState,
  INITIAL_FRAME_STATE,
  type NeoFrame,
  parseFrames,
  type Sender,
} from './frame.js';
import { encodeReports, INITIAL_REPORT_STATE, type ReportState, takeReport } from './hid-report.js';

/** How frames travel: one behind the other (RS-232), or in reports (USB-HID). */
export type NeoLine = 'serial' | 'hid';

/** What a reader of a line remembers between two pieces. */
interface LineState {
  readonly frames: FrameState;
  readonly reports: ReportState;
}

/** Nothing has come yet. */
export const INITIAL_LINE_STATE: LineState = { frames: INITIAL_FRAME_STATE, reports: INITIAL_REPORT_STATE };

/** The writes of a frame: one, or one for each report. @throws TerminalFormatError when the data are too long */
export function encodeOnLine(
  line: NeoLine,
  sender: Sender,
  frame: Omit<NeoFrame, 'data'> & { readonly data: Uint8Array },
): readonly Buffer[] {
  const bytes = encodeFrame(sender, frame);
  return line === 'hid' ? encodeReports(bytes) : [bytes];
}

/** Takes what arrived: bytes of any size, or one report. */
export function parseLine(
  line: NeoLine,
  sender: Sender,
  state: LineState,
  bytes: Uint8Array,
): Parsed<LineState, FrameEvent> {
  if (line === 'serial') {
    const { state: frames, events } = parseFrames(sender, state.frames, bytes);
    return { state: { ...state, frames }, events };
  }
  const { state: reports, whole } = takeReport(state.reports, bytes);
  return { state: { ...state, reports }, events: whole ? frameOf(sender, whole) : [] };
}

/** The one frame of a report or a row of reports; what follows it is filling. */
function frameOf(sender: Sender, whole: Buffer): readonly FrameEvent[] {
  const [first] = parseFrames(sender, INITIAL_FRAME_STATE, whole).events;
  return [first?.kind === 'frame' ? first : { kind: 'damaged' }];
}
