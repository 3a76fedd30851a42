import type { PaymentRequest } from './requests.js';

/** Code of what does not belong together: how a card was read, what it gave, and what came with it. */
export const INSTRUMENT_MISMATCH = { resultCode: '100.500.101', responseCode: '12' } as const;

/**
 * Whether chip data or a PIN came without account data of a terminal: a typed card number has no chip, and proves nothing about whose
 * counter or PIN it is. The specification lists the fields side by side, so this is the content of a request and no wrong parameter.
 */
export function lacksAccountData({ pos }: Pick<PaymentRequest, 'pos'>): boolean {
  return pos !== undefined && !pos.sred && (pos.pin !== undefined || pos.iccData !== undefined);
}

const CHIP: ReadonlySet<string> = new Set(['ICC', 'NFC_ICC']);

/**
 * Whether the entry mode is chip but no chip data came: nothing distinguishes it from a copied magstripe. A refund may go to a card that is
 * not there.
 */
export function lacksChipData({ pos, type }: Pick<PaymentRequest, 'pos' | 'type'>): boolean {
  return pos !== undefined && CHIP.has(pos.entryMode) && pos.iccData === undefined && type !== 'CD';
}

/** Service codes of cards with a chip begin with 2 or 6 (ISO/IEC 7813). */
const CHIP_SERVICE_CODE = /^\d{8,19}[D=]\d{4}[26]/;

/**
 * Whether a card with a chip was read in another way, without a report of the terminal that the chip failed. Track 2 equivalent data of a
 * chip, sent again as if it had been swiped, is refused so. A contactless magstripe has the service code of its chip.
 */
export function evadesChip(entryMode: string, track2: string | undefined): boolean {
  const isOther = entryMode === 'MAGSTRIPE' || entryMode === 'MANUAL';
  return isOther && track2 !== undefined && CHIP_SERVICE_CODE.test(track2);
}
