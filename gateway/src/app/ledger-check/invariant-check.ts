import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { SETTLEMENT_ALERT } from '../../kernel/alerts/alert-table.js';
import type { Alerts } from '../../kernel/alerts/alerts.js';
import { standingOfCode } from '../../kernel/alerts/standing-of-code.js';
import type { Rows } from '../../kernel/store/rows.js';
import type { Key } from '../../kernel/store/store.js';
import { keyOf as keyOfRow } from '../../kernel/store/working-set.js';
import { repeat } from '../../kernel/workers/repeat.js';
import { DIFFERENCE_KINDS, type Difference, nameOf } from './difference.js';
import { Inspection, type InspectionDeps, type NamedRecord } from './inspect.js';
import { KnownDifferences, keyOf, MAX_KNOWN } from './known-differences.js';

/** Name of the work, as its alert shows it. */
export const CHECK_WORK = 'consistency check';

/** The limits in production. */
export const CHECK_LIMITS = {
  /** Rows of each kind that one step reads: more would hold up requests that come meanwhile. */
  batch: 200,
  /** Pause between two rounds, in milliseconds. */
  intervalMs: 2_000,
  /**
   * Pause between two steps of a round, in times of the step: the check takes a tenth of a core at most. A step takes up to 1.2 times its
   * duration of the processor, since the database's thread works at the same time.
   */
  pauseFactor: 11,
  /** An intent without an outcome is a difference after this time, in milliseconds: an acquirer may be away for a day. */
  overdueMs: 24 * 3_600_000,
};

type CheckLimits = Readonly<typeof CHECK_LIMITS>;

/** What the check works with. */
interface InvariantCheckDeps extends Omit<InspectionDeps, 'overdueMs' | 'clock'> {
  readonly clock: Clock;
  readonly log: { warn(about: object, text: string): void; error(about: object, text: string): void };
  /** Where differences are raised; absent: nowhere, the caller shows them. */
  readonly alerts?: Pick<Alerts, 'raise' | 'clear'>;
  readonly limits?: Partial<CheckLimits>;
  /** Whether this node checks now: one of several does. Absent: it does. */
  readonly isMine?: () => Promise<boolean>;
}

type Walk = Pages | 'entries' | 'settlements';
/** What is read page by page in the order of its keys. */
type Pages = 'payments' | 'inbox' | 'intents' | 'linkExchanges' | 'linkSettled' | 'linkTotals';

/**
 * The continuous comparison of payments, stored answers and the acquirer's record, its files and totals. It reads all of them in small steps, new entries of the
 * acquirer with each step, and then begins again. A difference counts until it no longer exists or an operator has explained it
 * (`explanations`).
 */
export class InvariantCheck {
  readonly #deps: InvariantCheckDeps;
  readonly #limits: CheckLimits;
  readonly #inspection: Inspection;
  readonly #known = new KnownDifferences();
  readonly #walks: Readonly<Record<Walk, () => Promise<boolean>>>;
  readonly #after = new Map<Pages, Key>();
  /** Up to where entries were read; before the first round has ended the walk over all of them brings the new ones, too. */
  readonly #newest = new Map<string, number>();
  readonly #rounds = new Map<string, number>();
  /** Walks that have reached their end since the last whole round. */
  readonly #done = new Set<Walk>();
  #completedAtMs: number | undefined;
  #end: (() => Promise<void>) | undefined;
  /** Fault of the last step: logged once, until a step succeeds. */
  #fault: string | undefined;

  constructor(deps: InvariantCheckDeps) {
    this.#deps = deps;
    this.#limits = { ...CHECK_LIMITS, ...deps.limits };
    const { overdueMs } = this.#limits;
    this.#inspection = new Inspection({ ...deps, overdueMs });
    this.#walks = {
      payments: () => this.#walkAll('payments', (row) => this.#inspection.payment(row)),
      inbox: () => this.#walkAll('inbox', (row) => this.#inspection.answer(row)),
      intents: () => this.#walkOf('intents', 'open', (row) => this.#inspection.intent(row)),
      entries: () => this.#walkEntries(),
      settlements: () => this.#walkSettlements(),
      linkExchanges: () => this.#walkAll('linkExchanges', (row) => this.#inspection.exchange(row)),
      linkSettled: () => this.#walkAll('linkSettled', (row) => this.#inspection.line(row)),
      linkTotals: () => this.#walkOf('linkTotals', 'different', (row) => this.#inspection.totals(row)),
    };
  }

  /** The unexplained differences. */
  get known(): KnownDifferences {
    return this.#known;
  }

  /** When the last whole round ended, milliseconds since 1970; undefined before the first one. */
  get completedAtMs(): number | undefined {
    return this.#completedAtMs;
  }

  /** Why the last step of {@link start} failed; undefined when it went well. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /**
   * One step: the known differences again, new entries, and a page of each walk of this round. Returns whether the round has ended.
   * @throws StoreUnavailableError, AcquirerUnreachableError
   */
  async step(): Promise<boolean> {
    await this.#lookAgain();
    await this.#walkNewEntries();
    for (const [name, walk] of Object.entries(this.#walks) as [Walk, () => Promise<boolean>][]) {
      if (!this.#done.has(name) && (await walk())) this.#done.add(name);
    }
    if (this.#done.size < Object.keys(this.#walks).length) return false;
    this.#done.clear();
    await this.#clearOthers();
    this.#completedAtMs = this.#deps.clock.nowMs();
    return true;
  }

  /** Takes steps until a first whole round has ended. @throws as {@link step} */
  async full(): Promise<void> {
    while (this.#completedAtMs === undefined) await this.step();
  }

  /** Takes steps, until {@link stop}. A fault of disk or acquirer ends the step, not the check. */
  start(): void {
    const { clock } = this.#deps;
    const { intervalMs, pauseFactor } = this.#limits;
    let pauseMs = intervalMs;
    this.#end = repeat({
      clock,
      intervalMs: () => pauseMs,
      work: async () => {
        const startedMs = clock.monotonicMs();
        pauseMs = intervalMs;
        if (!((await this.#deps.isMine?.()) ?? true)) {
          this.#known.clear();
          this.#completedAtMs = undefined;
          return;
        }
        if (!(await this.step())) pauseMs = pauseFactor * (clock.monotonicMs() - startedMs);
        this.#fault = undefined;
      },
      onFault: (error) => {
        if (this.#fault === undefined)
          this.#deps.log.warn({ err: error }, 'invariants cannot be checked now');
        this.#fault = error instanceof Error ? `${error.name}: ${error.message}` : 'an unknown fault';
      },
    });
  }

  /** Ends the check; resolves when the running step is over. */
  async stop(): Promise<void> {
    await this.#end?.();
  }

  /** Judges a page of a table. */
  async #walkAll<T extends Pages>(table: T, inspect: Inspect<T>): Promise<boolean> {
    const page = await this.#deps.store.findAfter(table, this.#after.get(table), this.#page());
    return this.#judgePage(table, page, inspect);
  }

  /** Judges a page of the rows of a table that are in a state. */
  async #walkOf<T extends Pages>(table: T, state: string, inspect: Inspect<T>): Promise<boolean> {
    const after = this.#after.get(table);
    const options = { ...this.#page(), ...(after && { after }) };
    return this.#judgePage(table, await this.#deps.store.find(table, 'state', [state], options), inspect);
  }

  async #judgePage<T extends Pages>(
    table: T,
    page: readonly Rows[T][],
    inspect: Inspect<T>,
  ): Promise<boolean> {
    await this.#judgeAll(page, inspect);
    const last = page.at(-1);
    const ended = page.length < this.#limits.batch || !last;
    // The next step continues after the last row.
    if (ended) this.#after.delete(table);
    else this.#after.set(table, keyOfRow(table, last));
    return ended;
  }

  /** Entries that the acquirer recorded since the last step. */
  async #walkNewEntries(): Promise<void> {
    for (const record of this.#deps.records) {
      const newest = this.#newest.get(record.name);
      if (newest !== undefined)
        this.#newest.set(record.name, (await this.#judgeEntries(record, newest)).position);
    }
  }

  /** All entries, again and again: a payment may be lost long after. */
  async #walkEntries(): Promise<boolean> {
    let haveEnded = true;
    for (const record of this.#deps.records) {
      const { name } = record;
      const { position, ended } = await this.#judgeEntries(record, this.#rounds.get(name) ?? 0);
      this.#rounds.set(name, ended ? 0 : position);
      if (ended) this.#newest.set(name, Math.max(position, this.#newest.get(name) ?? 0));
      else haveEnded = false;
    }
    return haveEnded;
  }

  /** What of settlement runs has failed, and was not done since. */
  async #walkSettlements(): Promise<boolean> {
    const failed = await standingOfCode(this.#deps.store, SETTLEMENT_ALERT);
    await this.#judgeAll(failed, (alert) => this.#inspection.settlement(alert));
    return true;
  }

  /** Judges a page of the acquirer's entries; returns where the next one begins. */
  async #judgeEntries(
    record: NamedRecord,
    after: number,
  ): Promise<{ readonly position: number; readonly ended: boolean }> {
    const { batch } = this.#limits;
    const page = await record.entriesAfter(after, batch);
    await this.#judgeAll(page, ({ entry }) => this.#inspection.entry(entry, record));
    return { position: page.at(-1)?.position ?? after, ended: page.length < batch };
  }

  /** Inspects a page at once, so that what its rows refer to is read with a few queries; then judges what was found, in its order. */
  async #judgeAll<Row>(
    page: readonly Row[],
    inspect: (row: Row) => Promise<readonly Difference[]>,
  ): Promise<void> {
    for (const found of await Promise.all(page.map(inspect))) await this.#judge(found);
  }

  #page(): { readonly limit: number } {
    return { limit: this.#limits.batch };
  }

  async #lookAgain(): Promise<void> {
    for (const known of this.#known.list().slice(0, this.#limits.batch)) {
      const found = await this.#inspection.again(known.subject);
      const stands = found.find((each) => keyOf(each) === keyOf(known));
      this.#known.remove(known);
      // It is now the last of the known: the next step looks at others.
      if (stands && !(await this.#isExplained(known))) this.#known.add(stands, known.sinceMs);
      else {
        this.#deps.log.warn(about(known), 'difference cleared');
        await this.#deps.alerts?.clear(DIFFERENCE_ALERT, keyOf(known));
      }
    }
  }

  async #judge(found: readonly Difference[]): Promise<void> {
    for (const difference of found) {
      if (await this.#isExplained(difference)) continue;
      if (!this.#known.add(difference, this.#deps.clock.nowMs())) continue;
      this.#deps.log.error(about(difference), 'difference between payments, answers and acquirer');
      const { detail } = difference;
      // A failed settlement has its own alert.
      if (difference.kind !== SETTLEMENT_ALERT)
        await this.#deps.alerts?.raise({ code: DIFFERENCE_ALERT, subject: keyOf(difference), detail });
    }
  }

  /** Clears alerts of an earlier process about differences that a whole round has not found again. */
  async #clearOthers(): Promise<void> {
    const { alerts, store } = this.#deps;
    if (!alerts) return;
    const known = new Set(this.#known.list().map(keyOf));
    for (const state of ['open', 'acknowledged']) {
      for (const { subject } of await store.find('alerts', 'code', [DIFFERENCE_ALERT, state], {
        limit: MAX_KNOWN,
      }))
        if (!known.has(subject)) await alerts.clear(DIFFERENCE_ALERT, subject);
    }
  }

  async #isExplained({ kind, subject }: Difference): Promise<boolean> {
    return (await this.#deps.store.get('explanations', [kind, nameOf(subject)])) !== undefined;
  }
}

type Inspect<T extends Pages> = (row: Rows[T]) => Promise<readonly Difference[]>;

/** Code of the alert about a difference. */
export const DIFFERENCE_ALERT = 'unexplained-difference';

function about({ kind, subject, detail }: Difference): object {
  return { kind, subject: nameOf(subject), detail, meaning: DIFFERENCE_KINDS[kind] };
}
