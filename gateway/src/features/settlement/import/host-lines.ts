import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { LinkSettledRow } from '../../../kernel/store/rows.js';
import { type Change, CommitConflict, type Store } from '../../../kernel/store/store.js';
import type { ImportedRow } from '../rules/import-row.js';
import { recordId } from '../rules/record.js';

/** Lines of one commit. */
const COMMIT = 200;
/** Digits of an id by which a line that comes again is known: as many as a number holds. */
const SHORT_DIGITS = 13;

/** What a line of each type does to the cardholder's money; other types are about none of a link. */
const SIGNS: Readonly<Record<string, 1 | -1>> = { DEBIT: 1, REFUND: -1, CREDIT: -1 };

/** What lines are kept with. */
interface HostLinesDeps {
  readonly store: Pick<Store, 'get' | 'find' | 'commit'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Name of the acquirer whose file it is. */
  readonly acquirer: string;
}

/**
 * Stores what the file of an acquirer's host reports of its link's exchanges, for the consistency check. A line that stands twice in a file is
 * kept twice; the same file again changes nothing.
 */
export class HostLines {
  readonly #deps: HostLinesDeps;
  readonly #days = new Set<number>();
  readonly #seen = new Set<number>();
  /** How often lines came that came more than once. */
  readonly #again = new Map<number, number>();

  constructor(deps: HostLinesDeps) {
    this.#deps = deps;
  }

  /** Keeps lines that are not kept yet. @throws StoreUnavailableError */
  async add(rows: readonly ImportedRow[]): Promise<void> {
    const { store } = this.#deps;
    const lines = (await Promise.all(rows.map((row) => this.#lineOf(row)))).filter(
      (line) => line !== undefined,
    );
    const known = await Promise.all(lines.map(({ id }) => store.get('linkSettled', [id])));
    const fresh = lines.filter((_, at) => !known[at]);
    for (let from = 0; from < fresh.length; from += COMMIT)
      await store.commit(
        fresh.slice(from, from + COMMIT).map((row): Change => ({ op: 'insert', table: 'linkSettled', row })),
      );
  }

  /** Notes that the days of the file, and one more, are imported: what is not in it was not settled. @throws StoreUnavailableError */
  async end(day?: number): Promise<void> {
    const { store, acquirer, clock } = this.#deps;
    for (const each of new Set([...this.#days, ...(day === undefined ? [] : [day])])) {
      const row = { acquirer, day: each, createdAtMs: clock.nowMs(), version: 1 };
      await store.commit([{ op: 'insert', table: 'linkFiles', row }]).catch((error: unknown) => {
        // It was imported before.
        if (!(error instanceof CommitConflict)) throw error;
      });
    }
  }

  async #lineOf(row: ImportedRow): Promise<LinkSettledRow | undefined> {
    const { recordType, transactionType, status, amountMinor, currency, settledAtMs, detail } = row;
    const sign = SIGNS[transactionType];
    if (recordType !== 'SETTLED' || status !== 'SUCCESS' || sign === undefined) return undefined;
    const { acquirer, clock } = this.#deps;
    const day = Number(new Date(settledAtMs).toISOString().slice(0, 10).replaceAll('-', ''));
    this.#days.add(day);
    return {
      id: this.#idOf(row),
      acquirer,
      exchange: (await this.#exchangeOf(detail.connectorTxIds ?? [])) ?? null,
      day,
      minor: sign * amountMinor,
      currency,
      createdAtMs: clock.nowMs(),
      version: 1,
    };
  }

  /** The id of the record, and another one for each time that the line comes again. */
  #idOf({ id }: ImportedRow): string {
    const short = Number.parseInt(id.slice(0, SHORT_DIGITS), 16);
    if (!this.#seen.has(short)) {
      this.#seen.add(short);
      return id;
    }
    const again = (this.#again.get(short) ?? 0) + 1;
    this.#again.set(short, again);
    return recordId(id, String(again));
  }

  /** The exchange with one of these retrieval reference numbers. */
  async #exchangeOf(numbers: readonly string[]): Promise<string | undefined> {
    const { store, acquirer } = this.#deps;
    for (const number of numbers) {
      const found = await store.find('linkExchanges', 'rrn', [number]);
      const own = found.find((each) => each.acquirer === acquirer);
      if (own) return own.reference;
    }
    return undefined;
  }
}
