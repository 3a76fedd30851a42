import type { PaymentRow } from '../store/rows.js';
import type { FollowUpRequest, Origin, PaymentRequest } from './desk.js';

/** What may be kept of a card in clear (PCI DSS 3.4.1). */
export type CardTrace = Pick<
  PaymentRow,
  'brand' | 'bin' | 'last4Digits' | 'holder' | 'expiryMonth' | 'expiryYear'
>;

/** No card known. */
export const NO_CARD: CardTrace = {
  brand: null,
  bin: null,
  last4Digits: null,
  holder: null,
  expiryMonth: null,
  expiryYear: null,
};

/** What was given out for a new payment. */
export interface NewPayment {
  readonly id: string;
  readonly acquirer: string;
  /** Null where the acquirer is not asked. */
  readonly acquirerReference: string | null;
  readonly nowMs: number;
}

/** A PA, DB or CD before its outcome. */
export function draftPayment(
  request: PaymentRequest,
  made: NewPayment,
  card: CardTrace,
  vaultId: string | null,
): PaymentRow {
  return {
    ...common(made, request.origin),
    type: request.type,
    referencedId: null,
    rootId: null,
    amountMinor: request.amount.minor,
    currency: request.amount.currency,
    maxCaptures: request.numberOfCaptures ?? null,
    ...card,
    vaultId,
    terminalId: request.pos?.terminalId ?? null,
    reference: request.reference ?? null,
    offline: request.offline?.kind ?? null,
    echo: JSON.stringify(request.echo ?? {}),
  };
}

/** A CP, RF or RV before its outcome; it shows no card (reference §7). */
export function draftFollowUp(
  request: FollowUpRequest,
  made: NewPayment,
  followed: { readonly target: PaymentRow | undefined; readonly root: PaymentRow | undefined },
  amount: { readonly minor: number; readonly currency: string },
): PaymentRow {
  return {
    ...common(made, request.origin),
    type: request.type,
    referencedId: followed.target?.id ?? null,
    rootId: followed.root?.id ?? null,
    amountMinor: amount.minor,
    currency: amount.currency,
    maxCaptures: null,
    ...NO_CARD,
    vaultId: null,
    terminalId: request.origin.kind === 'bridge' ? request.origin.terminalId : null,
    reference: request.reference ?? null,
    offline: null,
    echo: JSON.stringify(request.echo ?? {}),
  };
}

function common({ id, acquirer, acquirerReference, nowMs }: NewPayment, origin: Origin) {
  return {
    id,
    entityId: origin.entityId,
    state: 'pending',
    authorizedMinor: 0,
    capturedMinor: 0,
    refundedMinor: 0,
    reversedMinor: 0,
    captureCount: 0,
    capturesClosed: 0,
    lockedBy: null,
    resultCode: '000.200.001',
    description: '',
    approvalCode: null,
    responseCode: null,
    iccDataResponse: null,
    answer: '{}',
    acquirer,
    acquirerReference,
    agentId: origin.kind === 'bridge' ? origin.agentId : null,
    messageId: origin.kind === 'bridge' ? origin.messageId : null,
    createdAtMs: nowMs,
    version: 1,
  } as const;
}
