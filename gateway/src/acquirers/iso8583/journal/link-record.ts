import type { AcquirerRecord, PlacedEntry, RecordEntry } from '../../acquirer.js';
import type { ExchangeRecord } from '../decide/exchange-record.js';
import { recordEntry, reversalEntry } from '../decide/record-entry.js';
import type { StoreLinkJournal } from './store-link-journal.js';

/** What the journal of a link says of the money that its host holds; what has no outcome yet is left out. */
export class LinkRecord implements AcquirerRecord {
  readonly name: string;
  readonly #journal: Pick<StoreLinkJournal, 'after' | 'find' | 'following' | 'reversedBy'>;

  constructor(name: string, journal: Pick<StoreLinkJournal, 'after' | 'find' | 'following' | 'reversedBy'>) {
    this.name = name;
    this.#journal = journal;
  }

  /** A position is that of the first message that is still to be read: 0 is the first of all. @throws StoreUnavailableError */
  async entriesAfter(position: number, limit: number): Promise<readonly PlacedEntry[]> {
    const placed: PlacedEntry[] = [];
    for (let after = position - 1; ; ) {
      const records = await this.#journal.after(after, limit);
      for (const record of records) placed.push(...(await this.#placed(record)));
      after = records.at(-1)?.sequence ?? after;
      if (placed.length >= limit || records.length < limit) return placed;
    }
  }

  /** @throws StoreUnavailableError */
  async entry(acquirerReference: string): Promise<RecordEntry | undefined> {
    const record = await this.#journal.find(acquirerReference);
    if (record) return this.#entryOf(record);
    const reversed = await this.#journal.reversedBy(acquirerReference);
    return reversed && reversalEntry(reversed);
  }

  async #placed(record: ExchangeRecord): Promise<readonly PlacedEntry[]> {
    const position = (record.sequence ?? 0) + 1;
    const entries = [await this.#entryOf(record), reversalEntry(record)];
    return entries.flatMap((entry) => (entry ? [{ position, entry }] : []));
  }

  async #entryOf(record: ExchangeRecord): Promise<RecordEntry | undefined> {
    return recordEntry(record, await this.#journal.following(record.reference));
  }
}
