import { ERROR_TABLE, RETIRED } from './error-table.js';
import { describeErrorTable } from './error-table.test.support.js';

describeErrorTable({
  name: 'wire',
  table: ERROR_TABLE,
  retired: RETIRED,
  inner: ['NamedError', 'DialectError'],
  url: import.meta.url,
});
