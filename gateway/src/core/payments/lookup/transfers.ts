import type { PaymentRow, SettlementRecordRow, WaitRow } from '../../../kernel/store/rows.js';
import type { Store } from '../../../kernel/store/store.js';
import { detailOf } from '../rules/intent-detail.js';
import { intentOfPayment } from './find-intent.js';

type Reads = Pick<Store, 'get' | 'find'>;

/** What of a payment by bank transfer its money is compared with. */
type Awaited = Pick<PaymentRow, 'id' | 'amountMinor' | 'currency'>;

/** A payment that waits for its transfer. */
export interface AwaitedTransfer {
  readonly payment: PaymentRow;
  readonly wait: WaitRow;
}

/** Money that came in, from a record of a file. Pure. */
export function isReceipt(
  record: Pick<SettlementRecordRow, 'recordType' | 'transactionType' | 'cashflow' | 'status'>,
): boolean {
  const { recordType, transactionType, cashflow, status } = record;
  return (
    recordType === 'SETTLED' && transactionType === 'DEBIT' && cashflow === 'POS' && status === 'SUCCESS'
  );
}

/**
 * What has come in for a payment by transfer, by files and by RC of its merchant, in minor units of its currency. Money in another currency is not
 * in it.
 * @throws StoreUnavailableError
 */
export async function receivedMinor(store: Reads, { id, currency }: Awaited): Promise<number> {
  const [records, receipts] = await Promise.all([
    store.find('settlementRecords', 'payment', [id]),
    store.find('transferReceipts', 'payment', [id]),
  ]);
  const matched = records.filter((record) => record.matching === 'MATCHED' && isReceipt(record));
  return [...matched, ...receipts]
    .filter((each) => each.currency === currency)
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

/** Whether the whole money of a payment by transfer has come in. @throws StoreUnavailableError */
export async function isReceived(store: Reads, payment: Awaited): Promise<boolean> {
  return (await receivedMinor(store, payment)) >= payment.amountMinor;
}

/** The payment of an id while it waits for its transfer. @throws StoreUnavailableError */
export async function awaitedTransfer(store: Reads, paymentId: string): Promise<AwaitedTransfer | undefined> {
  const [intent, wait] = await Promise.all([
    intentOfPayment(store, paymentId),
    store.get('waits', [paymentId]),
  ]);
  if (intent?.state !== 'waiting' || wait?.kind !== 'receipt' || wait.untilMs === null) return undefined;
  return { payment: detailOf(intent).draft, wait };
}
