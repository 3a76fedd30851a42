import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import type { EntityEvents } from '../../kernel/events/entity-events.js';
import { findAll } from '../../kernel/store/all-rows.js';
import { decideAgain } from '../../kernel/store/decide-again.js';
import { newTimeOrderedId } from '../../kernel/store/new-id.js';
import type { ScheduleRow, ScheduleRunRow } from '../../kernel/store/rows.js';
import type { Change, Store } from '../../kernel/store/store.js';
import { type JobPlan, type JobValues, noticeEnd, planJob } from './rules/job-plan.js';
import { ended } from './rules/next-run.js';
import { intervalFault, type ScheduleTimes } from './rules/shortest-interval.js';
import { jobError, ScheduleError } from './schedule-error.js';
import { type ScheduleEventKind, scheduleEvent } from './schedule-events.js';
import { SHOWN_RUNS } from './schedule-view.js';
import { paymentOf, type ScheduledPayment, standingOfRuns, withStanding } from './scheduled-payment.js';
import { type InstrumentName, type StoredInstrument, storedInstrument } from './stored-instrument.js';
import { timeZoneOf } from './time-zones.js';

/** What schedules are looked after with. */
interface SchedulesDeps {
  readonly store: Pick<Store, 'get' | 'find' | 'findRange' | 'commit'>;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'setTimer'>;
  readonly random: Random;
  readonly events: EntityEvents;
  readonly buildNumber: string;
  readonly times: ScheduleTimes;
}

export const SCHEDULE_LIMITS = {
  /** Schedules of one card that run. */
  perCard: 50,
} as const;

/** A new schedule. */
export interface NewSchedule {
  readonly instrument: InstrumentName;
  readonly payment: ScheduledPayment;
  readonly job: JobValues;
}

/** What a schedule is to be from now on: its job, and its payment where that changes too. */
export interface Rescheduled {
  readonly job: JobValues;
  readonly payment?: Partial<Pick<ScheduledPayment, 'amount' | 'reference'>>;
}

/** Entities whose schedules alone there are. */
type Owners = readonly string[];

/** Makes, shows, changes and ends schedules; the runs are made by `scheduleLoop`. All methods may throw StoreUnavailableError. */
export class Schedules {
  readonly #deps: SchedulesDeps;

  constructor(deps: SchedulesDeps) {
    this.#deps = deps;
  }

  /** Makes a schedule of the entity that the card was kept for. @throws ScheduleError */
  create(about: NewSchedule, owners: Owners): Promise<ScheduleRow> {
    return this.#untilCommitted('the card', () => this.#create(about, owners));
  }

  async #create(about: NewSchedule, owners: Owners): Promise<ScheduleRow> {
    const { store, clock, random } = this.#deps;
    const instrument = await this.#instrument(about.instrument, owners);
    const { entityId, vaultId, referencedId = null } = instrument;
    // Read before its schedules are counted: one that is made at the same moment conflicts.
    const kept = await this.#keepCard(about, vaultId);
    const running = (await findAll(store, 'schedules', 'card', [vaultId])).filter(isActive);
    if (running.length >= SCHEDULE_LIMITS.perCard)
      throw new ScheduleError('too-many', `the card has ${running.length} schedules, the most`);
    const nowMs = clock.nowMs();
    const plan = await this.#plan(about.job, entityId, nowMs);
    const standing = standingOfRuns(about.payment.standing, instrument.agreement);
    const { agreement, referencedId: begun } = instrument;
    const isAgreed = agreement ?? standing.initialTransactionId ?? standing.agreementId ?? begun;
    if (isAgreed === undefined)
      throw new ScheduleError('without-agreement', 'no payment of the cardholder began what the runs repeat');
    const payment = { ...about.payment, standing, echo: withStanding(about.payment.echo, standing) };
    const row: ScheduleRow = {
      id: newTimeOrderedId(random, nowMs),
      entityId,
      state: 'active',
      vaultId,
      referencedId,
      payment: JSON.stringify(payment),
      ...timesOf(about.job, plan),
      attempt: 0,
      leasedBy: null,
      claims: 0,
      descheduledAtMs: null,
      createdAtMs: nowMs,
      version: 1,
    };
    const event = await this.#event(row, 'schedule-created');
    await store.commit([{ op: 'insert', table: 'schedules', row }, kept, ...event]);
    return row;
  }

  /** The schedule of an id. @throws ScheduleError unknown-schedule, for another's too */
  async find(id: string, owners: Owners): Promise<ScheduleRow> {
    const row = await this.#deps.store.get('schedules', [id]);
    if (!row || !owners.includes(row.entityId))
      throw new ScheduleError('unknown-schedule', `there is no schedule ${id}`);
    return row;
  }

  /** The schedules of a registration, the newest first. */
  async ofRegistration(registrationId: string, owners: Owners): Promise<readonly ScheduleRow[]> {
    const rows = await findAll(this.#deps.store, 'schedules', 'card', [registrationId]);
    return rows.filter(({ entityId }) => owners.includes(entityId)).reverse();
  }

  /** The last runs of a schedule, the newest first. */
  lastRuns(id: string): Promise<readonly ScheduleRunRow[]> {
    const range = { equals: [id], descending: true, limit: SHOWN_RUNS };
    return this.#deps.store.findRange('scheduleRuns', 'time', range);
  }

  /** Gives a schedule another job from now on. One that was suspended runs again. @throws ScheduleError */
  reschedule(id: string, owners: Owners, wanted: Rescheduled): Promise<ScheduleRow> {
    return this.#change(id, owners, 'schedule-changed', async (row, nowMs) => {
      if (!isActive(row) && row.state !== 'suspended') throw notScheduled(row);
      const plan = await this.#plan(wanted.job, row.entityId, nowMs);
      const payment = JSON.stringify({ ...paymentOf(row), ...wanted.payment });
      const again = { state: 'active', payment, attempt: 0, claims: 0, descheduledAtMs: null } as const;
      return { ...row, ...again, ...timesOf(wanted.job, plan) };
    });
  }

  /** Ends a schedule: at once, or when its notice is over. @throws ScheduleError */
  deschedule(id: string, owners: Owners): Promise<ScheduleRow> {
    return this.#change(id, owners, 'schedule-ended', async (row, nowMs) => {
      if (!isActive(row) && row.state !== 'suspended') throw notScheduled(row);
      const descheduled = { ...row, descheduledAtMs: nowMs };
      const untilMs = noticeEnd(JSON.parse(row.job) as JobValues, row, nowMs);
      if (untilMs === undefined || !isActive(row)) return ended(descheduled);
      const { runAtMs } = row;
      if (runAtMs === null || runAtMs > untilMs) return ended({ ...descheduled, endMs: untilMs });
      const dueAtMs = row.attempt > 0 ? row.dueAtMs : runAtMs;
      return { ...descheduled, endMs: untilMs, dueAtMs };
    });
  }

  /** A schedule that has a next run. @throws ScheduleError */
  async findRunning(id: string, owners: Owners): Promise<ScheduleRow> {
    const row = await this.find(id, owners);
    if (!isActive(row) || row.runAtMs === null) throw notScheduled(row);
    return row;
  }

  async #instrument(name: InstrumentName, owners: Owners): Promise<StoredInstrument> {
    const found = await storedInstrument(this.#deps.store, name);
    if (found && owners.includes(found.entityId)) return found;
    throw unknownCard();
  }

  /**
   * The change that conflicts with a request that forgets the card at this moment, before or after it, and with another schedule of it.
   * @throws ScheduleError
   */
  async #keepCard({ instrument }: NewSchedule, vaultId: string): Promise<Change> {
    const { store } = this.#deps;
    if (instrument.by === 'payment') {
      const row = await store.get('vault', [vaultId]);
      if (!row) throw unknownCard();
      return { op: 'update', table: 'vault', row };
    }
    const row = await store.get('registrations', [vaultId]);
    if (row?.state !== 'active') throw unknownCard();
    return { op: 'update', table: 'registrations', row };
  }

  /** @throws ScheduleError */
  async #plan(job: JobValues, entityId: string, nowMs: number): Promise<JobPlan> {
    const plan = planJob(job, await timeZoneOf(this.#deps.store, entityId), nowMs);
    if ('code' in plan) throw jobError(plan);
    const tooOften = intervalFault(job, plan.fields, this.#deps.times);
    if (tooOften) throw jobError(tooOften);
    return plan;
  }

  /** Changes a schedule. A worker's claim on it ends: a run that was not committed by then is not made by that worker. @param kind of the event for its merchant */
  async #change(
    id: string,
    owners: Owners,
    kind: ScheduleEventKind,
    change: (row: ScheduleRow, nowMs: number) => Promise<ScheduleRow>,
  ): Promise<ScheduleRow> {
    const { store, clock } = this.#deps;
    return this.#untilCommitted(`schedule ${id}`, async () => {
      const row = { ...(await change(await this.find(id, owners), clock.nowMs())), leasedBy: null };
      const event = await this.#event(row, kind);
      await store.commit([{ op: 'update', table: 'schedules', row }, ...event]);
      return { ...row, version: row.version + 1 };
    });
  }

  /** @throws ScheduleError busy, when every race was lost; and what the work throws */
  #untilCommitted<T>(what: string, work: () => Promise<T>): Promise<T> {
    const busy = () => new ScheduleError('busy', `${what} changed again and again meanwhile`);
    return decideAgain(this.#deps, work, { key: `schedules/${what}`, busy });
  }

  #event(row: ScheduleRow, kind: ScheduleEventKind) {
    return scheduleEvent(this.#deps, row, kind);
  }
}

/** Columns of a schedule that follow from its job. */
function timesOf(job: JobValues, { fields, timeZone, startMs, endMs, firstRunMs }: JobPlan) {
  const times = { timeZone, startMs, endMs, runAtMs: firstRunMs, dueAtMs: firstRunMs };
  return { job: JSON.stringify(job), fields: JSON.stringify(fields), ...times };
}

function isActive({ state }: ScheduleRow): boolean {
  return state === 'active';
}

function unknownCard(): ScheduleError {
  return new ScheduleError('unknown-card', 'no card is kept under this id');
}

function notScheduled({ id, state }: ScheduleRow): ScheduleError {
  return new ScheduleError('not-scheduled', `schedule ${id} is ${state}`);
}
