import { HEADER } from '@tillbridge/wire/terminals/idtech/frame.js';
import { REPORT_IDS } from '@tillbridge/wire/terminals/idtech/hid-report.js';
import type { NeoLine } from '@tillbridge/wire/terminals/idtech/line.js';
import type { LineStyle } from '../../faults/fault-registry.js';

/** How faults know the line: the end of a report is filling, so a report is bent where its frame is. */
export function lineStyleOf(line: NeoLine): LineStyle {
  return line === 'hid' ? { reports: true, corrupt: bentReport } : {};
}

function bentReport(report: Uint8Array): Uint8Array {
  const bent = Uint8Array.from(report);
  const begins = report[0] === REPORT_IDS.whole || report[0] === REPORT_IDS.first;
  const at = begins ? 1 + HEADER.length : 1;
  bent[at] = (bent[at] ?? 0) ^ 0xff;
  return bent;
}
