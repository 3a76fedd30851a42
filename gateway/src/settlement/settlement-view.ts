import { formatAmount } from '@tillbridge/protocol/payment/money.js';
import { timestampText } from '../payments/view/answer-frame.js';
import type { SettlementRow } from '../store/rows.js';

/** A settlement as the API and the command line show it: an aggregation of records. */
export function settlementView(settlement: SettlementRow): object {
  const { id, entityId, merchantId, source, format, currency, settledAtMs, state, recordCount } = settlement;
  const { creditMinor, debitMinor, feeMinor } = settlement;
  const money = (minor: number): string => formatAmount({ minor, currency });
  const netMinor = creditMinor - debitMinor - feeMinor;
  return {
    id,
    entityId,
    merchantEntityId: merchantId,
    testMode: source === 'INTERNAL' ? 'INTERNAL' : 'EXTERNAL',
    settlementFormat: format,
    currency,
    date: timestampText(settledAtMs),
    state,
    records: recordCount,
    credits: money(creditMinor),
    debits: money(debitMinor),
    fees: money(feeMinor),
    // What is paid out, or with a sign what the merchant owes.
    net: `${netMinor < 0 ? '-' : ''}${money(Math.abs(netMinor))}`,
  };
}
