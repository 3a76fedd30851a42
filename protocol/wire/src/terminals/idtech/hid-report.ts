import { MAX_FRAME_BYTES } from './frame.js';

/** Bytes of a report, its id among them. */
export const REPORT_BYTES = 64;
/** Bytes of a frame in one report. */
const PAYLOAD_BYTES = REPORT_BYTES - 1;

/** What a report is of its frame (NEO 2 guide §2.8.1). Other ids mean nothing. */
export const REPORT_IDS = { whole: 0x01, first: 0x02, middle: 0x03, last: 0x04 } as const;

/** What is there of a frame that is not whole: the payloads of its reports so far. */
export interface ReportState {
  readonly parts: Buffer | undefined;
}

/** Nothing has come yet. */
export const INITIAL_REPORT_STATE: ReportState = { parts: undefined };

/** The reports of a frame; the last one is filled with zeros. */
export function encodeReports(frame: Uint8Array): Buffer[] {
  const count = Math.max(1, Math.ceil(frame.length / PAYLOAD_BYTES));
  return Array.from({ length: count }, (_, index) => {
    const report = Buffer.alloc(REPORT_BYTES);
    report[0] = reportId(index, count);
    report.set(frame.subarray(index * PAYLOAD_BYTES, (index + 1) * PAYLOAD_BYTES), 1);
    return report;
  });
}

function reportId(index: number, count: number): number {
  if (count === 1) return REPORT_IDS.whole;
  if (index === 0) return REPORT_IDS.first;
  return index === count - 1 ? REPORT_IDS.last : REPORT_IDS.middle;
}

/**
 * Takes one report. Unknown ids, and parts without a beginning, are passed over, as in the guide; a new beginning takes
 * the place of a frame that never became whole, and a frame in one report, as a notification is, leaves the parts be.
 * @returns the bytes of a frame with their filling, when the report completes one
 */
export function takeReport(
  { parts }: ReportState,
  report: Uint8Array,
): { readonly state: ReportState; readonly whole?: Buffer } {
  const payload = Buffer.from(report.subarray(1, REPORT_BYTES));
  switch (report[0]) {
    case REPORT_IDS.whole:
      return { state: { parts }, whole: payload };
    case REPORT_IDS.first:
      return { state: { parts: payload } };
    case REPORT_IDS.middle:
      return { state: parts ? continued(parts, payload) : INITIAL_REPORT_STATE };
    case REPORT_IDS.last:
      if (!parts) return { state: INITIAL_REPORT_STATE };
      return { state: INITIAL_REPORT_STATE, whole: Buffer.concat([parts, payload]) };
    default:
      return { state: { parts } };
  }
}

/** A frame that grows beyond the longest is none. */
function continued(parts: Buffer, payload: Buffer): ReportState {
  const longer = Buffer.concat([parts, payload]);
  return longer.length > MAX_FRAME_BYTES ? INITIAL_REPORT_STATE : { parts: longer };
}
