import type { AgreementRow } from './rows.js';
import type { ClaimAgreement } from './store.js';

type CardNumber = Pick<AgreementRow, 'card' | 'numberType'>;

/** Whether two card numbers are certainly of two cards: a network token and the number it stands for are one card with two numbers. Pure. */
export function isOtherCard(one: CardNumber, other: CardNumber): boolean {
  return one.numberType === other.numberType && one.card !== other.card;
}

/**
 * The agreement after a claim, without its version; undefined where it stays as it is. Pure.
 * @param stored what has the reference now
 */
export function claimedAgreement(
  stored: AgreementRow | undefined,
  { row, otherwise, instead }: ClaimAgreement,
): AgreementRow | 'conflict' | undefined {
  if (!stored) return row;
  if (isOtherCard(stored, row)) {
    // An approval counts more than a payment under way.
    if (stored.state === 'held' && (otherwise === 'leave' || stored.paymentId === instead)) return row;
    return otherwise === 'leave' ? undefined : 'conflict';
  }
  if (stored.state === 'made' && row.state === 'held') return undefined;
  const { card, numberType } = stored;
  return { ...row, card, numberType };
}
