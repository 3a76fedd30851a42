import { equalConstantTime } from '@tillbridge/wire/bytes.js';
import { findTestGiftCard, type TestGiftCard } from '@tillbridge/wire/payment/test-gift-cards.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { newApprovalCode } from '@tillbridge/wire/simulated-issuer/new-approval-code.js';
import type { AcquirerGiftCard } from '../acquirer.js';

/** What a request needs of a gift card, without its number and PIN. The ledger has the balance: it decides in the transaction that records. */
export interface GiftCardAsk {
  /** Absent: there is no such card. */
  readonly issued?: Pick<TestGiftCard, 'behaviour' | 'currency' | 'openingMinor'>;
  readonly pinIsRight: boolean;
  /** Of an approval. */
  readonly approvalCode: string;
}

/** The request with this card to the simulated issuer of gift cards. */
export function askOf(card: Pick<AcquirerGiftCard, 'number' | 'pin'>, random: Random): GiftCardAsk {
  const { pin, behaviour, currency, openingMinor } = findTestGiftCard(card.number) ?? {};
  const issued = behaviour && currency !== undefined && openingMinor !== undefined;
  return {
    ...(issued && { issued: { behaviour, currency, openingMinor } }),
    pinIsRight: pin !== undefined && equalConstantTime(Buffer.from(card.pin ?? ''), Buffer.from(pin)),
    approvalCode: newApprovalCode(random),
  };
}
