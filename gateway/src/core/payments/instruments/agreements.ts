import { isOtherCard } from '../../../kernel/store/claim-agreement.js';
import type { AgreementRow } from '../../../kernel/store/rows.js';
import type { ClaimAgreement } from '../../../kernel/store/store.js';
import type { StandingInstruction } from '../../acquirers/standing-instruction.js';
import { agreementIdOf, NO_INITIAL, standingDetail } from './standing-instruction.js';

/** What an approved first payment makes an agreement of; stored with its intent. Nothing sensitive. */
export interface NewAgreement
  extends Pick<AgreementRow, 'merchantId' | 'card' | 'numberType' | 'type' | 'expiry'> {
  readonly standing: Pick<StandingInstruction, 'agreementId'>;
}

/** A payment that repeats an agreement. */
interface Repetition extends Pick<AgreementRow, 'card' | 'numberType'> {
  readonly standing: StandingInstruction;
  readonly today: string;
}

/** A repeated payment that does not fit its agreement. */
export interface AgreementBreach {
  readonly resultCode: string;
  /** Names field and rule. */
  readonly detail: string;
}

/** Set-up of a repetition that its agreement does not have (docs/result-codes.md). */
const WRONG_SET_UP = '600.200.501';

/**
 * Why a payment cannot repeat an agreement of ours; undefined when it can. A transaction id that is not ours was made at another processor:
 * the network alone knows it. Pure.
 */
export function agreementBreach(
  { standing, card, numberType, today }: Repetition,
  stored: Pick<AgreementRow, 'card' | 'numberType' | 'type' | 'expiry'> | undefined,
): AgreementBreach | undefined {
  if (!stored) return undefined;
  if (isOtherCard(stored, { card, numberType }))
    return {
      resultCode: NO_INITIAL,
      detail: standingDetail('initialTransactionId', 'be that of a payment with this card'),
    };
  if (stored.type !== null && standing.type !== undefined && standing.type !== stored.type)
    return { resultCode: WRONG_SET_UP, detail: standingDetail('type', `be ${stored.type}, as at first`) };
  if (stored.expiry !== null && stored.expiry < today)
    return {
      resultCode: WRONG_SET_UP,
      detail: standingDetail('expiry', 'not be over: the agreement has ended'),
    };
  return undefined;
}

/** What an approved first payment gives back to the merchant. */
export interface AgreementReferences {
  readonly initialTransactionId: string;
  readonly agreementId?: string;
}

/** The references of an agreement. @param transactionId the network's id of its first payment */
export function referencesOf(
  { standing }: NewAgreement,
  brand: string | null,
  transactionId: string,
): AgreementReferences {
  const agreementId = agreementIdOf(standing, brand, transactionId);
  return { initialTransactionId: transactionId, ...(agreementId !== undefined && { agreementId }) };
}

/** The payment that claims an agreement, or the registration that a migration makes. */
export interface ClaimedBy {
  readonly paymentId: string;
  readonly nowMs: number;
}

/**
 * The changes that make an agreement under each reference of its first payment. The money has moved: none of them fails, and a reference that
 * another card has stays as it is. Pure.
 */
export function agreementChanges(
  agreement: NewAgreement,
  { initialTransactionId, agreementId = initialTransactionId }: AgreementReferences,
  by: ClaimedBy,
): readonly ClaimAgreement[] {
  return [...new Set([initialTransactionId, agreementId])].map((reference) => ({
    op: 'claim-agreement',
    row: agreementRow(agreement, reference, 'made', by),
    otherwise: 'leave',
  }));
}

/** An agreement id that belongs to the card of its first payment. */
export const OTHER_CARD: AgreementBreach = {
  resultCode: WRONG_SET_UP,
  detail: standingDetail('agreementId', 'be another one: the agreement of this id began with another card'),
};

/** The row of an agreement under one of its references. Pure. */
export function agreementRow(
  { merchantId, card, numberType, type, expiry }: NewAgreement,
  reference: string,
  state: AgreementRow['state'],
  { paymentId, nowMs: createdAtMs }: ClaimedBy,
): AgreementRow {
  const about = { merchantId, reference, state, card, numberType, type, expiry, paymentId };
  return { ...about, createdAtMs, version: 1 };
}
