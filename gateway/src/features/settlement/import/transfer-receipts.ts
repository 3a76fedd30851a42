import { accountMethodOf } from '@tillbridge/wire/payment/account-methods.js';
import { formatAmount } from '@tillbridge/wire/payment/money.js';
import { awaitedTransfer, isReceipt, receivedMinor } from '../../../core/payments/lookup/transfers.js';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import { CommitConflict, type Store } from '../../../kernel/store/store.js';
import type { ImportedRow } from '../rules/import-row.js';

/** What came in for the payments by bank transfer of a file. */
export class TransferReceipts {
  readonly #store: Pick<Store, 'get' | 'find' | 'commit'>;
  readonly #nowMs: () => number;
  /** What has come in by payment, with the rows of the file so far, in minor units. */
  readonly #received = new Map<string, number>();

  constructor(store: Pick<Store, 'get' | 'find' | 'commit'>, nowMs: () => number) {
    this.#store = store;
    this.#nowMs = nowMs;
  }

  /**
   * Counts a row on the payment that it matched.
   * @returns what is to be done about it, in words; undefined where the payment has its money, and no more, or waits for none
   * @throws StoreUnavailableError
   */
  async count(row: ImportedRow, payment: PaymentRow | undefined): Promise<string | undefined> {
    if (!payment || !isTransfer(payment) || !isReceipt(row)) return undefined;
    const { id, currency, amountMinor } = payment;
    if (row.currency !== currency)
      return `the transfer is in ${row.currency}, the payment in ${currency}: give it back, or exchange it and send RC`;
    if (payment.state === 'declined')
      return `the payment has ended without its transfer (${payment.resultCode}): give the money back`;
    const before = this.#received.get(id) ?? (await receivedMinor(this.#store, payment));
    const received = before + row.amountMinor;
    this.#received.set(id, received);
    const inWords = (minor: number) => `${formatAmount({ minor, currency })} ${currency}`;
    if (received < amountMinor)
      return `the payment still waits for ${inWords(amountMinor - received)} of ${inWords(amountMinor)}`;
    const surplus = Math.min(row.amountMinor, received - amountMinor);
    return surplus > 0 ? `${inWords(surplus)} more than the payment has come in: give it back` : undefined;
  }

  /** Makes the waits due of those that got money: the gateway ends them, whatever process imports. @throws StoreUnavailableError */
  async wake(paymentIds: ReadonlySet<string>): Promise<void> {
    for (const id of paymentIds) {
      if (!this.#received.has(id)) continue;
      const awaited = await awaitedTransfer(this.#store, id);
      if (!awaited) continue;
      const row = { ...awaited.wait, dueAtMs: this.#nowMs() };
      await this.#store.commit([{ op: 'update', table: 'waits', row }]).catch((error: unknown) => {
        // Another request looks at it now; the next look-up of the payment, or its deadline, finds the money.
        if (!(error instanceof CommitConflict)) throw error;
      });
    }
  }
}

function isTransfer({ brand }: PaymentRow): boolean {
  return accountMethodOf(brand ?? undefined)?.kind === 'bank-transfer';
}
