import { formatAmount } from '@tillbridge/wire/payment/money.js';
import { present } from '@tillbridge/wire/present.js';
import { offsetText } from '@tillbridge/wire/text/local-time.js';
import type { ScheduleRow, ScheduleRunRow } from '../../kernel/store/rows.js';
import type { JobValues } from './rules/job-plan.js';
import { previewOf } from './rules/next-run.js';
import { paymentOf } from './scheduled-payment.js';

/** Runs that an answer shows: the next ones, and the last ones. */
export const SHOWN_RUNS = 5;

/** A schedule as answers, lists and notifications show it. Times are those of its time zone, with their offset. Pure. */
export function scheduleView(
  row: ScheduleRow,
  nowMs: number,
  runs: readonly ScheduleRunRow[] = [],
): Readonly<Record<string, unknown>> {
  const { id, entityId, vaultId, referencedId, state, timeZone, startMs, endMs } = row;
  const { sentType, amount, echo } = paymentOf(row);
  const time = (ms: number) => offsetText(ms, timeZone);
  return {
    ...echo,
    id,
    entityId,
    registrationId: vaultId,
    ...present({ referencedId }),
    paymentType: sentType,
    amount: formatAmount(amount),
    currency: amount.currency,
    state,
    job: JSON.parse(row.job) as JobValues,
    timeZone,
    start: time(startMs),
    ...(endMs !== null && { end: time(endMs) }),
    ...(row.descheduledAtMs !== null && { descheduledAt: time(row.descheduledAtMs) }),
    ...(row.attempt > 0 && row.dueAtMs !== null && { retryAt: time(row.dueAtMs) }),
    nextExecutions: previewOf(row, nowMs, SHOWN_RUNS).map(time),
    lastExecutions: runs.map(({ runAtMs, attempt, paymentId, missed }) => ({
      at: time(runAtMs),
      attempt,
      paymentId,
      missed,
    })),
  };
}
