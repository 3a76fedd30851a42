import type { AcquirerRecord, PlacedEntry, RecordEntry } from '../../acquirer.js';
import type { ExchangeRecord } from '../rules/exchange-record.js';
import { isFurtherPart } from '../rules/parts.js';
import { incrementedMinor, recordEntry, reversalEntry, standingMinor } from '../rules/record-entry.js';
import { partsOf } from './exchange-parts.js';
import type { StoreLinkJournal } from './store-link-journal.js';

/** The money that the host of a link holds, by the link's journal; without exchanges that have no outcome yet. */
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
    return reversed && this.#reversalOf(reversed);
  }

  /**
   * What stands of one message at the host, in minor units: of an authorization with its increments, of a refund in parts the part alone.
   * @throws StoreUnavailableError
   */
  async standing(reference: string): Promise<number> {
    const record = await this.#journal.find(reference);
    if (!record || record.state === 'sent' || record.state === 'reversing') return 0;
    const increments =
      record.state === 'reversed' ? 0 : incrementedMinor(await this.#journal.following(reference));
    return standingMinor(record) + increments;
  }

  async #placed(record: ExchangeRecord): Promise<readonly PlacedEntry[]> {
    const position = (record.sequence ?? 0) + 1;
    const entries = [await this.#entryOf(record), await this.#reversalOf(record)];
    return entries.flatMap((entry) => (entry ? [{ position, entry }] : []));
  }

  async #entryOf(record: ExchangeRecord): Promise<RecordEntry | undefined> {
    // A further part counts with the first one.
    if (isFurtherPart(record)) return undefined;
    return recordEntry(record, await this.#journal.following(record.reference), await this.#partsOf(record));
  }

  async #reversalOf(record: ExchangeRecord): Promise<RecordEntry | undefined> {
    return reversalEntry(record, await this.#partsOf(record));
  }

  #partsOf(record: ExchangeRecord): Promise<readonly ExchangeRecord[]> {
    return partsOf((reference) => this.#journal.find(reference), record);
  }
}
