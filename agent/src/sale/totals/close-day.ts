import type { Journal } from '../../journal/journal.js';
import type { SaleState } from '../machine/state/sale-state.js';
import { loadHistory, loadSale } from '../records/compacted-sale.js';
import { replaySale } from '../records/fact-rows.js';
import {
  CARRIED_KINDS,
  type CarriedOver,
  closedMovements,
  DAY_CLOSE_PART_ROW,
  DAY_CLOSE_ROW,
  type DayClose,
  type DayCloseHead,
  dayCloseHead,
  dayCloseOf,
  dayCloseRows,
  summed,
} from './day-close.js';
import { movementsOf } from './movements.js';
import type { Movement } from './totals.js';

/** Limits of day closes, by name. */
export const DAY_CLOSE_LIMITS = {
  /** Sales of one close; what is behind them counts in the next. */
  maxSales: 20_000,
  /** Rows of the journal that are read at once. */
  rowsAtOnce: 500,
  /** The newest closes among which a repeated reference is found. */
  remembered: 100,
} as const;

/** All times: rows are found by their kind and place. */
const EVER = { sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER } as const;

/** What day closes work with. */
interface CloseDayDeps {
  readonly journal: Journal;
  /** The wall clock, milliseconds since 1970. */
  readonly wallMs: () => number;
  /** Other limits than {@link DAY_CLOSE_LIMITS}. */
  readonly limits?: Partial<Record<keyof typeof DAY_CLOSE_LIMITS, number>>;
}

/**
 * Closes days into the journal. A close covers the rows since the one before: each sale that has rows there counts as it stands at the last of
 * them, less what it counted as before. So the closes together are the totals of all sales, whatever was reversed or decided later.
 */
export class DayCloses {
  readonly #deps: CloseDayDeps;
  readonly #limits: Record<keyof typeof DAY_CLOSE_LIMITS, number>;
  /** One close at a time: each begins where the last one ends. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(deps: CloseDayDeps) {
    this.#deps = deps;
    this.#limits = { ...DAY_CLOSE_LIMITS, ...deps.limits };
  }

  /** Closes, or gives the close of this reference; undefined where amounts of that one are removed. @throws JournalUnavailable */
  close(reference: string, till: string | undefined): Promise<DayClose | undefined> {
    const closed = this.#last.then(() => this.#close(reference, till));
    this.#last = closed.catch(() => undefined);
    return closed;
  }

  /** Closes before the number `before`, newest first, those that have all their amounts. @throws JournalUnavailable */
  async list(before: number | undefined, limit: number): Promise<readonly DayClose[]> {
    const heads = await this.#heads(Math.min(this.#limits.remembered, limit), before);
    const closes = await Promise.all(heads.map((head) => this.#whole(head)));
    return closes.filter((close) => close !== undefined);
  }

  async #close(reference: string, till: string | undefined): Promise<DayClose | undefined> {
    const { journal, wallMs } = this.#deps;
    const heads = await this.#heads(this.#limits.remembered);
    const known = heads.find((head) => head.reference === reference);
    if (known) return this.#whole(known);
    const [last] = heads;
    const fromRow = (last?.toRow ?? 0) + 1;
    const { references, toRow, toMs } = await this.#touched(fromRow, journal.head.row);
    const movements: Movement[] = [];
    let sinceMs = last?.untilMs;
    for (const each of references) {
      const { before, now } = await this.#states(each, fromRow - 1, toRow);
      sinceMs ??= now?.acceptedAtMs;
      movements.push(...closedMovements(await this.#movements(before), await this.#movements(now)));
    }
    const untilMs = Math.max(toMs ?? wallMs(), last?.untilMs ?? 0);
    const close: DayClose = {
      ...{ number: (last?.number ?? 0) + 1, reference, ...(till !== undefined && { till }) },
      ...{ sinceMs: sinceMs ?? untilMs, untilMs, fromRow, toRow: Math.max(toRow, fromRow - 1) },
      carriedOver: await this.#carriedOver(references, toRow),
      movements: summed(movements),
    };
    await journal.append({ atMs: wallMs(), rows: dayCloseRows(close) });
    return close;
  }

  /** Newest first. */
  async #heads(limit: number, before?: number): Promise<readonly DayCloseHead[]> {
    const { journal } = this.#deps;
    const newest = await journal.lastOfKind(DAY_CLOSE_ROW);
    if (!newest) return [];
    const found: DayCloseHead[] = [];
    for (let afterRow = 0; found.length < limit; ) {
      const range = { ...EVER, afterRow, newestFirst: true, limit: this.#limits.remembered };
      const rows = await journal.rowsOfKind(DAY_CLOSE_ROW, range);
      const heads = rows.map(dayCloseHead).filter(({ number }) => before === undefined || number < before);
      found.push(...heads);
      const last = rows.at(-1);
      if (!last || rows.length < this.#limits.remembered) break;
      afterRow = last.row;
    }
    // Compaction removes the rows, and carries the newest one.
    const carried = dayCloseHead(newest);
    if (found.length === 0 && (before === undefined || carried.number < before)) return [carried];
    return found.slice(0, limit);
  }

  async #whole(head: DayCloseHead): Promise<DayClose | undefined> {
    const { journal } = this.#deps;
    const range = { ...EVER, afterRow: head.toRow, limit: this.#limits.rowsAtOnce };
    const rows = await journal.rowsOfKind(DAY_CLOSE_PART_ROW, range);
    const whole = dayCloseOf(head, rows);
    if (whole) return whole;
    // Compaction carries the newest one.
    const carried = await journal.lastOfKind(DAY_CLOSE_PART_ROW);
    return carried && dayCloseOf(head, [carried]);
  }

  /** The sales that have rows from one to another, in the order of the first of them; `toRow`: the last row that was looked at, and its time where more are behind it. */
  async #touched(
    fromRow: number,
    headRow: number,
  ): Promise<{ readonly references: readonly string[]; readonly toRow: number; readonly toMs?: number }> {
    const references = new Set<string>();
    let row = fromRow - 1;
    let toMs: number | undefined;
    while (row < headRow && references.size < this.#limits.maxSales) {
      const rows = await this.#deps.journal.rowsAfter(row, Math.min(this.#limits.rowsAtOnce, headRow - row));
      for (const { reference } of rows) if (reference !== '') references.add(reference);
      const last = rows.at(-1);
      if (last === undefined || last.row >= headRow) return { references: [...references], toRow: headRow };
      ({ row, atMs: toMs } = last);
    }
    return { references: [...references], toRow: row, ...(toMs !== undefined && { toMs }) };
  }

  /** A sale as it stood behind two rows. */
  async #states(
    reference: string,
    beforeRow: number,
    nowRow: number,
  ): Promise<{ readonly before: SaleState | undefined; readonly now: SaleState | undefined }> {
    const { kept, rows } = await loadHistory(this.#deps.journal, reference);
    const upTo = (row: number) =>
      replaySale(
        rows.filter((each) => each.row <= row),
        kept,
      );
    return { before: upTo(beforeRow), now: upTo(nowRow) };
  }

  async #movements(state: SaleState | undefined): Promise<readonly Movement[]> {
    return state ? movementsOf(state, await this.#brandOf(state)) : [];
  }

  /** A linked refund reads no card: it counts under the brand of its sale. */
  async #brandOf({ answer, request: { originalReference } }: SaleState): Promise<string> {
    if (answer?.brand || originalReference === undefined) return answer?.brand ?? '';
    return (await loadSale(this.#deps.journal, originalReference))?.answer?.brand ?? '';
  }

  /** What has no end yet, of all sales. */
  async #carriedOver(touched: readonly string[], toRow: number): Promise<CarriedOver> {
    const { journal } = this.#deps;
    const waiting = (await journal.openMessages()).map(({ row }) => row.reference);
    const references = new Set([...touched, ...(await journal.openSales()), ...waiting]);
    references.delete('');
    const counts = new Map<string, number>();
    for (const reference of references) {
      const { now } = await this.#states(reference, 0, toRow);
      for (const { kind } of now ? movementsOf(now, '') : []) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    return Object.fromEntries(CARRIED_KINDS.map((kind) => [kind, counts.get(kind) ?? 0])) as CarriedOver;
  }
}
