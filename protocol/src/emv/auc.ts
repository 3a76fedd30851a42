import { type BitTable, bit } from './bits.js';

/** Application usage control, tag 9F07 (EMV Book 3 Annex C2). */
export const AUC = {
  domesticCash: bit(1, 8, 'Valid for domestic cash transactions'),
  internationalCash: bit(1, 7, 'Valid for international cash transactions'),
  domesticGoods: bit(1, 6, 'Valid for domestic goods'),
  internationalGoods: bit(1, 5, 'Valid for international goods'),
  domesticServices: bit(1, 4, 'Valid for domestic services'),
  internationalServices: bit(1, 3, 'Valid for international services'),
  atms: bit(1, 2, 'Valid at ATMs'),
  otherThanAtms: bit(1, 1, 'Valid at terminals other than ATMs'),
  domesticCashback: bit(2, 8, 'Domestic cashback allowed'),
  internationalCashback: bit(2, 7, 'International cashback allowed'),
} as const satisfies BitTable;
