import { chargebackRule, isWithinChargebackWindow } from '@tillbridge/wire/payment/chargeback-reasons.js';
import { resultDescription } from '@tillbridge/wire/payment/result-codes/result-codes.js';
import { shortId } from '@tillbridge/wire/payment/short-id.js';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import type { AcquirerChargeback } from '../../acquirers/acquirer.js';
import { assertAmounts } from './amount-rules.js';
import { BEGINNING, NO_CARD } from './drafts.js';
import { echoOf } from './lifecycle-facts.js';
import { verificationColumn } from './verification-results.js';

/** The payment whose money was taken back or given again, and what is known of it. */
interface ChargedPayment {
  /** The payment that the acquirer named. */
  readonly target: PaymentRow;
  /** The payment with the amounts; the target itself where it is one. */
  readonly root: PaymentRow;
  /** The chargebacks and their reversals that are booked on the root. */
  readonly booked: readonly PaymentRow[];
  readonly mode: 'test' | 'live';
}

/** What a chargeback of the acquirer becomes. */
export type ChargebackVerdict =
  /** A separate payment, the ones that it changes, and the chargeback that it gives back where that was not booked. */
  | {
      readonly kind: 'booked';
      readonly payment: PaymentRow;
      readonly changed: readonly PaymentRow[];
      readonly chargeback?: PaymentRow;
    }
  /** This payment stands for it since before. */
  | { readonly kind: 'known'; readonly payment: PaymentRow }
  /** Nothing was taken. */
  | { readonly kind: 'nothing' }
  /** A request on the payment runs: its outcome comes first. */
  | { readonly kind: 'later' }
  /** A person looks; why, in words. */
  | { readonly kind: 'refused'; readonly why: 'too-late' | 'exceeds' | 'no-chargeback' };

/** Whether a payment is a chargeback. */
export function isChargeback({ type }: Pick<PaymentRow, 'type'>): boolean {
  return type === 'CB';
}

/** Whether a payment is a chargeback, or the reversal of one. */
export function isOfChargeback(payment: Pick<PaymentRow, 'type'>): boolean {
  return isChargeback(payment) || payment.type === 'CR';
}

/** Result code of money that the merchant has again. */
const GIVEN_BACK = { test: '000.100.110', live: '000.000.000' } as const;

/** Decides on a chargeback, or on the reversal of one. Pure but for the ids of the payments that it becomes. */
export function decideChargeback(
  charged: ChargedPayment,
  reported: AcquirerChargeback,
  newId: () => string,
): ChargebackVerdict {
  const { target, root, booked } = charged;
  const known = booked.find(({ acquirerReference }) => acquirerReference === reported.reference);
  if (known) return { kind: 'known', payment: known };
  if (reported.amountMinor === 0) return { kind: 'nothing' };
  if (root.lockedBy !== null) return { kind: 'later' };
  if (reported.kind === 'chargeback-reversal') return reversalOf(charged, reported, newId);
  if (!isWithinChargebackWindow(reported.reason, dueAtMsOf(root), reported.atMs))
    return { kind: 'refused', why: 'too-late' };
  if (reported.amountMinor > Math.min(leftOf(target), leftOf(root)))
    return { kind: 'refused', why: 'exceeds' };
  const payment = chargebackDraft(target, root, reported, newId());
  const changed = changedBy(target, root, reported.amountMinor);
  return { kind: 'booked', payment, changed };
}

/** A reversal gives back the whole of one chargeback. */
function reversalOf(
  charged: ChargedPayment,
  reported: AcquirerChargeback,
  newId: () => string,
): ChargebackVerdict {
  const { target, root, booked } = charged;
  const chargeback = booked.find(
    (each) => isChargeback(each) && each.acquirerReference === reported.chargeback,
  );
  if (!chargeback) return bothOf(charged, reported, newId);
  if (chargeback.state === 'reversed' || chargeback.amountMinor !== reported.amountMinor)
    return { kind: 'refused', why: 'no-chargeback' };
  const payment = givenBackDraft(charged, reported, chargeback, newId());
  const changed = changedBy(target, root, -reported.amountMinor);
  return { kind: 'booked', payment, changed: [...changed, { ...chargeback, state: 'reversed' }] };
}

/**
 * A chargeback that is given back, and was not booked: at the acquirer both came before a refund that was booked here first, and left too little for
 * the chargeback. Together they take nothing.
 */
function bothOf(
  charged: ChargedPayment,
  reported: AcquirerChargeback,
  newId: () => string,
): ChargebackVerdict {
  const { target, root } = charged;
  const { chargeback: reference, amountMinor } = reported;
  if (!reference || amountMinor > Math.min(target.capturedMinor, root.capturedMinor))
    return { kind: 'refused', why: 'no-chargeback' };
  const taken = chargebackDraft(target, root, { ...reported, reference }, newId());
  const chargeback = { ...taken, state: 'reversed' } as const;
  const payment = givenBackDraft(charged, reported, chargeback, newId());
  return { kind: 'booked', payment, chargeback, changed: changedBy(target, root, 0) };
}

function chargebackDraft(
  target: PaymentRow,
  root: PaymentRow,
  reported: AcquirerChargeback,
  id: string,
): PaymentRow {
  return draft(target, root, reported, { id, type: 'CB', ...chargebackRule(reported.reason) });
}

function givenBackDraft(
  { root, mode }: ChargedPayment,
  reported: AcquirerChargeback,
  chargeback: PaymentRow,
  id: string,
): PaymentRow {
  return draft(chargeback, root, reported, { id, type: 'CR', resultCode: GIVEN_BACK[mode] });
}

function changedBy(target: PaymentRow, root: PaymentRow, amountMinor: number): readonly PaymentRow[] {
  const rows = target.id === root.id ? [root] : [root, target];
  const changed = rows.map((row) => ({ ...row, chargedBackMinor: row.chargedBackMinor + amountMinor }));
  for (const row of changed) assertAmounts(row);
  return changed;
}

function leftOf({ capturedMinor, refundedMinor, chargedBackMinor }: PaymentRow): number {
  return capturedMinor - refundedMinor - chargedBackMinor;
}

function draft(
  referenced: PaymentRow,
  root: PaymentRow,
  { amountMinor, reason, atMs, reference, source }: AcquirerChargeback,
  made: { readonly id: string; readonly type: 'CB' | 'CR'; readonly resultCode: string },
): PaymentRow {
  const { id, type, resultCode } = made;
  return {
    ...root,
    ...BEGINNING,
    ...NO_CARD,
    brand: root.brand,
    id,
    shortId: shortId(id),
    type,
    state: 'completed',
    referencedId: referenced.id,
    rootId: root.id,
    amountMinor,
    maxCaptures: null,
    resultCode,
    description: resultDescription(resultCode),
    responseCode: reason,
    vaultId: null,
    agentId: null,
    messageId: null,
    terminalId: null,
    offline: null,
    acquirer: source ?? root.acquirer,
    acquirerReference: reference,
    captureReference: null,
    ...verificationColumn({}),
    echo: '{}',
    createdAtMs: atMs,
  };
}

/** Start of the due date, or the time of the payment where that is later: nothing was collected before it. */
function dueAtMsOf(debit: PaymentRow): number {
  const { transactionDueDate } = echoOf(debit);
  return typeof transactionDueDate === 'string'
    ? Math.max(Date.parse(`${transactionDueDate}T00:00:00Z`), debit.createdAtMs)
    : debit.createdAtMs;
}
