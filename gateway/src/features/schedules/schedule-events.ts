import { type FramedEventDeps, framedEvent } from '../../kernel/events/framed-event.js';
import type { ScheduleRow } from '../../kernel/store/rows.js';
import type { Change } from '../../kernel/store/store.js';
import { scheduleView } from './schedule-view.js';

/** Changes of a schedule that are notified to its merchant. */
export type ScheduleEventKind = 'schedule-created' | 'schedule-changed' | 'schedule-ended';

/** What the events of schedules are made with. */
export type ScheduleEventDeps = FramedEventDeps;

/** Code of what happened. */
const DONE = '000.000.100';

/** The changes that report a schedule, as it is from now on. @throws StoreUnavailableError */
export function scheduleEvent(
  deps: ScheduleEventDeps,
  row: ScheduleRow,
  kind: ScheduleEventKind,
): Promise<readonly Change[]> {
  const about = { entityId: row.entityId, kind, resultCode: DONE } as const;
  return framedEvent(deps, about, (frame, nowMs) => ({ ...scheduleView(row, nowMs), ...frame }));
}
