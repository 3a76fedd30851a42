import type { FirstSight, RecordAges } from '@tillbridge/agent/sale/offline/record-ages.js';
import type { KnownTime, StoredTime, TimeFloor } from '@tillbridge/agent/sale/offline/time-floor.js';
import type { Action } from '../core/model.js';

/** What a running process of the agent knows of the time. */
export interface TimeProcess {
  readonly known: KnownTime;
  /** When it journaled a contact last, by its highest time. */
  readonly contactJournaledMs: number;
  /** When it saw the record that waits. */
  readonly sight?: FirstSight;
  /** The minute in which it started: its monotonic clock begins there. */
  readonly startedMin: number;
  /** Rows that the disk does not have yet. */
  readonly pending: readonly ContactRow[];
  /** The gateway's time as it came in last, and in which minute. */
  readonly gateway?: { readonly timeMs: number; readonly min: number };
  /** The highest time that it was shown: of the gateway, or of a row. */
  readonly highestMs: number;
}

/** A contact that is journaled. */
export interface ContactRow {
  readonly stored: StoredTime;
  readonly atMs: number;
  /** What its process had been shown. */
  readonly highestMs: number;
}

/** The journal, as far as it has times. */
export interface TimeDisk {
  readonly contact?: ContactRow;
  /** Highest stamp of all rows, and of those behind the contact. */
  readonly highestAtMs: number;
  readonly highestAtMsAfter: number;
  /** What the rows show of the time. */
  readonly shownMs: number;
}

/** An offline record that waits for its confirmation. */
export interface WaitingRecord {
  readonly atMs: number;
  readonly min: number;
}

/** A store, a gateway and their clocks. Minutes are those of the true time, which no clock shows. */
export interface ClocksState {
  readonly min: number;
  /** Minutes by which the clock of the store, and the gateway's, are ahead. */
  readonly storeAheadMin: number;
  readonly gatewayAheadMin: number;
  readonly process?: TimeProcess;
  readonly disk: TimeDisk;
  readonly record?: WaitingRecord;
  /** In which minute the store last had a message of the gateway. */
  readonly contactMin?: number;
  /** The most that the clocks were seen to be wrong by, in minutes. */
  readonly storeErrorMin: number;
  readonly gatewayErrorMin: number;
  /** Clocks that may still be set wrong, and ends of the process. */
  readonly faults: number;
  readonly breach?: string;
}

/** What may happen. */
export interface ClocksAction extends Action {
  readonly to: () => ClocksState | Promise<ClocksState>;
}

/** Where a deliberate bug may stand. */
export interface ClockSeams {
  readonly timeFloor?: (time: TimeFloor) => TimeFloor;
  readonly recordAges?: (ages: RecordAges, time: TimeFloor) => RecordAges;
  /** What a start reads of the last contact. */
  readonly restores?: (stored: StoredTime) => StoredTime;
}
