import { resultDescription } from '@tillbridge/protocol/api/result-codes/result-codes.js';
import { isWithinReturnWindow, returnRule } from '@tillbridge/protocol/payment/sepa-returns.js';
import type { AcquirerReturned } from '../../acquirers/acquirer.js';
import type { PaymentRow } from '../../store/rows.js';
import { NO_CARD } from './drafts.js';
import { echoOf } from './lifecycle-facts.js';
import { verificationColumn, verificationResultsOf } from './verification-results.js';

/** What a return of the acquirer becomes. */
export type ReturnVerdict =
  /** The chargeback, a payment of its own, and the debit that cannot be given back any more. */
  | { readonly kind: 'chargeback'; readonly chargeback: PaymentRow; readonly debit: PaymentRow }
  /** It was booked before, or nothing was taken back. */
  | { readonly kind: 'nothing' }
  /** A request on the payment runs: its outcome comes first. */
  | { readonly kind: 'later' }
  /** The acquirer took it back after the scheme's window: a person looks. */
  | { readonly kind: 'too-late' };

/** Decides on a return. Pure. @param id of the chargeback, the same for the same return */
export function decideReturn(debit: PaymentRow, returned: AcquirerReturned, id: string): ReturnVerdict {
  const { reason, atMs, amountMinor } = returned;
  const results = verificationResultsOf(debit);
  if (results.chargebackCode !== undefined || amountMinor === 0) return { kind: 'nothing' };
  if (debit.lockedBy !== null) return { kind: 'later' };
  if (!isWithinReturnWindow(reason, dueAtMsOf(debit), atMs)) return { kind: 'too-late' };
  const { resultCode } = returnRule(reason);
  return {
    kind: 'chargeback',
    debit: { ...debit, ...verificationColumn({ ...results, chargebackCode: resultCode }) },
    chargeback: {
      ...debit,
      ...NO_CARD,
      brand: debit.brand,
      id,
      type: 'CB',
      state: 'completed',
      referencedId: debit.id,
      rootId: debit.id,
      amountMinor,
      authorizedMinor: 0,
      capturedMinor: 0,
      refundedMinor: 0,
      reversedMinor: 0,
      captureCount: 0,
      resultCode,
      description: resultDescription(resultCode),
      approvalCode: null,
      responseCode: reason,
      vaultId: null,
      agentId: null,
      messageId: null,
      // The acquirer has no transaction of its own for it.
      acquirerReference: null,
      captureReference: null,
      ...verificationColumn({}),
      echo: '{}',
      createdAtMs: atMs,
      version: 1,
    },
  };
}

/** Start of the due date; where none is known the time of the payment. */
function dueAtMsOf(debit: PaymentRow): number {
  const { transactionDueDate } = echoOf(debit);
  return typeof transactionDueDate === 'string'
    ? Date.parse(`${transactionDueDate}T00:00:00Z`)
    : debit.createdAtMs;
}
