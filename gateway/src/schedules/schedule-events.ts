import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { Random } from '@tillbridge/protocol/seams/random.js';
import type { EntityEvents } from '../events/entity-events.js';
import { answerFrame } from '../payments/view/answer-frame.js';
import { newTimeOrderedId } from '../store/new-id.js';
import type { ScheduleRow } from '../store/rows.js';
import type { Change } from '../store/store.js';
import { scheduleView } from './schedule-view.js';

/** What happens to a schedule that its merchant is told of. */
export type ScheduleEventKind = 'schedule-created' | 'schedule-changed' | 'schedule-ended';

/** What the events of schedules are made with. */
export interface ScheduleEventParts {
  readonly events: EntityEvents;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly random: Random;
  readonly buildNumber: string;
}

/** Code of what happened. */
const DONE = '000.000.100';

/** The changes that tell of a schedule, as it is from now on. @throws StoreUnavailableError */
export async function scheduleEvent(
  { events, clock, random, buildNumber }: ScheduleEventParts,
  row: ScheduleRow,
  kind: ScheduleEventKind,
): Promise<readonly Change[]> {
  const { changes } = await events.of(row.entityId);
  const nowMs = clock.nowMs();
  const id = newTimeOrderedId(random, nowMs);
  const payload = { ...scheduleView(row, nowMs), ...answerFrame(DONE, { buildNumber, ndc: id, nowMs }) };
  return changes({ id, kind, paymentId: null, payload, nowMs });
}
