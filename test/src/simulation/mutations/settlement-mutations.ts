import type { SettlementRecordRow, SettlementRow } from '@tillbridge/gateway/kernel/store/rows.js';
import type { Change, Range, Store } from '@tillbridge/gateway/kernel/store/store.js';
import { minorDigits } from '@tillbridge/wire/payment/minor-digits.js';
import { redirected } from './redirected.js';

/** Deliberate bugs of what merchants are paid. */

/** Settlements count every currency in hundredths. */
export function settlesHundredths(store: Store): Store {
  return recording(store, (row) =>
    minorDigits(row.currency) === 0 ? { ...row, amountMinor: row.amountMinor * 100 } : row,
  );
}

/** Records of refunds have the cash flow of money that the merchant gets. */
export function settlesNoRefunds(store: Store): Store {
  return recording(store, (row) => (row.cashflow === 'NEG' ? { ...row, cashflow: 'POS' } : row));
}

/** What is given back costs a fee as what is taken does. */
export function takesFeesOfRefunds(store: Store): Store {
  return recording(store, (row) =>
    row.transactionType === 'REFUND' ? { ...row, feeMinor: row.settlementMinor } : row,
  );
}

/** A chargeback costs a fee as a payment does. */
export function takesFeesOfChargebacks(store: Store): Store {
  return recording(store, (row) =>
    row.recordType === 'CHARGEBACK' ? { ...row, feeMinor: row.settlementMinor } : row,
  );
}

/** What a merchant wins back is taken from it once more. */
export function takesWonBackAgain(store: Store): Store {
  return recording(store, (row) =>
    row.recordType === 'CHARGEBACK REVERSAL' ? { ...row, cashflow: 'NEG' } : row,
  );
}

/** A settlement begins with an operation that was never requested. */
export function countsOneMore(store: Store): Store {
  return settling(store, (row) => {
    const counts = JSON.parse(row.operations) as Record<string, number>;
    return { ...row, operations: JSON.stringify({ ...counts, AUTH_FEE: (counts.AUTH_FEE ?? 0) + 1 }) };
  });
}

/** The digits of the other currency count once more in what is changed. */
export function scalesTwice(store: Store): Store {
  return recording(store, (row) => {
    const scale = 10 ** (minorDigits(row.settlementCurrency) - minorDigits(row.currency));
    return { ...row, settlementMinor: Math.round(row.settlementMinor * scale) };
  });
}

/** Whatever was paid is changed by the rate that began last, and not by that of its time. */
export function takesLatestRates(store: Store): Store {
  return redirected(store, {
    findRange: async (table: 'exchangeRates', index: string, range: Range<'exchangeRates'>) => {
      const isRate = table === 'exchangeRates' && range.below !== undefined;
      return store.findRange(table, index, isRate ? { ...range, below: Number.MAX_SAFE_INTEGER } : range);
    },
  });
}

/** Records of settlements are written with other values. */
function recording(store: Store, change: (row: SettlementRecordRow) => SettlementRecordRow): Store {
  return redirected(store, {
    commit: (changes: readonly Change[]) =>
      store.commit(
        changes.map((each) =>
          each.op === 'insert' && each.table === 'settlementRecords'
            ? { ...each, row: change(each.row) }
            : each,
        ),
      ),
  });
}

/** Settlements begin with other values. */
function settling(store: Store, change: (row: SettlementRow) => SettlementRow): Store {
  return redirected(store, {
    commit: (changes: readonly Change[]) =>
      store.commit(
        changes.map((each) =>
          each.op === 'insert' && each.table === 'settlements' ? { ...each, row: change(each.row) } : each,
        ),
      ),
  });
}
