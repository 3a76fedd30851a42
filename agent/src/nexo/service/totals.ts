import { majorUnits } from '@tillbridge/protocol/nexo/amounts.js';
import { failure, success } from '@tillbridge/protocol/nexo/response.js';
import type { Handler, NexoPorts, TotalsLine } from './ports.js';

const NO_TOTALS = failure('UnavailableService', 'this agent keeps no totals');

const TRANSACTION_TYPES: Readonly<Record<TotalsLine['kind'], string>> = {
  debit: 'Debit',
  credit: 'Credit',
  'reverse-debit': 'ReverseDebit',
  'reverse-credit': 'ReverseCredit',
  declined: 'Declined',
  failed: 'Failed',
};

/** What was sold since the last day close. */
export const getTotals: Handler = async ({ header, body }, ports) => {
  const filter = body.objectIfThere('TotalFilter');
  const saleId = filter?.textIfThere('SaleID');
  const found = await totalsOf(ports, filter?.textIfThere('POIID') ?? header.POIID, saleId);
  return { POIReconciliationID: '', Response: NO_TOTALS, ...found };
};

/** The same, as the till closes its day: totals are counted, not reset. */
export const reconciliation: Handler = async ({ header, body }, ports) => {
  const type = body.oneOf('ReconciliationType', [
    'SaleReconciliation',
    'AcquirerSynchronisation',
    'AcquirerReconciliation',
    'PreviousReconciliation',
  ]);
  const said = { ReconciliationType: type };
  if (type !== 'SaleReconciliation')
    return { ...said, Response: failure('UnavailableService', `${type} is the acquirer’s own`) };
  return { ...said, Response: NO_TOTALS, ...(await totalsOf(ports, header.POIID, undefined)) };
};

async function totalsOf(
  { totals, terminals }: NexoPorts,
  poiId: string,
  saleId: string | undefined,
): Promise<object | undefined> {
  const { id: terminalId } = terminals.of(poiId);
  if (!totals) return undefined;
  const { period, groups } = await totals.current({ terminalId, ...(saleId !== undefined && { saleId }) });
  return {
    Response: success(),
    POIReconciliationID: period,
    TransactionTotals: groups.map(({ brand, currency, lines }) => ({
      PaymentInstrumentType: 'Card',
      POIID: poiId,
      PaymentCurrency: currency,
      ...(brand !== undefined && { CardBrand: brand }),
      PaymentTotals: lines.map(({ kind, count, minor }) => ({
        TransactionType: TRANSACTION_TYPES[kind],
        TransactionCount: count,
        TransactionAmount: majorUnits({ minor, currency }),
      })),
    })),
  };
}
