import { startOfDay } from '@tillbridge/wire/text/local-time.js';
import type { TotalKind, TotalsGroup } from '../../sale/totals/totals.js';
import { reconciliationId } from '../answers/payment-answer.js';
import { actsFor, demandRight } from '../keys/caller.js';
import { failure, success } from '../messages/response.js';
import type { Handler, NexoPorts } from './ports.js';

/** Kinds that stand at the acquirer, and the transaction types that they are. */
const STANDING = {
  approved: 'Debit',
  refunded: 'Credit',
  preauthorized: 'OneTimeReservation',
  reversed: 'ReverseDebit',
  reversedRefunds: 'ReverseCredit',
} as const satisfies Readonly<Partial<Record<TotalKind, string>>>;
/** Kinds that do not count yet, or never: given after the totals. */
const NOT_COUNTED = [
  'waiting',
  'running',
  'unknown',
  'parked',
  'lateDeclined',
] as const satisfies readonly TotalKind[];

/** What a terminal has sold today, or a till on it. */
export const getTotals: Handler = async ({ header, body, caller }, ports) => {
  const filter = body.objectIfThere('TotalFilter');
  const till = filter?.textIfThere('SaleID');
  if (till === undefined || !actsFor(caller, till)) demandRight(caller, ['report']);
  return totalsOf(ports, filter?.textIfThere('POIID') ?? header.POIID, till);
};

/** The same as the till closes its day: totals are counted, not reset. */
export const reconciliation: Handler = async ({ header, body }, ports) => {
  const type = body.oneOf('ReconciliationType', [
    'SaleReconciliation',
    'AcquirerSynchronisation',
    'AcquirerReconciliation',
    'PreviousReconciliation',
  ]);
  const common = { ReconciliationType: type };
  if (type !== 'SaleReconciliation')
    return { ...common, Response: failure('UnavailableService', `${type} is the acquirer’s own`) };
  return { ...common, ...(await totalsOf(ports, header.POIID, undefined)) };
};

async function totalsOf(
  { sales, terminals, clock, store: { timeZone } }: NexoPorts,
  poiId: string,
  till: string | undefined,
): Promise<object> {
  const { id: terminalId } = terminals.of(poiId);
  const nowMs = clock.nowMs();
  const sinceMs = startOfDay(nowMs, timeZone);
  const query = { sinceMs, untilMs: nowMs + 1, terminalId, ...(till !== undefined && { till }) };
  const groups = await sales.totals(query, 'brand');
  return {
    Response: success(notCounted(groups)),
    POIReconciliationID: reconciliationId(nowMs, timeZone),
    TransactionTotals: groups.map((group) => ({
      PaymentInstrumentType: 'Card',
      POIID: poiId,
      PaymentCurrency: group.currency,
      ...(group.key !== '' && { CardBrand: group.key.toLowerCase() }),
      PaymentTotals: standing(group),
    })),
  };
}

function standing(group: TotalsGroup): readonly object[] {
  return Object.entries(STANDING).flatMap(([kind, type]) => {
    const { count, amount } = group[kind as keyof typeof STANDING];
    if (count === 0) return [];
    return [{ TransactionType: type, TransactionCount: count, TransactionAmount: Number(amount) }];
  });
}

/** `waiting.EUR` is `2 24.68`: how many, and how much. */
function notCounted(groups: readonly TotalsGroup[]): Readonly<Record<string, string>> {
  const sums = new Map<string, { count: number; hundredths: number }>();
  for (const group of groups)
    for (const kind of NOT_COUNTED) {
      const { count, amount } = group[kind];
      if (count === 0) continue;
      const name = `${kind}.${group.currency}`;
      const sum = sums.get(name) ?? { count: 0, hundredths: 0 };
      sums.set(name, {
        count: sum.count + count,
        hundredths: sum.hundredths + Math.round(Number(amount) * 100),
      });
    }
  return Object.fromEntries(
    [...sums].map(([name, { count, hundredths }]) => [name, `${count} ${(hundredths / 100).toFixed(2)}`]),
  );
}
