import { COUNT, FLAG, INSTANT, listOf, objectOf, texts } from './schema-parts.js';

const GROUP = {
  ...texts('currency', 'volume'),
  count: COUNT,
  approved: COUNT,
  approvalRate: { type: 'number' },
};
const IN_GROUP = ['currency', 'count', 'approved', 'approvalRate', 'volume'];

/** Members of the totals of payments, an addition of ours. */
export const PAYMENT_TOTALS_PROPERTIES = {
  isWhole: FLAG,
  periods: listOf(objectOf({ from: INSTANT, ...GROUP }, ['from', ...IN_GROUP])),
  brands: listOf(objectOf({ ...texts('paymentBrand'), ...GROUP }, ['paymentBrand', ...IN_GROUP])),
  responseCodes: listOf(objectOf({ ...texts('responseCode'), ...GROUP }, ['responseCode', ...IN_GROUP])),
  declines: listOf(
    objectOf({ ...texts('code', 'description', 'currency'), count: COUNT }, ['code', 'currency', 'count']),
  ),
};
