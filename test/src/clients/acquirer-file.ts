import { CSV_HEADERS } from '@tillbridge/gateway/features/settlement/rules/columns.js';

/** Columns of a file of an acquirer. */
export type FileRow = Readonly<Record<string, string>>;

/** A card payment in a settlement file. */
export const SETTLED_ROW: FileRow = {
  ReconciliationType: 'SETTLED',
  PaymentType: 'DEBIT',
  Cashflow: 'POS',
  ClearingInstituteMerchantId: '4711-0815',
  Amount: '12.34',
  Currency: 'EUR',
  TxRequestTime: '2026-11-20 12:00:00',
  SettlementAmount: '12.34',
  SettlementCurrency: 'EUR',
  SettlementFee: '0.25',
  SettlementFxRate: '1.00',
  SettlementDate: '2026-11-21',
  SettlementStatus: 'SUCCESS',
  SettlementFileFormat: 'ACME_V2',
  ClearingInsitituteName: 'Acme Acquiring',
};

/** The row as a line of the file. */
export const fileLine = (row: FileRow): string => CSV_HEADERS.map((name) => row[name] ?? '').join(';');
