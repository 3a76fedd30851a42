import { resultDescription } from '@tillbridge/wire/payment/result-codes/result-codes.js';
import type { IntentRow, PaymentRow, WaitRow } from '../../../kernel/store/rows.js';
import type { Change } from '../../../kernel/store/store.js';
import type { AcquirerRedirect } from '../../acquirers/acquirer.js';
import { detailOf, type IntentDetail } from './intent-detail.js';
import type { PaymentRequest } from './requests.js';
import { verificationColumn, verificationResultsOf } from './verification-results.js';
import { WAITS, type Waiting } from './waits.js';

/** What is sealed for a later step; null where that needs nothing. */
export type SealedColumns = Pick<WaitRow, 'sealed' | 'keyId'>;

/** Nothing is kept for a later step. */
export const NOTHING_SEALED: SealedColumns = { sealed: null, keyId: null };

/** It has no wait any more, and no worker on its deadline. */
const NOT_WAITING = { untilMs: null, dueAtMs: null, leasedBy: null, claims: 0 } as const;

/** The row of a payment that may wait; it does not yet. */
export function newWait(
  { id, paymentId, entityId }: Pick<IntentRow, 'id' | 'paymentId' | 'entityId'>,
  { shopperResultUrl, checkoutId }: Pick<PaymentRequest, 'shopperResultUrl' | 'checkoutId'>,
  nowMs: number,
): WaitRow {
  return {
    paymentId,
    entityId,
    intentId: id,
    kind: 'redirect',
    shopperResultUrl: shopperResultUrl ?? null,
    checkoutId: checkoutId ?? null,
    redirect: null,
    ...NOTHING_SEALED,
    ...NOT_WAITING,
    endedAtMs: null,
    createdAtMs: nowMs,
    version: 1,
  };
}

/** What beginning to wait takes. */
interface BeginWait {
  readonly intent: IntentRow;
  readonly wait: WaitRow;
  readonly waiting: Waiting;
  /** Where the answer to the merchant sends the shopper. */
  readonly shown?: AcquirerRedirect | undefined;
  readonly sealed: SealedColumns;
  readonly nowMs: number;
}

/** Intent and wait of a payment that waits from now on. Pure. */
export function waitingRows({ intent, wait, waiting, shown, sealed, nowMs }: BeginWait): {
  readonly intent: IntentRow;
  readonly wait: WaitRow;
} {
  const { kind, redirect, payee } = waiting;
  const { lifetimeMs, pendingCode } = WAITS[kind];
  const untilMs = waiting.untilMs ?? nowMs + lifetimeMs;
  const detail = detailOf(intent);
  const draft: PaymentRow = {
    ...detail.draft,
    resultCode: pendingCode,
    description: resultDescription(pendingCode),
    ...verificationColumn({ ...verificationResultsOf(detail.draft), redirect: shown, payee }),
  };
  return {
    intent: withDetail({ ...intent, state: 'waiting', owner: null }, { ...detail, draft, mayWait: true }),
    wait: {
      ...wait,
      kind,
      redirect: redirect ? JSON.stringify(redirect) : null,
      ...sealed,
      ...NOT_WAITING,
      untilMs,
      dueAtMs: untilMs,
    },
  };
}

/** What a transfer is found by, however late it comes. Pure. */
export function referenceOf(
  { payee }: Waiting,
  { paymentId, entityId }: Pick<IntentRow, 'paymentId' | 'entityId'>,
  nowMs: number,
): readonly Change[] {
  if (payee?.reference === undefined) return [];
  const row = { reference: payee.reference, entityId, paymentId, createdAtMs: nowMs, version: 1 };
  return [{ op: 'insert', table: 'transferReferences', row }];
}

/** The wait is over and the acquirer decides: what was kept for that step is gone (PCI DSS 3.3.1). */
export function goOn(wait: WaitRow): Change {
  return { op: 'update', table: 'waits', row: { ...wait, ...NOTHING_SEALED, ...NOT_WAITING } };
}

/** The payment has its outcome: nothing is kept but where its shopper goes. */
export function endWait(wait: WaitRow, nowMs: number): Change {
  const over = { ...wait, ...NOTHING_SEALED, redirect: null, ...NOT_WAITING, endedAtMs: nowMs };
  return { op: 'update', table: 'waits', row: over };
}

/** The intent with another detail. */
export function withDetail(intent: IntentRow, detail: IntentDetail): IntentRow {
  return { ...intent, detail: JSON.stringify(detail) };
}
