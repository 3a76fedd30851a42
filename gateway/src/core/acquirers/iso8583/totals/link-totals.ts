import {
  type ExchangeMessage,
  type ExchangeTotals,
  netOf,
} from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { findAll } from '../../../../kernel/store/all-rows.js';
import type { LinkTotalsRow } from '../../../../kernel/store/rows.js';
import { CommitConflict, type Store } from '../../../../kernel/store/store.js';
import { MOVEMENT_KINDS, type StoreLinkJournal } from '../journal/store-link-journal.js';
import type { HostLink } from '../link/host-link.js';
import { NotSentError } from '../link/link-deps.js';
import { DayTotals, type MerchantTotals, NO_TOTALS, sideOf } from '../rules/day-totals.js';
import { mayStandAfterReversal } from '../rules/decide-exchange.js';
import type { ExchangeRecord } from '../rules/exchange-record.js';
import { dayNumber } from '../rules/host-movements.js';
import { Unanswered } from '../rules/unanswered.js';

export const TOTALS_LIMITS = {
  /** How long exchanges of a closed day may have no outcome until its totals are compared all the same, in milliseconds. */
  openMs: 3_600_000,
  /** How long after midnight (UTC) a host has time to begin a new settlement day by itself, in milliseconds. */
  dayEndMs: 3_600_000,
  /** How long before the end of the settlement day before a request may have begun that a host carries out on a day, in milliseconds. */
  overlapMs: 24 * 3_600_000,
  /** Pauses until totals that differ are compared again, in milliseconds; then a person has to look. */
  repeatPausesMs: [60_000, 600_000, 3_600_000],
} as const;

/** What totals are compared with. */
export interface LinkTotalsDeps {
  /** Name of the acquirer. */
  readonly acquirer: string;
  readonly store: Pick<Store, 'find' | 'findRange' | 'commit'>;
  readonly journal: Pick<StoreLinkJournal, 'movedOn' | 'settlementDay' | 'isOpenBefore' | 'unanswered'>;
  readonly link: Pick<HostLink, 'question' | 'reverseAgain'>;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/**
 * Compares the totals of each settlement day that is over with the host, by merchant and currency: 0500, and 0520 where they differed and are
 * sent again. The result is stored (`linkTotals`). A request may come to the host after its reversal, and its answer may be lost: what the host
 * has more than the journal is reversed again, and holds, which stand in no totals, are once for each day.
 */
export class LinkTotals {
  readonly #deps: LinkTotalsDeps;
  #last: Promise<void> = Promise.resolve();
  #lookedBefore: number | undefined;

  /** @param lookedBefore what another one had looked for: see {@link lookedBefore} */
  constructor(deps: LinkTotalsDeps, lookedBefore?: number) {
    this.#deps = deps;
    this.#lookedBefore = lookedBefore;
  }

  /** The current day before which days without a movement were looked for; undefined where none was. All that a process has in memory. */
  get lookedBefore(): number | undefined {
    return this.#lookedBefore;
  }

  /** The host has begun a settlement day (`yyyyMMdd`): those before it are over, and compared. @throws StoreUnavailableError */
  announced(settlementDate: string): Promise<void> {
    return this.#compareUntil(async () => dayNumber(settlementDate));
  }

  /** Closes days that are over, and compares what is due. @throws StoreUnavailableError */
  round(): Promise<void> {
    return this.#compareUntil(() => this.#currentDay());
  }

  /** Resolves when what runs has ended. */
  async end(): Promise<void> {
    await this.#last.catch(() => undefined);
  }

  /** One after the other: both would ask for the same. Without a line to a host the next round compares. */
  #compareUntil(currentDay: () => Promise<number>): Promise<void> {
    const work = this.#last.catch(() => undefined).then(() => this.#compareAll(currentDay));
    this.#last = work;
    return work;
  }

  async #compareAll(currentDay: () => Promise<number>): Promise<void> {
    try {
      await this.#closeBefore(await currentDay());
      for (const [day, rows] of await this.#due()) await this.#compareDay(day, rows);
    } catch (error) {
      if (!(error instanceof NotSentError)) throw error;
    }
  }

  /** The settlement day that is not over: the last one that an answer named, or a later one where the calendar's day has ended. */
  async #currentDay(): Promise<number> {
    const { journal, clock, link } = this.#deps;
    const last = (await journal.settlementDay('last')) ?? 0;
    const today = dayOf(clock.nowMs() - TOTALS_LIMITS.dayEndMs);
    const open = await journal.settlementDay({ from: (await this.#lastClosedDay()) + 1 });
    if (last >= today || open === undefined) return last;
    const answer = await link.question({ network: 'cut-over', settlementDate: String(last) });
    const next = answer?.responseCode === '00' ? answer.settlementDate : undefined;
    return next === undefined ? today : dayNumber(next);
  }

  async #lastClosedDay(): Promise<number> {
    const { store, acquirer } = this.#deps;
    const [row] = await store.findRange('linkTotals', 'day', {
      equals: [acquirer],
      descending: true,
      limit: 1,
    });
    return row?.day ?? 0;
  }

  async #closeBefore(current: number): Promise<void> {
    const { journal, clock } = this.#deps;
    let last = await this.#lastClosedDay();
    if (addDays(last, 1) >= current) return;
    // Looked for once: what begins from now on counts on the current day.
    const unanswered =
      current === this.#lookedBefore ? new Unanswered() : await this.#unanswered(current, clock.nowMs());
    const { sinceMs } = unanswered;
    const earliest = sinceMs === undefined ? current : earliestDay(sinceMs, last === 0);
    for (;;) {
      const moved = (await journal.settlementDay({ from: last + 1 })) ?? current;
      const day = Math.min(moved, Math.max(earliest, addDays(last, 1)));
      if (day >= current) break;
      // A merchant whose exchanges of the day were forgotten is compared, too.
      const before = await this.#merchantsOf(last);
      await this.#add(day, [...(await this.#totalsOf(day)).all, ...before, ...unanswered.merchants]);
      last = day;
    }
    this.#lookedBefore = current;
  }

  /**
   * What the host may have carried out on a settlement day, or before it, although no answer arrived.
   * @param endMs when the day ended
   */
  async #unanswered(day: number, endMs: number): Promise<Unanswered> {
    const found = new Unanswered();
    const time = { fromMs: await this.#endBefore(day, endMs), untilMs: endMs };
    for await (const record of this.#deps.journal.unanswered(time)) found.add(record);
    return found;
  }

  /** From when on requests may have been carried out on a settlement day: a while before the one before it was over. */
  async #endBefore(day: number, endMs: number): Promise<number> {
    const { store, acquirer } = this.#deps;
    const rows = await store.findRange('linkTotals', 'day', {
      equals: [acquirer],
      below: day,
      descending: true,
    });
    // Days that were found to be over at once have one end.
    const before = rows.find(({ createdAtMs }) => createdAtMs < endMs);
    return (before?.createdAtMs ?? 0) - TOTALS_LIMITS.overlapMs;
  }

  async #merchantsOf(day: number): Promise<readonly MerchantTotals[]> {
    const { store, acquirer } = this.#deps;
    const rows = await findAll(store, 'linkTotals', 'day', [acquirer, day]);
    return rows.map(({ acceptorId, currency }) => ({ merchantId: acceptorId, currency, totals: NO_TOTALS }));
  }

  async #totalsOf(day: number): Promise<DayTotals> {
    const totals = new DayTotals();
    for (const kind of MOVEMENT_KINDS)
      for await (const record of this.#deps.journal.movedOn(day, kind)) totals.add(record, kind);
    return totals;
  }

  /** Adds the rows of a day that are not there. */
  async #add(day: number, merchants: readonly MerchantTotals[]): Promise<void> {
    const { acquirer, clock } = this.#deps;
    const nowMs = clock.nowMs();
    for (const { merchantId, currency } of merchants)
      await this.#commit({
        op: 'insert',
        table: 'linkTotals',
        row: {
          acquirer,
          day,
          acceptorId: merchantId,
          currency,
          state: 'due',
          ours: null,
          theirs: null,
          attempts: 0,
          dueAtMs: nowMs,
          createdAtMs: nowMs,
          version: 1,
        },
      });
  }

  /** What is to be compared now, by settlement day. */
  async #due(): Promise<ReadonlyMap<number, readonly LinkTotalsRow[]>> {
    const { store, acquirer, clock } = this.#deps;
    const rows = await Promise.all(
      ['due', 'different'].map((state) => findAll(store, 'linkTotals', 'state', [state])),
    );
    const nowMs = clock.nowMs();
    const due = new Map<number, LinkTotalsRow[]>();
    for (const row of rows.flat()) {
      const isOver = row.attempts > TOTALS_LIMITS.repeatPausesMs.length;
      if (row.acquirer !== acquirer || row.dueAtMs > nowMs || isOver) continue;
      due.set(row.day, [...(due.get(row.day) ?? []), row]);
    }
    return due;
  }

  async #compareDay(day: number, rows: readonly LinkTotalsRow[]): Promise<void> {
    const { journal, clock } = this.#deps;
    const endedAtMs = Math.min(...rows.map(({ createdAtMs }) => createdAtMs));
    const isLate = clock.nowMs() >= endedAtMs + TOTALS_LIMITS.openMs;
    if (!isLate && (await journal.isOpenBefore(endedAtMs))) return;
    const totals = await this.#totalsOf(day);
    // What was on its way when the day ended may be the first of its merchant.
    const unanswered = await this.#unanswered(day, endedAtMs);
    await this.#add(day, [...totals.all, ...unanswered.merchants]);
    for (const row of rows) {
      const { acceptorId, currency } = row;
      await this.#compare(row, totals.of(acceptorId, currency), unanswered.of(acceptorId, currency));
    }
  }

  async #compare(
    row: LinkTotalsRow,
    ours: ExchangeTotals,
    unanswered: readonly ExchangeRecord[],
  ): Promise<void> {
    const { day, acceptorId: merchantId, currency } = row;
    const answer = await this.#deps.link.question({
      kind: 'reconciliation',
      isAdvice: row.attempts > 0,
      merchantId,
      settlementDate: String(day),
      totals: ours,
      net: { minor: netOf(ours), currency },
    });
    if (!answer) return;
    const outcome = this.#outcome(row, ours, answer);
    const hasMore = (side: 'debits' | 'credits'): boolean =>
      outcome.state === 'different' &&
      (answer.totals?.[side].number ?? Number.POSITIVE_INFINITY) > ours[side].number;
    for (const record of unanswered) {
      const isHold = record.request?.kind === 'authorization';
      const isFirst = row.attempts === 0;
      if (mayStandAfterReversal(record) && (isHold ? isFirst : hasMore(sideOf(record))))
        await this.#deps.link.reverseAgain(record.reference, isFirst && !isHold ? 'as-repeat' : 'anew');
    }
    await this.#commit({ op: 'update', table: 'linkTotals', row: outcome });
  }

  #outcome(
    row: LinkTotalsRow,
    ours: ExchangeTotals,
    { responseCode, totals }: ExchangeMessage,
  ): LinkTotalsRow {
    // After the last one it is not compared again.
    const pauseMs = TOTALS_LIMITS.repeatPausesMs[row.attempts] ?? 0;
    return {
      ...row,
      state: STATES[responseCode ?? ''] ?? 'refused',
      ours: JSON.stringify(ours),
      theirs: totals ? JSON.stringify(totals) : null,
      attempts: row.attempts + 1,
      dueAtMs: this.#deps.clock.nowMs() + pauseMs,
    };
  }

  async #commit(change: Parameters<Store['commit']>[0][number]): Promise<void> {
    try {
      await this.#deps.store.commit([change]);
    } catch (error) {
      // It is there, or another node was faster.
      if (!(error instanceof CommitConflict)) throw error;
    }
  }
}

/** The host's answer. */
const STATES: Readonly<Record<string, LinkTotalsRow['state']>> = { '00': 'equal', '95': 'different' };

/**
 * The first settlement day on which a request may stand that began at a time: a host in the west is a day behind UTC for some hours. On the first
 * day of a link nothing is before it, but what began before the host had to end its day.
 */
function earliestDay(beganMs: number, isFirst: boolean): number {
  return isFirst ? dayOf(beganMs - TOTALS_LIMITS.dayEndMs) : addDays(dayOf(beganMs), -1);
}

/** The day so many days after another one; after 0, which stands for none, one that is before every exchange. */
function addDays(day: number, days: number): number {
  return dayOf(Date.UTC(Math.floor(day / 10_000), (Math.floor(day / 100) % 100) - 1, (day % 100) + days));
}

/** The day of a time in UTC, as a number. */
function dayOf(ms: number): number {
  return dayNumber(new Date(ms).toISOString().slice(0, 10).replaceAll('-', ''));
}
