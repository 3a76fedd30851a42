import { type BitTable, bit, bitNames, bitTable } from './bits.js';

/** Application usage control, tag 9F07 (EMV Book 3 Annex C2). */
export const AUC_TABLE: BitTable = bitTable([
  [1, 8, 'Valid for domestic cash transactions'],
  [1, 7, 'Valid for international cash transactions'],
  [1, 6, 'Valid for domestic goods'],
  [1, 5, 'Valid for international goods'],
  [1, 4, 'Valid for domestic services'],
  [1, 3, 'Valid for international services'],
  [1, 2, 'Valid at ATMs'],
  [1, 1, 'Valid at terminals other than ATMs'],
  [2, 8, 'Domestic cashback allowed'],
  [2, 7, 'International cashback allowed'],
]);

/** The bits by name. */
export const AUC = {
  domesticCash: bit(1, 8),
  internationalCash: bit(1, 7),
  domesticGoods: bit(1, 6),
  internationalGoods: bit(1, 5),
  domesticServices: bit(1, 4),
  internationalServices: bit(1, 3),
  atms: bit(1, 2),
  otherThanAtms: bit(1, 1),
  domesticCashback: bit(2, 8),
  internationalCashback: bit(2, 7),
} as const;

/** Names of the set bits. */
export function aucNames(auc: Uint8Array): string[] {
  return bitNames(auc, AUC_TABLE);
}
