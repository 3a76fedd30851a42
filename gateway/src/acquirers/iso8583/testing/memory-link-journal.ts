import type { ExchangeRecord } from '../decide/exchange-record.js';
import type { LinkJournal } from '../link/link-parts.js';

/** A journal in memory, which outlives the link that writes it as a file would. */
export class MemoryLinkJournal implements LinkJournal {
  readonly records = new Map<string, ExchangeRecord>();

  async begin(record: ExchangeRecord): Promise<void> {
    const { request } = record;
    const isUsed = [...this.records.values()].some(
      (other) => other.request.stan === request.stan && other.request.at === request.at,
    );
    if (isUsed || this.records.has(record.reference)) throw new Error('the reference or the number is known');
    this.records.set(record.reference, record);
  }

  async change(record: ExchangeRecord): Promise<void> {
    this.records.set(record.reference, record);
  }

  async find(reference: string): Promise<ExchangeRecord | undefined> {
    return this.records.get(reference);
  }

  async open(): Promise<readonly ExchangeRecord[]> {
    return [...this.records.values()].filter(({ state }) => state === 'sent' || state === 'reversing');
  }
}
