import { describeErrorTable } from '@tillbridge/wire/errors/error-table.test.support.js';
import { ERROR_TABLE, RETIRED } from './error-table.js';

describeErrorTable({
  name: 'agent',
  table: ERROR_TABLE,
  retired: RETIRED,
  inner: [
    'BlobError',
    'DuplicateKey',
    'JournalLimitError',
    'NoJournalError',
    'SensitiveFormatError',
    'WriterReplaced',
  ],
  url: import.meta.url,
});
