import type { AgreementRow } from '../../store/rows.js';
import type { Change } from '../../store/store.js';
import {
  agreementIdOf,
  NO_INITIAL,
  type StandingInstruction,
  standingDetail,
} from './standing-instruction.js';

/** What an approved first payment makes an agreement of; kept with its intent. Nothing sensitive. */
export interface NewAgreement
  extends Pick<AgreementRow, 'merchantId' | 'card' | 'numberType' | 'type' | 'expiry'> {
  readonly standing: Pick<StandingInstruction, 'agreementId'>;
}

/** A payment that repeats an agreement. */
export interface Repetition extends Pick<AgreementRow, 'card' | 'numberType'> {
  readonly standing: StandingInstruction;
  readonly today: string;
}

/** A repeated payment that does not fit its agreement. */
export interface AgreementBreach {
  readonly resultCode: string;
  /** Names field and rule. */
  readonly detail: string;
}

/** Set-up of a repetition that its agreement does not have (reference §1). */
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
  // A network token and the number it stands for are one card with two numbers.
  if (stored.numberType === numberType && stored.card !== card)
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

/**
 * The rows of an agreement, one under each reference. An agreement id that was used before stands for the new agreement from now on. Pure.
 * @param stored what stands under the references now
 */
export function agreementChanges(
  { merchantId, card, numberType, type, expiry }: NewAgreement,
  { initialTransactionId, agreementId = initialTransactionId }: AgreementReferences,
  stored: readonly AgreementRow[],
  by: { readonly paymentId: string; readonly nowMs: number },
): Change[] {
  return [...new Set([initialTransactionId, agreementId])].map((reference): Change => {
    const before = stored.find((row) => row.reference === reference);
    const about = { merchantId, reference, card, numberType, type, expiry, paymentId: by.paymentId };
    const row: AgreementRow = { ...about, createdAtMs: by.nowMs, version: before?.version ?? 1 };
    return { op: before ? 'update' : 'insert', table: 'agreements', row };
  });
}
