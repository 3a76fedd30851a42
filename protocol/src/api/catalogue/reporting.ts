import { DATE, oneOf } from './rows/format.js';
import { type Operation, optional, required } from './rows/parameter.js';

const operations: readonly Operation[] = ['report'];

/** Spec 2.9: reporting parameters, in the query of a GET. */
export const REPORTING_PARAMETERS = [
  required('date.from', DATE, { operations }),
  required('date.to', DATE, { operations }),
  optional('sortValue', oneOf('SettlementTxDate'), { operations }),
  optional('sortOrder', oneOf('ASC', 'DESC', 'asc', 'desc'), { operations }),
] as const;
