import { formatAmount } from '@tillbridge/wire/payment/money.js';
import { timestampText } from '../../kernel/http/request/answer-frame.js';
import type { SettlementRow } from '../../kernel/store/rows.js';
import { rateText, type UsedRate } from './rules/exchange.js';

/** A settlement as the API and the command line show it: an aggregation of records. */
export function settlementView(settlement: SettlementRow): object {
  const { id, entityId, merchantId, source, format, currency, settledAtMs, state, recordCount } = settlement;
  const { creditMinor, debitMinor, feeMinor } = settlement;
  const money = (minor: number): string => formatAmount({ minor, currency });
  const netMinor = creditMinor - debitMinor - feeMinor;
  const rates = JSON.parse(settlement.rates) as readonly UsedRate[];
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
    ...(rates.length > 0 && { exchangeRates: rates.map(usedRateView) }),
    // What is paid out, or with a sign what the merchant owes.
    net: money(netMinor),
  };
}

/** What the records in a currency were changed for. */
function usedRateView({ currency, rate, fromMs, source }: UsedRate): object {
  return { currency, rate: rateText(rate), validFrom: timestampText(fromMs), source };
}
