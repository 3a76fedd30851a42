import {
  CHECKPOINT_ROW,
  COUNTERSIGNED_ROW,
  OPENED_ROW,
  RESTORED_ROW,
  STANDING_ROW,
  STREAMS_ROW,
} from '@tillbridge/agent/journal/journal.js';
import { TILL_REQUEST_ROW } from '@tillbridge/agent/nexo/requests/till-requests.js';
import type { FactKind } from '@tillbridge/agent/sale/machine/state/facts.js';
import { CONTACT_ROW } from '@tillbridge/agent/sale/records/contact-row.js';
import { DAY_CLOSE_PART_ROW, DAY_CLOSE_ROW } from '@tillbridge/agent/sale/totals/day-close.js';
import { ZVT_ACKNOWLEDGED_ROW, ZVT_REQUEST_ROW } from '@tillbridge/agent/zvt/requests/zvt-requests.js';

/** Where a real process dies before and after the commit of a row. */
interface CrashProof {
  readonly file: string;
}

const SALES: CrashProof = { file: 'crash-points.test.ts' };
const SLOW: CrashProof = { file: 'crash-slow-points.test.ts' };
const JOURNAL: CrashProof = { file: 'crash-bare-journal.test.ts' };

/** The kinds of rows that a sale writes. A new kind without a proof does not compile. */
const OF_SALES: Readonly<Record<Exclude<FactKind, 'reading'>, CrashProof>> = {
  accepted: SALES,
  authorizing: SALES,
  answered: SALES,
  completed: SALES,
  unknown: SALES,
  reversal: SALES,
  'preceding-reversal': SALES,
  'offline-record': SALES,
  capture: SALES,
  'voice-authorization': SALES,
  'late-decline-acknowledged': SALES,
  acknowledged: SALES,
  ended: SALES,
  overdue: SLOW,
  'too-old': SLOW,
  parked: SLOW,
  withdrawn: { file: 'manual-resolution.test.ts' },
  'cancel-if-unseen': { file: 'manual-resolution.test.ts' },
};

/** The other kinds. */
const OF_THE_JOURNAL: Readonly<Record<string, CrashProof>> = {
  [OPENED_ROW]: JOURNAL,
  [STANDING_ROW]: JOURNAL,
  [RESTORED_ROW]: JOURNAL,
  [STREAMS_ROW]: SLOW,
  [CONTACT_ROW]: SLOW,
  [COUNTERSIGNED_ROW]: SLOW,
  [TILL_REQUEST_ROW]: { file: 'nexo.test.ts' },
  [ZVT_REQUEST_ROW]: { file: 'zvt.test.ts' },
  [ZVT_ACKNOWLEDGED_ROW]: { file: 'zvt.test.ts' },
  [DAY_CLOSE_ROW]: SLOW,
  [DAY_CLOSE_PART_ROW]: SLOW,
  [CHECKPOINT_ROW]: { file: 'crash-compaction.test.ts' },
};

/** Every kind of row that the agent journals. */
export const CRASH_PROOFS: Readonly<Record<string, CrashProof>> = { ...OF_SALES, ...OF_THE_JOURNAL };
