import { ChangedExchangeError, DuplicateExchangeError, type LinkJournal } from '../link/link-deps.js';
import type { NewNumber } from '../rules/decide-exchange.js';
import type { ExchangeRecord } from '../rules/exchange-record.js';

/** A journal in memory, which outlives the link that writes it as a file would. */
export class MemoryLinkJournal implements LinkJournal {
  readonly records = new Map<string, ExchangeRecord>();

  async begin(record: ExchangeRecord): Promise<void> {
    const { reference, request } = record;
    if (this.records.has(reference) || (request && (await this.findMessage(request))))
      throw new DuplicateExchangeError('the reference or the number is known');
    this.records.set(reference, record);
  }

  async change(record: ExchangeRecord): Promise<ExchangeRecord> {
    if (this.records.get(record.reference)?.version !== record.version)
      throw new ChangedExchangeError('another one was faster');
    const changed = { ...record, version: record.version + 1 };
    this.records.set(record.reference, changed);
    return changed;
  }

  async find(reference: string): Promise<ExchangeRecord | undefined> {
    return this.records.get(reference);
  }

  async findMessage({ stan, at }: Pick<NewNumber, 'stan' | 'at'>): Promise<ExchangeRecord | undefined> {
    return [...this.records.values()].find(({ request }) => request?.stan === stan && request.at === at);
  }

  async following(reference: string): Promise<readonly ExchangeRecord[]> {
    return [...this.records.values()].filter(({ purpose }) => purpose?.originalReference === reference);
  }

  async open(): Promise<readonly ExchangeRecord[]> {
    return [...this.records.values()].filter(({ state }) => state !== 'answered' && state !== 'reversed');
  }
}
