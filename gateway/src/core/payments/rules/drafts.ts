import { paymentMethodOf } from '@tillbridge/wire/payment/account-methods.js';
import { LIFECYCLE } from '@tillbridge/wire/payment/lifecycle.js';
import { exactAmount, type Money } from '@tillbridge/wire/payment/money.js';
import { shortId } from '@tillbridge/wire/payment/short-id.js';
import { present } from '@tillbridge/wire/present.js';
import type { Echo } from '../../../kernel/api/echo.js';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import { FOLLOW_UP_ROWS } from './follow-up-rows.js';
import { echoOf, lifecycleIdOf } from './lifecycle-facts.js';
import type { FollowUpRequest, Origin, PaymentRequest } from './requests.js';
import { verificationColumn } from './verification-results.js';

/** What may be kept of a card in clear (PCI DSS 3.4.1). */
export type CardTrace = Pick<
  PaymentRow,
  'brand' | 'bin' | 'last4Digits' | 'holder' | 'expiryMonth' | 'expiryYear' | 'numberType' | 'wallet'
>;

/** No card known. */
export const NO_CARD = {
  brand: null,
  bin: null,
  last4Digits: null,
  holder: null,
  expiryMonth: null,
  expiryYear: null,
  numberType: null,
  wallet: null,
} as const satisfies CardTrace;

/** What every draft begins with. */
export const BEGINNING = {
  state: 'pending',
  authorizedMinor: 0,
  capturedMinor: 0,
  refundedMinor: 0,
  chargedBackMinor: 0,
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
  version: 1,
} as const satisfies Partial<PaymentRow>;

/**
 * A payment without content. Drafts are copies of it, so that all of them have every column from the start and in one order: a row to which
 * forty columns are added one by one costs a hundred times as much to make, and ten times as much to read.
 */
const EMPTY: PaymentRow = {
  ...BEGINNING,
  ...NO_CARD,
  id: '',
  shortId: '',
  entityId: '',
  type: 'DB',
  referencedId: null,
  rootId: null,
  amountMinor: 0,
  currency: '',
  maxCaptures: null,
  method: 'CC',
  vaultId: null,
  acquirer: '',
  acquirerReference: null,
  captureReference: null,
  agentId: null,
  messageId: null,
  terminalId: null,
  reference: null,
  offline: null,
  echo: '{}',
  createdAtMs: 0,
};

/** Ids and acquirer of a new payment. */
export interface NewPayment {
  readonly id: string;
  readonly acquirer: string;
  /** Null where no request goes to an acquirer. */
  readonly acquirerReference: string | null;
  /** For the capture that a PA.CP brings along. */
  readonly captureReference?: string;
  readonly nowMs: number;
}

/** A PA, PA.CP, DB or CD before its outcome. */
export function draftPayment(
  request: PaymentRequest,
  made: NewPayment,
  card: CardTrace,
  vaultId: string | null,
): PaymentRow {
  return {
    ...newDraft(made, request.origin, card),
    type: request.type === 'PA.CP' ? 'PA' : request.type,
    captureReference: request.type === 'PA.CP' ? (made.captureReference ?? null) : null,
    referencedId: request.referencedId ?? null,
    amountMinor: request.amount.minor,
    currency: request.amount.currency,
    maxCaptures: request.numberOfCaptures ?? null,
    method: paymentMethodOf(card.brand),
    vaultId,
    terminalId: request.pos?.terminalId ?? (request.voice ? terminalOf(request.origin) : null),
    reference: request.reference ?? null,
    offline: request.offline?.kind ?? null,
    echo: JSON.stringify(request.echo ?? {}),
    ...partsOf(request),
  };
}

/** Tip and cash back, by their names in `resultDetails`. */
function partsOf({ tip, cashBack }: PaymentRequest): Partial<PaymentRow> {
  if (!tip && !cashBack) return {};
  const text = (amount: Money) => `${exactAmount(amount)} ${amount.currency}`;
  const acquirerDetails = present({
    TipAmount: tip && text(tip),
    CashBackAmount: cashBack && text(cashBack),
  });
  return verificationColumn({ acquirerDetails });
}

/** A follow-up before its outcome; one without its own card shows none (docs/rest-api.md). It has the lifecycle id of its root. */
export function draftFollowUp(
  request: FollowUpRequest,
  made: NewPayment,
  followed: { readonly target: PaymentRow | undefined; readonly root: PaymentRow | undefined },
  amount: { readonly minor: number; readonly currency: string },
): PaymentRow {
  const row = FOLLOW_UP_ROWS[request.type];
  const own = row.own && row.withCard ? followed.root : undefined;
  return {
    ...newDraft(made, request.origin, own ? cardOf(own) : NO_CARD),
    type: LIFECYCLE[request.type].type,
    referencedId: followed.target?.id ?? null,
    captureReference: null,
    rootId: row.own ? null : (followed.root?.id ?? null),
    amountMinor: amount.minor,
    currency: amount.currency,
    maxCaptures: own ? (request.numberOfCaptures ?? null) : null,
    method: followed.root?.method ?? 'CC',
    vaultId: own?.vaultId ?? null,
    terminalId: terminalOf(request.origin),
    reference: request.reference ?? null,
    offline: null,
    echo: JSON.stringify(withLifecycle(request.echo ?? {}, followed.root)),
  };
}

function withLifecycle(echo: Echo, root: PaymentRow | undefined): Echo {
  const lifecycleId = root && lifecycleIdOf(echoOf(root));
  return lifecycleId === undefined ? echo : { lifecycleId, ...echo };
}

/** The part of a payment that names its card. */
export function cardOf(payment: PaymentRow): CardTrace {
  const { brand, bin, last4Digits, holder, expiryMonth, expiryYear, numberType, wallet } = payment;
  return { brand, bin, last4Digits, holder, expiryMonth, expiryYear, numberType, wallet };
}

/** What of a draft is the same for all payments. */
function newDraft(
  { id, acquirer, acquirerReference, nowMs }: NewPayment,
  origin: Origin,
  card: CardTrace,
): PaymentRow {
  return {
    ...EMPTY,
    brand: card.brand,
    bin: card.bin,
    last4Digits: card.last4Digits,
    holder: card.holder,
    expiryMonth: card.expiryMonth,
    expiryYear: card.expiryYear,
    numberType: card.numberType,
    wallet: card.wallet,
    id,
    shortId: shortId(id),
    entityId: origin.entityId,
    acquirer,
    acquirerReference,
    agentId: origin.kind === 'bridge' ? origin.agentId : null,
    messageId: origin.kind === 'bridge' ? origin.messageId : null,
    createdAtMs: nowMs,
  };
}

/** The terminal of a message; REST has none. */
function terminalOf(origin: Origin): string | null {
  return origin.kind === 'bridge' ? origin.terminalId : null;
}
