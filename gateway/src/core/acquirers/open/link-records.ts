import type { Store } from '../../../kernel/store/store.js';
import type { AcquirerConfig } from '../configuration/acquirer-section.js';
import { LinkRecord } from '../iso8583/journal/link-record.js';
import { StoreLinkJournal } from '../iso8583/journal/store-link-journal.js';

/** The records of the configured acquirers that are reached by ISO 8583. */
export function linkRecords(
  acquirers: readonly Pick<AcquirerConfig, 'name'>[],
  store: Store,
): readonly LinkRecord[] {
  return acquirers.map(({ name }) => new LinkRecord(name, new StoreLinkJournal({ store, acquirer: name })));
}
