import type { ShopperLocale } from '@tillbridge/wire/shopper/shopper-language.js';
import { isMailAddress, outboxChange } from '../../../kernel/outbox/outbox-row.js';
import type { PaymentLinkRow } from '../../../kernel/store/rows.js';
import { CommitConflict } from '../../../kernel/store/store.js';
import { RecentUses, type RecentUsesDeps } from '../../../security/use-limits/recent-uses.js';
import type { LinkReceipt } from './link-receipt.js';
import { receiptMail } from './receipt-mail.js';

const DAY_MS = 86_400_000;

/** Receipts that are sent by e-mail at most: the shopper decides where they go. */
export const RECEIPT_MAIL_LIMITS = {
  /** Of one payment. */
  ofPayment: { uses: 3, windowMs: DAY_MS },
  /** To one address, of all payments. */
  toAddress: { uses: 10, windowMs: DAY_MS },
} as const;

/** What became of a request for a receipt: it is in the outbox, the address is none, or there were too many of them. */
export type ReceiptMailing = 'sent' | 'wrong' | 'tooMany';

/** Sends receipts of payment links by e-mail, to the address that the shopper enters. */
export class MailedReceipts {
  readonly #deps: RecentUsesDeps;
  readonly #ofPayment: RecentUses;
  readonly #toAddress: RecentUses;

  constructor(deps: RecentUsesDeps) {
    this.#deps = deps;
    this.#ofPayment = new RecentUses(deps, 'receipt', RECEIPT_MAIL_LIMITS.ofPayment);
    this.#toAddress = new RecentUses(deps, 'receipt address', RECEIPT_MAIL_LIMITS.toAddress);
  }

  /**
   * Puts the receipt of a link into the outbox. The address stands there until the e-mail is sent or given up, else as a keyed hash alone.
   * @throws CommitConflict when every race for a count was lost, StoreUnavailableError
   */
  async send(
    { id, paymentId, entityId }: Pick<PaymentLinkRow, 'id' | 'paymentId' | 'entityId'>,
    recipient: string,
    locale: ShopperLocale,
    receipt: LinkReceipt,
  ): Promise<ReceiptMailing> {
    if (!isMailAddress(recipient)) return 'wrong';
    // That of the payment comes first: a payment uses up little of what an address may get.
    if ((await this.#ofPayment.take(id)) > 0) return 'tooMany';
    if ((await this.#toAddress.take(recipient.toLowerCase())) > 0) return 'tooMany';
    const about = {
      channel: 'mail',
      kind: 'receipt',
      subjectId: paymentId ?? id,
      entityId,
      recipient,
    } as const;
    const message = outboxChange({ ...about, ...receiptMail(locale, receipt) }, this.#deps.clock.nowMs());
    try {
      await this.#deps.store.commit([message]);
    } catch (error) {
      // The same receipt was requested twice in one millisecond: it is in the outbox.
      if (!(error instanceof CommitConflict)) throw error;
    }
    return 'sent';
  }
}
