import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { PaymentService } from '../../core/payments/payment-service.js';
import { type PaymentResult, RunClaimedError } from '../../core/payments/rules/requests.js';
import { merchantAdvice } from '../../core/payments/view/merchant-advice.js';
import { raiseAlert } from '../../kernel/alerts/alert-changes.js';
import { TryLaterError } from '../../kernel/errors/try-later-error.js';
import { newTimeOrderedId } from '../../kernel/store/new-id.js';
import type { ScheduleRow, ScheduleRunRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import type { ClaimDeps, ClaimLimits, ClaimLoop, WorkDone } from '../../kernel/workers/claim-loop.js';
import { claimRows } from '../../kernel/workers/claim-rows.js';
import { afterRun, dueRun, ended, type RunOutcome } from './rules/next-run.js';
import { type ScheduleEventDeps, scheduleEvent } from './schedule-events.js';
import { requestOfRun } from './scheduled-payment.js';

/** What the runs of schedules are made with. */
interface ScheduleRunnerDeps extends ScheduleEventDeps, ClaimDeps {
  readonly store: Pick<Store, 'get' | 'findRange' | 'commit'>;
  readonly clock: Clock;
  readonly service: Pick<PaymentService, 'authorize' | 'lookUp'>;
  readonly limits?: Partial<ClaimLimits>;
}

const RUNNER_LIMITS = {
  /** Runs made at once. */
  concurrency: 4,
  /** When a run without an outcome is looked at again, in milliseconds. */
  lookAgainMs: 10_000,
  /** How long a run may have no outcome before the schedule goes on without it, in milliseconds: a payment may wait for a person. */
  outcomeMs: 10 * 60_000,
} as const;

/**
 * Makes the runs of schedules when they are due: payments by the same service as those of a merchant. The run's key and the lease of its schedule
 * are part of the payment's first commit, so that a run is made once, whichever node dies and however many work on the same schedules.
 */
export function scheduleLoop(deps: ScheduleRunnerDeps): ClaimLoop<ScheduleRow> {
  const runner = new ScheduleRunner(deps);
  return claimRows('schedules', {
    ...deps,
    work: (row) => runner.work(row),
    poisoned: suspended,
    limits: { concurrency: RUNNER_LIMITS.concurrency, ...deps.limits },
  });
}

class ScheduleRunner {
  readonly #deps: ScheduleRunnerDeps;

  constructor(deps: ScheduleRunnerDeps) {
    this.#deps = deps;
  }

  async work(row: ScheduleRow): Promise<WorkDone<ScheduleRow>> {
    const { clock } = this.#deps;
    if (row.state !== 'active' || row.runAtMs === null) return { row: { ...row, dueAtMs: null } };
    const before = await this.#madeRun(row.id, row.runAtMs, row.attempt);
    if (before) return this.#finish(row, before);
    const due = dueRun(row, clock.nowMs());
    if (due.do === 'end') return this.#end(ended(row));
    const made = await this.#madeRun(row.id, due.runAtMs, due.attempt);
    return made ? this.#finish(row, made) : this.#make(row, due);
  }

  #madeRun(scheduleId: string, runAtMs: number, attempt: number): Promise<ScheduleRunRow | undefined> {
    return this.#deps.store.get('scheduleRuns', [scheduleId, runAtMs, attempt]);
  }

  async #make(
    row: ScheduleRow,
    { runAtMs, attempt, missed }: Pick<ScheduleRunRow, 'runAtMs' | 'attempt' | 'missed'>,
  ): Promise<WorkDone<ScheduleRow>> {
    const { service, random, clock } = this.#deps;
    const createdAtMs = clock.nowMs();
    const run: ScheduleRunRow = {
      scheduleId: row.id,
      runAtMs,
      attempt,
      paymentId: newTimeOrderedId(random, createdAtMs),
      // The loop has claimed it.
      leasedBy: row.leasedBy ?? '',
      missed,
      createdAtMs,
      version: 1,
    };
    try {
      return await this.#next(row, run, outcomeOfResult(await service.authorize(requestOfRun(row, run))));
    } catch (error) {
      // Its outcome comes later; or another node goes on with the schedule.
      if (!(error instanceof TryLaterError) && !(error instanceof RunClaimedError)) throw error;
      return this.#lookAgain(row);
    }
  }

  /** Goes on after a run that was made before: by a process that ended, or with an outcome that came late. */
  async #finish(row: ScheduleRow, run: ScheduleRunRow): Promise<WorkDone<ScheduleRow>> {
    const { service, clock } = this.#deps;
    const payment = await service.lookUp(run.paymentId, row.entityId);
    const isOpen = payment === undefined || payment.state === 'pending';
    if (isOpen && clock.nowMs() - run.createdAtMs < RUNNER_LIMITS.outcomeMs) return this.#lookAgain(row);
    return this.#next(row, run, {
      resultCode: payment?.resultCode ?? '',
      isDeclined: payment?.state === 'declined',
      ...adviceOf(payment?.responseCode ?? undefined),
    });
  }

  async #next(row: ScheduleRow, run: ScheduleRunRow, outcome: RunOutcome): Promise<WorkDone<ScheduleRow>> {
    const next = afterRun(row, run, outcome, this.#deps.clock.nowMs());
    return next.state === 'active' ? { row: next } : this.#end(next);
  }

  async #end(row: ScheduleRow): Promise<WorkDone<ScheduleRow>> {
    return { row, changes: await scheduleEvent(this.#deps, row, 'schedule-ended') };
  }

  #lookAgain(row: ScheduleRow): WorkDone<ScheduleRow> {
    return { row: { ...row, dueAtMs: this.#deps.clock.nowMs() + RUNNER_LIMITS.lookAgainMs } };
  }
}

function suspended(row: ScheduleRow, nowMs: number): WorkDone<ScheduleRow> {
  const { id, entityId, claims } = row;
  const detail = `${claims} claims came to no end`;
  return {
    row: { ...row, state: 'suspended', dueAtMs: null },
    changes: [raiseAlert({ code: 'schedule-suspended', subject: id, entityId, detail }, nowMs)],
  };
}

function outcomeOfResult({ resultCode, disposition, responseCode }: PaymentResult): RunOutcome {
  const isDeclined = disposition === 'declined' || disposition === 'refused';
  return { resultCode, isDeclined, ...adviceOf(responseCode) };
}

function adviceOf(responseCode: string | undefined): Pick<RunOutcome, 'advice'> {
  const advice = responseCode === undefined ? undefined : merchantAdvice(responseCode);
  return advice === undefined ? {} : { advice };
}
