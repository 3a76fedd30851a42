import { BOOLEAN, integer, listOf, TIMESTAMP, text } from './rows/format.js';
import { type Operation, optional } from './rows/parameter.js';
import { TEST_MODE } from './rows/test-mode.js';

const operations: readonly Operation[] = ['query'];

const PAYMENT_TYPES =
  'CB CD CR DB CP IV PA RB RC RF RL RV AD IN FI CL CF DR RG RR TE CT DS RS SD AC MD EA RI 3D SA EN ID IC DP CG TG ' +
  'SF IS VD DV AF GK RD TM FT KT AR AL PL FN FZ RE RX FO CS EX SE AU TK TF ER';
const PAYMENT_METHODS = 'DD CT CC WA VA UA OT DC ET NT IV PP OD RM';

/** Which page of a query is wanted, from 1 on: not in the specification, but in the API family (docs/rest-api.md). */
export const QUERY_PAGE_PARAMETERS = [
  optional('pageNo', integer(1, 1_000), { operations }),
  { ...TEST_MODE, operations },
] as const;

/** Spec 2.9: query parameters, in the query of a GET. */
export const QUERY_PARAMETERS = [
  optional('merchantTransactionId', text(0, 255), { operations }),
  optional('limit', integer(100, 500), { operations }),
  optional('date.from', TIMESTAMP, { operations }),
  optional('date.to', TIMESTAMP, { operations }),
  optional('paymentTypes', listOf(...PAYMENT_TYPES.split(' ')), { operations }),
  optional('paymentMethods', listOf(...PAYMENT_METHODS.split(' ')), { operations }),
  optional('includeLinkedTransactions', BOOLEAN, { operations }),
  optional('shortId', text(0, 14), { operations }),
] as const;
