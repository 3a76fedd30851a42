import type { HostStore, New } from '../ledger/host-store.js';
import type { AccountRow, CardRow, ChargebackRow, ReversalRow, TransactionRow } from '../rows/tables.js';

/** The ledger in memory: what is in it outlives the host that writes it, as a file would. A transaction that fails leaves it as it was. */
export class MemoryHostStore implements HostStore {
  #accounts = new Map<string, AccountRow>();
  #cards = new Map<string, CardRow>();
  #transactions = new Map<string, TransactionRow>();
  #reversals: readonly ReversalRow[] = [];
  #chargebacks: readonly ChargebackRow[] = [];
  #day: string | undefined;
  #last: Promise<unknown> = Promise.resolve();

  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(() => this.#whole(work));
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #whole<T>(work: () => Promise<T>): Promise<T> {
    const before = [this.#accounts, this.#cards, this.#transactions] as const;
    const [reversals, chargebacks, day] = [this.#reversals, this.#chargebacks, this.#day];
    this.#accounts = new Map(this.#accounts);
    this.#cards = new Map(this.#cards);
    this.#transactions = new Map(this.#transactions);
    try {
      return await work();
    } catch (error) {
      [this.#accounts, this.#cards, this.#transactions] = before;
      [this.#reversals, this.#chargebacks, this.#day] = [reversals, chargebacks, day];
      throw error;
    }
  }

  async account(card: string, currency: string): Promise<AccountRow | undefined> {
    return this.#accounts.get(`${card}/${currency}`);
  }

  async card(card: string): Promise<CardRow | undefined> {
    return this.#cards.get(card);
  }

  async transaction(message: string): Promise<TransactionRow | undefined> {
    return this.#transactions.get(message);
  }

  async reversal(message: string): Promise<ReversalRow | undefined> {
    const found = this.#reversals.filter((row) => row.message === message);
    return found.find(({ reversedMinor }) => reversedMinor > 0) ?? found[0];
  }

  async isReversed(message: string): Promise<boolean> {
    return this.#reversals.some(({ original }) => original === message);
  }

  async transactions(day?: string): Promise<readonly TransactionRow[]> {
    return ofDay([...this.#transactions.values()], day);
  }

  async reversals(day?: string): Promise<readonly ReversalRow[]> {
    return ofDay(this.#reversals, day);
  }

  async chargebacks(day?: string): Promise<readonly ChargebackRow[]> {
    return ofDay(this.#chargebacks, day);
  }

  async accounts(): Promise<readonly AccountRow[]> {
    return [...this.#accounts.values()];
  }

  async cards(): Promise<readonly CardRow[]> {
    return [...this.#cards.values()];
  }

  async day(): Promise<string | undefined> {
    return this.#day;
  }

  async beginDay(day: string): Promise<void> {
    this.#day = day;
  }

  async putAccount(row: AccountRow): Promise<void> {
    this.#accounts.set(`${row.card}/${row.currency}`, row);
  }

  async putCard(row: CardRow): Promise<void> {
    this.#cards.set(row.card, row);
  }

  async addTransaction(row: New<TransactionRow>): Promise<void> {
    if (this.#transactions.has(row.message)) throw new Error(`${row.message} is recorded`);
    this.#transactions.set(row.message, { ...row, position: this.#transactions.size + 1 });
  }

  async addReversal(row: New<ReversalRow>): Promise<void> {
    this.#reversals = [...this.#reversals, { ...row, position: this.#reversals.length + 1 }];
  }

  async addChargeback(row: New<ChargebackRow>): Promise<void> {
    this.#chargebacks = [...this.#chargebacks, { ...row, position: this.#chargebacks.length + 1 }];
  }

  async changeTransaction(row: TransactionRow): Promise<void> {
    this.#transactions.set(row.message, row);
  }

  async close(): Promise<void> {
    await this.#last;
  }
}

function ofDay<Row extends { readonly day: string }>(rows: readonly Row[], day?: string): readonly Row[] {
  return day === undefined ? rows : rows.filter((row) => row.day === day);
}
