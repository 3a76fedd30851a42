import type { AccountRow, CardRow, ChargebackRow, ReversalRow, TransactionRow } from '../rows/tables.js';
import type { HostStore, New } from './host-store.js';

/** A settlement day; the open one has no end. */
interface DayRow {
  readonly day: string;
  readonly closedAtMs: number | null;
}

/** Rows by table, each table by the name of its rows. */
export interface HostRows {
  readonly accounts: Map<string, AccountRow>;
  readonly cards: Map<string, CardRow>;
  /** By message, in the order they were recorded. */
  readonly transactions: Map<string, TransactionRow>;
  /** By position, as chargebacks are. */
  readonly reversals: Map<string, ReversalRow>;
  readonly chargebacks: Map<string, ChargebackRow>;
  readonly days: Map<string, DayRow>;
}

/** A table of the host. */
export type HostTable = keyof HostRows;
/** A row of one of them. */
export type HostRow = HostRows[HostTable] extends Map<string, infer Row> ? Row : never;

/** The ledger in memory: what is in it outlives the host that writes it, as a file would. A transaction that fails leaves it as it was. */
export class MemoryHostStore implements HostStore {
  protected readonly rows: HostRows = {
    accounts: new Map(),
    cards: new Map(),
    transactions: new Map(),
    reversals: new Map(),
    chargebacks: new Map(),
    days: new Map(),
  };
  /** Reversals of each message, and of each message that they reverse. */
  readonly #reversals = {
    byMessage: new Map<string, ReversalRow[]>(),
    byOriginal: new Map<string, number>(),
  };
  #inverses: (() => void)[] = [];
  #last: Promise<unknown> = Promise.resolve();

  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(() => this.#alone(work));
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #alone<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.whole(work);
    } finally {
      this.keep();
    }
  }

  /** Runs work that leaves nothing where it fails. */
  protected async whole<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#inverses.length;
    try {
      return await work();
    } catch (error) {
      this.takeBack(before);
      throw error;
    }
  }

  /** Takes back what was written since the last {@link keep}, but for the first so many steps. */
  protected takeBack(steps = 0): void {
    for (const inverse of this.#inverses.splice(steps).reverse()) inverse();
  }

  /** What was written stays. */
  protected keep(): void {
    this.#inverses = [];
  }

  /** Writes a row in memory. */
  protected put<T extends HostTable>(table: T, name: string, row: HostRow): void {
    const rows = this.rows[table] as Map<string, HostRow>;
    const before = rows.get(name);
    rows.set(name, row);
    this.#inverses.push(() => (before ? rows.set(name, before) : rows.delete(name)));
  }

  async account(card: string, currency: string): Promise<AccountRow | undefined> {
    return this.rows.accounts.get(`${card}/${currency}`);
  }

  async card(card: string): Promise<CardRow | undefined> {
    return this.rows.cards.get(card);
  }

  async transaction(message: string): Promise<TransactionRow | undefined> {
    return this.rows.transactions.get(message);
  }

  async reversal(message: string): Promise<ReversalRow | undefined> {
    const found = this.#reversals.byMessage.get(message) ?? [];
    return found.find(({ reversedMinor }) => reversedMinor > 0) ?? found[0];
  }

  async isReversed(message: string): Promise<boolean> {
    return (this.#reversals.byOriginal.get(message) ?? 0) > 0;
  }

  async transactions(day?: string): Promise<readonly TransactionRow[]> {
    return ofDay(this.rows.transactions, day);
  }

  async reversals(day?: string): Promise<readonly ReversalRow[]> {
    return ofDay(this.rows.reversals, day);
  }

  async chargebacks(day?: string): Promise<readonly ChargebackRow[]> {
    return ofDay(this.rows.chargebacks, day);
  }

  async accounts(): Promise<readonly AccountRow[]> {
    return [...this.rows.accounts.values()];
  }

  async cards(): Promise<readonly CardRow[]> {
    return [...this.rows.cards.values()];
  }

  async day(): Promise<string | undefined> {
    return this.#openDay()?.day;
  }

  async beginDay(day: string, nowMs: number): Promise<void> {
    const open = this.#openDay();
    if (open) this.put('days', open.day, { ...open, closedAtMs: nowMs });
    this.put('days', day, { day, closedAtMs: null });
  }

  async putAccount(row: AccountRow): Promise<void> {
    this.put('accounts', `${row.card}/${row.currency}`, row);
  }

  async putCard(row: CardRow): Promise<void> {
    this.put('cards', row.card, row);
  }

  async addTransaction(row: New<TransactionRow>): Promise<void> {
    const { transactions } = this.rows;
    if (transactions.has(row.message)) throw new Error(`${row.message} is recorded`);
    this.put('transactions', row.message, { ...row, position: transactions.size + 1 });
  }

  async addReversal(row: New<ReversalRow>): Promise<void> {
    const position = this.rows.reversals.size + 1;
    this.put('reversals', String(position), { ...row, position });
    this.#inverses.push(this.index({ ...row, position }));
  }

  async addChargeback(row: New<ChargebackRow>): Promise<void> {
    const position = this.rows.chargebacks.size + 1;
    this.put('chargebacks', String(position), { ...row, position });
  }

  async changeTransaction(row: TransactionRow): Promise<void> {
    this.put('transactions', row.message, row);
  }

  async close(): Promise<void> {
    await this.#last;
  }

  /** Makes a reversal known by its messages; returns what makes it unknown again. */
  protected index(row: ReversalRow): () => void {
    const { byMessage, byOriginal } = this.#reversals;
    const { message, original } = row;
    const found = byMessage.get(message) ?? [];
    const count = byOriginal.get(original) ?? 0;
    byMessage.set(message, [...found, row]);
    byOriginal.set(original, count + 1);
    return () => {
      byMessage.set(message, found);
      byOriginal.set(original, count);
    };
  }

  #openDay(): DayRow | undefined {
    let newest: DayRow | undefined;
    for (const row of this.rows.days.values())
      if (row.closedAtMs === null && (!newest || row.day > newest.day)) newest = row;
    return newest;
  }
}

function ofDay<Row extends { readonly day: string }>(
  rows: ReadonlyMap<string, Row>,
  day?: string,
): readonly Row[] {
  const all = [...rows.values()];
  return day === undefined ? all : all.filter((row) => row.day === day);
}
