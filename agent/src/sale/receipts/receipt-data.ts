import type { Money } from '@tillbridge/wire/payment/money.js';
import type { EntryMode } from '../../drivers/core/driver.js';
import type { AnswerEmv, SaleOutcome, SaleType } from '../machine/state/answer.js';
import type { VerdictNote } from './receipt-texts.js';

/** For whom a receipt is printed. */
export type ReceiptCopy = 'customer' | 'merchant';

/** The content of a sale's receipts, without form and language. */
export interface ReceiptData {
  readonly type: SaleType;
  /** When the sale was accepted; milliseconds since 1970. */
  readonly atMs: number;
  readonly terminalId: string;
  readonly till?: string;
  /** Transaction sequence number (tag 9F41). */
  readonly sequence: number;
  readonly reference: string;
  /** What the cardholder pays by this card. */
  readonly amount: Money;
  /** The requested amount, where it was more. */
  readonly requested?: Money;
  /** Of the amount: what the cardholder gives to staff. */
  readonly tip?: Money;
  readonly last4Digits?: string;
  readonly brand?: string;
  readonly entryMode?: EntryMode;
  readonly emv?: AnswerEmv;
  /** How the sale ended, line by line; `merchantRisk` is only for the merchant. */
  readonly verdict: readonly (SaleOutcome | VerdictNote)[];
  /** What the cardholder can spend, for the cardholder alone, and cash that the till hands out. Of an approval by the gateway. */
  readonly availableBalance?: Money;
  readonly cashBack?: Money;
  /** Only of an approval by the gateway, or by the issuer on the phone. */
  readonly approvalCode?: string;
  /** An offline sale that was declined later, or expired. */
  readonly isLateDecline: boolean;
  readonly resultCode?: string;
  readonly paymentId?: string;
  /** The card wants a signature on the merchant's copy. */
  readonly signature: boolean;
}
