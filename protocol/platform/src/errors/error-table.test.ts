import { describeErrorTable } from '@tillbridge/wire/errors/error-table.test.support.js';
import { ERROR_TABLE, RETIRED } from './error-table.js';

describeErrorTable({
  name: 'platform',
  table: ERROR_TABLE,
  retired: RETIRED,
  inner: [],
  url: import.meta.url,
});
