import { present } from '@tillbridge/wire/present.js';
import type { EntryMode } from '../../drivers/core/driver.js';
import type { AnswerCard } from '../../sale/machine/state/answer.js';
import type { CardDetails, SaleService } from '../../sale/service/sale-service.js';
import type { NexoCaller } from '../keys/caller.js';

const ENTRY_MODES: Readonly<Record<EntryMode, string>> = {
  MANUAL: 'Keyed',
  MAGSTRIPE: 'MagStripe',
  MAGSTRIPE_AS_FALLBACK: 'MagStripe',
  ICC: 'ICC',
  NFC_ICC: 'Contactless',
  NFC_MAGSTRIPE: 'Contactless',
};

/** What a till may see of a card; `details` only where its key has the right to them. */
export function cardData(
  { bin, last4Digits, brand, entryMode }: AnswerCard,
  details: CardDetails | undefined,
): object {
  const sensitive = details && sensitiveCardData(details);
  return {
    EntryMode: [ENTRY_MODES[entryMode]],
    ...(last4Digits && { MaskedPan: `${bin || '******'} **** ${last4Digits}` }),
    ...(brand !== undefined && { PaymentBrand: brand.toLowerCase() }),
    ...(sensitive && { SensitiveCardData: sensitive }),
  };
}

/** Year and month, as cards give it. */
const YEAR_AND_MONTH = /^(\d\d)(0[1-9]|1[0-2])$/;
const SEQUENCE_NUMBER = /^\d{1,3}$/;

/** `ExpiryDate` is MMYY and `CardSeqNumb` two or three digits; what is no such value is left out. The PAN is never known here. */
function sensitiveCardData({ expiry = '', panSequenceNumber = '' }: CardDetails): object | undefined {
  const [, year, month] = YEAR_AND_MONTH.exec(expiry) ?? [];
  const members = present({
    CardSeqNumb: SEQUENCE_NUMBER.test(panSequenceNumber) ? panSequenceNumber.padStart(2, '0') : undefined,
    ExpiryDate: year && month ? month + year : undefined,
  });
  return Object.keys(members).length > 0 ? members : undefined;
}

/** Expiry and sequence number of a sale's card; undefined for a key without the right to them. */
export async function cardDetailsFor(
  caller: NexoCaller,
  { sales }: { readonly sales: Pick<SaleService, 'cardDetails'> },
  reference: string,
): Promise<CardDetails | undefined> {
  return maySeeCardDetails(caller) ? sales.cardDetails(reference) : undefined;
}

/** Whether the key of a till has the right to expiry and sequence number of cards. */
export function maySeeCardDetails({ rights }: NexoCaller): boolean {
  return rights.includes('card-details');
}
