import { clearAlert, raiseAlert } from '../../../kernel/alerts/alert-changes.js';
import type { DeliveryRow, WebhookEndpointRow } from '../../../kernel/store/rows.js';
import type { Change } from '../../../kernel/store/store.js';
import { type DeliveryTry, isTaken, triesOf, withTry } from './delivery-log.js';
import { nextTry } from './retry-schedule.js';

/** Failures of one delivery in a row after which an alert is raised. */
const FAILURES_BEFORE_ALERT = 5;

/** What becomes of a delivery. */
export interface DeliveryVerdict {
  readonly row: DeliveryRow;
  readonly changes: readonly Change[];
}

/** A delivery after a try: delivered, to be tried again, or given up. Pure. */
export function decideDelivery(
  row: DeliveryRow,
  { id, entityId }: Pick<WebhookEndpointRow, 'id' | 'entityId'>,
  tried: DeliveryTry,
  nowMs: number,
): DeliveryVerdict {
  const attempts = withTry(row, tried);
  if (isTaken(tried))
    return {
      row: { ...row, attempts, state: 'delivered', dueAtMs: null },
      changes: [clearAlert('webhook-failing', id, nowMs)],
    };
  const failures = triesOf({ attempts }).filter(({ atMs }) => atMs >= row.sinceMs).length;
  const nextMs = nextTry(failures, row.sinceMs, nowMs);
  const detail = `delivery ${row.sequence}, try ${failures}: ${tried.status ?? tried.fault ?? 'no answer'}`;
  const alert = raiseAlert({ code: 'webhook-failing', subject: id, entityId, detail }, nowMs);
  const changes = failures >= FAILURES_BEFORE_ALERT ? [alert] : [];
  if (nextMs === undefined) return { row: { ...row, attempts, state: 'givenUp', dueAtMs: null }, changes };
  return { row: { ...row, attempts, dueAtMs: nextMs }, changes };
}
