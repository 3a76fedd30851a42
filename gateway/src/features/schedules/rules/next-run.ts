import { outcomeOf } from '@tillbridge/wire/payment/result-codes/result-classes.js';
import type { ScheduleRow } from '../../../kernel/store/rows.js';
import { calendarOf } from './calendar.js';
import { type JobPlan, runAfter } from './job-plan.js';
import type { JobFields } from './quartz-expression.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const RUN_RULES = {
  /** A run that is later than this was missed, in milliseconds. Of several missed ones the last is made. */
  missedAfterMs: MINUTE_MS,
  /** Missed runs that are counted at most. */
  maxCounted: 1_000,
} as const;

/** A failed run that a later one may mend, and when it is tried again after it failed, in milliseconds. */
interface RetryRule {
  readonly why: string;
  readonly fits: (resultCode: string, advice: string | undefined) => boolean;
  readonly delaysMs: readonly number[];
}

/** Advice of the network: do not try again (Mastercard merchant advice code). */
const NEVER_AGAIN = '03';
/** Result codes of an account that may have the money later, or an issuer that may answer otherwise later (docs/result-codes.md). */
const LATER: readonly string[] = [
  '800.100.152',
  '800.100.155',
  '800.100.162',
  '800.100.163',
  '800.100.176',
  '800.100.179',
  '800.100.203',
];

/** The rules in their order: the first that fits counts. A run that fits none is not tried again. */
const RETRY_RULES: readonly RetryRule[] = [
  { why: 'the network forbids it', fits: (_, advice) => advice === NEVER_AGAIN, delaysMs: [] },
  {
    why: 'a fault on the way',
    fits: (resultCode) => outcomeOf(resultCode) === 'failed',
    delaysMs: [5 * MINUTE_MS, 60 * MINUTE_MS, 6 * 60 * MINUTE_MS],
  },
  {
    why: 'no money now, or a refusal without a reason',
    fits: (resultCode) => LATER.includes(resultCode),
    delaysMs: [DAY_MS, 3 * DAY_MS, 7 * DAY_MS],
  },
];

/** Result codes of a card that is there no more: no later run will go well (docs/result-codes.md). */
const WITHOUT_CARD = /^100\.150\.2/;

/** What is done with a schedule that is due. */
type DueRun =
  | { readonly do: 'run'; readonly runAtMs: number; readonly attempt: number; readonly missed: number }
  /** It is over, and nothing of it is made any more. */
  | { readonly do: 'end'; readonly missed: number };

/** How a run ended. */
export interface RunOutcome {
  readonly resultCode: string;
  readonly isDeclined: boolean;
  /** Two digits; absent where the issuer advises nothing. */
  readonly advice?: string;
}

type Times = Pick<ScheduleRow, 'fields' | 'timeZone' | 'startMs' | 'endMs'>;

/**
 * Which run of a schedule is made now. While the gateway was down, or the schedule was stuck, runs may have been missed: the last of them
 * is made, the others are not, and after the end of the schedule none is. Pure.
 */
export function dueRun(row: ScheduleRow, nowMs: number): DueRun {
  const { runAtMs, attempt } = row;
  if (runAtMs === null) return { do: 'end', missed: 0 };
  if (attempt > 0) return { do: 'run', runAtMs, attempt, missed: 0 };
  const missedUntilMs = nowMs - RUN_RULES.missedAfterMs;
  if (runAtMs > missedUntilMs) return { do: 'run', runAtMs, attempt, missed: 0 };
  const plan = planOf(row);
  const calendar = calendarOf(plan.fields, plan.timeZone);
  const missed = calendar.next(runAtMs - 1, RUN_RULES.maxCounted).filter((ms) => ms <= missedUntilMs).length;
  if (row.endMs !== null && row.endMs < nowMs) return { do: 'end', missed };
  const last = calendar.upTo(missedUntilMs) ?? runAtMs;
  return { do: 'run', runAtMs: Math.max(last, runAtMs), attempt, missed: missed - 1 };
}

/** The schedule after a run of it has ended: its next run, the same one again, or none. Pure. */
export function afterRun(
  row: ScheduleRow,
  { runAtMs }: { readonly runAtMs: number },
  outcome: RunOutcome,
  nowMs: number,
): ScheduleRow {
  if (WITHOUT_CARD.test(outcome.resultCode)) return ended(row);
  const next = runAfter(planOf(row), runAtMs);
  const retryAtMs = retryTime(row.attempt, outcome, nowMs);
  const isBefore = (limit: number | null | undefined) =>
    retryAtMs !== undefined && (limit === null || limit === undefined || retryAtMs < limit);
  // The next run comes in the place of a later try.
  if (isBefore(next) && isBefore(row.endMs))
    return { ...row, runAtMs, attempt: row.attempt + 1, dueAtMs: retryAtMs ?? null };
  return withRun(row, next);
}

/** The schedule with its next run; without one it has ended. Pure. */
function withRun(row: ScheduleRow, runAtMs: number | undefined): ScheduleRow {
  return runAtMs === undefined ? ended(row) : { ...row, runAtMs, attempt: 0, dueAtMs: runAtMs };
}

/** The schedule with no run to come. Pure. */
export function ended(row: ScheduleRow): ScheduleRow {
  const state = row.descheduledAtMs === null ? 'ended' : 'descheduled';
  return { ...row, state, runAtMs: null, attempt: 0, dueAtMs: null, leasedBy: null };
}

/** The next runs of a schedule, as they are known now. Pure. */
export function previewOf(row: ScheduleRow, nowMs: number, count: number): readonly number[] {
  const { runAtMs, state, attempt } = row;
  if (runAtMs === null || state !== 'active') return [];
  // A run may have been made before its time.
  return nextTimes(planOf(row), Math.max(nowMs, attempt > 0 ? runAtMs : runAtMs - 1), count);
}

/** The next runs after a time, between start and end. Pure. */
export function nextTimes(
  { fields, timeZone, startMs, endMs }: Omit<JobPlan, 'firstRunMs'>,
  ms: number,
  count: number,
): readonly number[] {
  const times = calendarOf(fields, timeZone).next(Math.max(ms, startMs - 1), count);
  return times.filter((each) => endMs === null || each <= endMs);
}

/** The times of the stored schedule. */
function planOf({ fields, timeZone, startMs, endMs }: Times): Omit<JobPlan, 'firstRunMs'> {
  return { fields: JSON.parse(fields) as JobFields, timeZone, startMs, endMs };
}

function retryTime(
  failed: number,
  { resultCode, isDeclined, advice }: RunOutcome,
  nowMs: number,
): number | undefined {
  if (!isDeclined) return undefined;
  const rule = RETRY_RULES.find(({ fits }) => fits(resultCode, advice));
  const delayMs = rule?.delaysMs[failed];
  return delayMs === undefined ? undefined : nowMs + delayMs;
}
