import { CURRENCY, characters, DATE, integer, oneOf } from './rows/format.js';
import { type Operation, optional, required } from './rows/parameter.js';
import { TEST_MODE } from './rows/test-mode.js';

const operations: readonly Operation[] = ['report'];

/** Spec 2.9: reporting parameters, in the query of a GET. */
export const REPORTING_PARAMETERS = [
  required('date.from', DATE, { operations }),
  required('date.to', DATE, { operations }),
  optional('sortValue', oneOf('SettlementTxDate'), { operations }),
  optional('sortOrder', oneOf('ASC', 'DESC', 'asc', 'desc'), { operations }),
] as const;

const ENTITY = optional('entityId', characters('0-9a-f', 32, 32));
const PAGE = optional('pageNo', integer(1, 1_000));

/** Also in the API family (docs/reports.md): which settlements are listed. */
export const REPORT_LIST_PARAMETERS = [optional('currency', CURRENCY), TEST_MODE, PAGE] as const;

/** The records of one settlement, all at once (docs/reports.md). */
export const REPORT_DETAIL_PARAMETERS = [
  ENTITY,
  TEST_MODE,
  optional('sortValue', oneOf('SettlementTxDate')),
  optional('sortOrder', oneOf('ASC', 'DESC', 'asc', 'desc')),
] as const;

/** The records of one settlement, page by page (docs/reports.md). */
export const REPORT_PAGE_PARAMETERS = [
  ...REPORT_DETAIL_PARAMETERS,
  optional('reconciliationType', oneOf('SETTLED', 'CHARGEBACK', 'CHARGEBACK REVERSAL', 'FEE')),
  PAGE,
] as const;

/** Additions of ours: whose files are listed, and whose file is read. */
export const RECONCILIATION_LIST_PARAMETERS = [ENTITY, PAGE] as const;
export const RECONCILIATION_FILE_PARAMETERS = [ENTITY] as const;
