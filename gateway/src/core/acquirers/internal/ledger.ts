import { APPROVED, isApproval } from '@tillbridge/wire/iso8583/exchange/approvals.js';
import type { Money } from '@tillbridge/wire/payment/money.js';
import type { AcquirerAnswer, AcquirerDecision, AcquirerRedirect } from '../acquirer.js';
import type { GiftCardAsk } from './gift-card-ask.js';
import { isPending, isReturned, isReversed, type LedgerRow, storedAnswer } from './ledger-rows.js';
import { type ResponseCode, simulatedResultCode } from './response-codes.js';

/** Columns that a request fills in as they are. */
type RequestColumn =
  | 'kind'
  | 'acquirerReference'
  | 'messageId'
  | 'originalReference'
  | 'terminalId'
  | 'instrument'
  | 'last4Digits'
  | 'panHash'
  | 'giftCard'
  | 'parametersHash'
  | 'atMs';

/** A request to the ledger: without card data, and with the issuer's decision. */
export interface LedgerRequest extends Pick<LedgerRow, RequestColumn> {
  /** Of a reversal: not used, it reverses what is left. */
  readonly amount: Money;
  readonly captureNow: boolean;
  /** The issuer's decision on an authorization, advice or credit; the ledger alone decides on the others. */
  readonly issuer?: IssuerVerdict;
  /** In its place: the issuer of gift cards decides on what the ledger holds of the card by then. */
  readonly giftCardAsk?: GiftCardAsk;
  /** Of a chargeback, or of the reversal of one: why, in the words of the scheme. */
  readonly reason?: string;
  /** The decision that a pending transaction of this reference waited for: `issuer` has it. */
  readonly completes?: true;
}

/** The issuer's decision, or where the shopper has to make it. */
export interface IssuerVerdict extends Omit<AcquirerDecision, 'approved' | 'resultCode' | 'pending'> {
  readonly redirect?: AcquirerRedirect;
  /** The bank will return the money. */
  readonly returns?: { readonly reason: string; readonly atMs: number };
}

/** The rows of the ledger that a request depends on. */
export interface LedgerView {
  /** The transaction with the same reference. */
  readonly existing?: LedgerRow;
  /** The reference was reversed before it came. */
  readonly tombstoned: boolean;
  /** The transaction that is followed. */
  readonly original?: LedgerRow;
  /** The authorization, advice or credit at the root of `original`, where that is another one. */
  readonly root?: LedgerRow;
}

/** What to write, and the answer to give once it is written. */
export interface LedgerDecision {
  readonly answer: AcquirerAnswer;
  readonly insert?: LedgerRow;
  readonly updates: readonly LedgerRow[];
  /** Reference that must be refused from now on. */
  readonly tombstone?: string;
}

interface Effect extends IssuerVerdict {
  /** A reversal: what was reversed. */
  readonly reversed?: Money;
  readonly updates?: readonly LedgerRow[];
  readonly tombstone?: string;
}

/** Decides on a request (pure). The same reference gives the stored answer; with other content it is refused and nothing is written. */
export function decideLedger(request: LedgerRequest, view: LedgerView): LedgerDecision {
  const { existing } = view;
  if (request.completes) return complete(request, existing);
  if (existing !== undefined) {
    const answer = isRepeat(request, existing) ? storedAnswer(existing) : declined('94');
    return { answer, updates: [] };
  }
  // What is refused for want of a decision is not decided itself: the same reversal comes again, and must not find its old answer.
  if (request.kind === 'reversal' && view.original && isPending(view.original))
    return { answer: declined('12'), updates: [] };
  const effect = view.tombstoned ? refuse('12') : carryOut(request, view);
  const insert = newRow(request, view, effect);
  return {
    answer: storedAnswer(insert),
    insert,
    updates: effect.updates ?? [],
    ...(effect.tombstone !== undefined && { tombstone: effect.tombstone }),
  };
}

/** Writes the decision of a pending transaction; what was decided before stays. */
function complete({ issuer }: LedgerRequest, existing: LedgerRow | undefined): LedgerDecision {
  if (!existing || !issuer) throw new Error('a decision without a transaction that waits for it');
  if (!isPending(existing)) return { answer: storedAnswer(existing), updates: [] };
  const decided = { ...existing, ...decisionColumns(existing, existing.captureNow === 1, issuer) };
  return { answer: storedAnswer(decided), updates: [decided] };
}

/** Whether a stored request is the same. Of a reversal only its original counts. */
function isRepeat({ kind, originalReference, parametersHash }: LedgerRequest, existing: LedgerRow): boolean {
  if (kind !== 'reversal') return existing.parametersHash === parametersHash;
  return existing.kind === kind && existing.originalReference === originalReference;
}

function declined(code: ResponseCode): AcquirerAnswer {
  return { approved: false, responseCode: code, resultCode: simulatedResultCode(code) };
}

const refuse = (responseCode: ResponseCode): Effect => ({ responseCode });

function carryOut(request: LedgerRequest, view: LedgerView): Effect {
  if (request.kind === 'reversal') return reverse(request, view);
  if (request.kind === 'chargeback') return chargeBack(request, view);
  if (request.kind === 'chargeback-reversal') return reverseChargeback(request, view);
  if (request.kind === 'capture' || request.kind === 'refund' || request.kind === 'receipt') {
    const { original } = view;
    if (original === undefined || original.approved === 0) return refuse('12');
    if (original.currency !== request.amount.currency) return refuse('94');
    if (request.kind === 'receipt') return request.amount.minor > 0 ? approve([]) : refuse('13');
    return request.kind === 'capture' ? capture(request, original) : refund(request, view.root ?? original);
  }
  if (request.amount.minor < 0) return refuse('13');
  if (request.kind === 'increment') return increment(request, view.original);
  return request.issuer ?? refuse('30');
}

/** Adds an increment that the issuer approved to the authorization. */
function increment({ issuer, amount }: LedgerRequest, original: LedgerRow | undefined): Effect {
  if (original?.kind !== 'authorization' || original.captureNow === 1) return refuse('12');
  if (original.approved === 0 || original.reversedMinor > 0) return refuse('12');
  if (original.currency !== amount.currency) return refuse('94');
  if (issuer?.responseCode !== APPROVED) return issuer ?? refuse('30');
  return { ...issuer, updates: [{ ...original, amountMinor: original.amountMinor + amount.minor }] };
}

function capture(request: LedgerRequest, original: LedgerRow): Effect {
  if (original.kind !== 'authorization' || original.captureNow === 1) return refuse('12');
  const { minor } = request.amount;
  if (minor <= 0 || minor > original.amountMinor - original.capturedMinor - original.reversedMinor)
    return refuse('13');
  return approve([{ ...original, capturedMinor: original.capturedMinor + minor }]);
}

function refund(request: LedgerRequest, root: LedgerRow): Effect {
  if (root.kind !== 'authorization' && !isAdvice(root)) return refuse('12');
  if (isReturned(root, request.atMs)) return refuse('12');
  const { minor } = request.amount;
  if (minor <= 0 || minor > leftOf(root)) return refuse('13');
  // What the merchant gave back the bank does not return.
  return approve([{ ...root, refundedMinor: root.refundedMinor + minor, returnAtMs: null }]);
}

/** What the merchant still has of a transaction, in minor units. */
function leftOf({ capturedMinor, refundedMinor, chargedBackMinor }: LedgerRow): number {
  return capturedMinor - refundedMinor - chargedBackMinor;
}

/** Takes money back that the merchant still has. */
function chargeBack({ amount }: LedgerRequest, { original, root = original }: LedgerView): Effect {
  if (!original || !root || original.approved === 0 || isReversed(original)) return refuse('12');
  if (root.kind !== 'authorization' && !isAdvice(root)) return refuse('12');
  if (root.currency !== amount.currency) return refuse('94');
  if (amount.minor <= 0 || amount.minor > leftOf(root)) return refuse('13');
  return approve([{ ...root, chargedBackMinor: root.chargedBackMinor + amount.minor, returnAtMs: null }]);
}

/** Gives back all that a chargeback took. */
function reverseChargeback({ amount }: LedgerRequest, { original, root }: LedgerView): Effect {
  if (original?.kind !== 'chargeback' || !root || original.approved === 0 || isReversed(original))
    return refuse('12');
  if (amount.minor !== original.amountMinor || amount.currency !== original.currency) return refuse('13');
  return approve([
    { ...original, reversedMinor: original.amountMinor },
    { ...root, chargedBackMinor: root.chargedBackMinor - amount.minor },
  ]);
}

/** Whether the money moved before the acquirer received the request. */
function isAdvice({ kind }: Pick<LedgerRow, 'kind'>): boolean {
  return kind === 'advice' || kind === 'receipt';
}

const approve = (updates: readonly LedgerRow[]): Effect => ({ responseCode: APPROVED, updates });

/** Reverses what is left of a transaction. An unknown one gets a tombstone; one that moved no money stays as it is. */
function reverse(request: LedgerRequest, view: LedgerView): Effect {
  const { original } = view;
  if (request.originalReference === null) return refuse('30');
  if (original === undefined) return { responseCode: APPROVED, tombstone: request.originalReference };
  if (original.kind === 'reversal') return refuse('12');
  if (original.approved === 0 || isReversed(original)) return approve([]);
  if (isReturned(original, request.atMs) || original.chargedBackMinor > 0) return refuse('12');
  const minor = reversibleMinor(original, view.root);
  if (minor <= 0) return refuse('12');
  return {
    ...approve(reversed(original, view.root, minor)),
    reversed: { minor, currency: original.currency },
  };
}

/** Amount of a reversal that reversed nothing (ISO 4217: XXX is no currency). */
export const NO_MONEY: Money = { minor: 0, currency: 'XXX' };

/** What of a transaction may still be reversed, in minor units. */
function reversibleMinor(original: LedgerRow, root: LedgerRow | undefined): number {
  const left = original.amountMinor - original.reversedMinor;
  if (original.kind === 'authorization' && original.captureNow === 0) return left - original.capturedMinor;
  if (original.kind === 'authorization' || isAdvice(original)) return left - original.refundedMinor;
  if (original.kind === 'increment')
    return root ? Math.min(left, root.amountMinor - root.capturedMinor - root.reversedMinor) : left;
  if (original.kind === 'capture' && root) {
    // What was refunded since stays refunded. What was charged back the merchant has no more: a part of the rest is no reversal.
    const isCharged = root.chargedBackMinor > 0 && leftOf(root) < left;
    return isCharged ? 0 : Math.min(left, leftOf(root));
  }
  return left;
}

function reversed(original: LedgerRow, root: LedgerRow | undefined, minor: number): readonly LedgerRow[] {
  const reversed = { ...original, reversedMinor: original.reversedMinor + minor };
  const taken = original.captureNow === 1 || isAdvice(original);
  if (taken) return [{ ...reversed, capturedMinor: original.capturedMinor - minor, returnAtMs: null }];
  if (original.kind === 'capture' && root)
    return [reversed, { ...root, capturedMinor: root.capturedMinor - minor }];
  if (original.kind === 'increment' && root)
    return [reversed, { ...root, amountMinor: root.amountMinor - minor }];
  if (original.kind === 'refund' && root)
    return [reversed, { ...root, refundedMinor: root.refundedMinor - minor }];
  return [reversed];
}

/** A row without content: new rows are copies of it, so that all have every column in one order (as drafts of payments do). */
const EMPTY: LedgerRow = {
  acquirerReference: '',
  messageId: null,
  kind: 'authorization',
  amountMinor: 0,
  currency: '',
  approved: 0,
  resultCode: '',
  responseCode: '',
  approvalCode: null,
  iccDataResponse: null,
  avsResponse: null,
  cvvResponse: null,
  networkTransactionId: null,
  redirect: null,
  returnReason: null,
  returnAtMs: null,
  originalReference: null,
  captureNow: 0,
  capturedMinor: 0,
  refundedMinor: 0,
  chargedBackMinor: 0,
  reversedMinor: 0,
  terminalId: null,
  instrument: null,
  last4Digits: null,
  panHash: null,
  giftCard: null,
  balanceMinor: null,
  parametersHash: '',
  atMs: 0,
};

function newRow(request: LedgerRequest, { original }: LedgerView, effect: Effect): LedgerRow {
  const { kind, captureNow, reason, atMs } = request;
  const { minor, currency } = kind === 'reversal' ? (effect.reversed ?? NO_MONEY) : request.amount;
  return {
    ...EMPTY,
    ...decisionColumns({ kind, amountMinor: minor }, captureNow, effect),
    acquirerReference: request.acquirerReference,
    messageId: request.messageId,
    kind,
    currency,
    redirect: effect.redirect ? JSON.stringify(effect.redirect) : null,
    returnReason: reason ?? effect.returns?.reason ?? null,
    returnAtMs: reason === undefined ? (effect.returns?.atMs ?? null) : atMs,
    originalReference: request.originalReference,
    captureNow: captureNow ? 1 : 0,
    terminalId: request.terminalId ?? original?.terminalId ?? null,
    instrument: request.instrument,
    last4Digits: request.last4Digits ?? original?.last4Digits ?? null,
    panHash: request.panHash ?? original?.panHash ?? null,
    giftCard: request.giftCard,
    balanceMinor: effect.balanceMinor ?? null,
    parametersHash: request.parametersHash,
    atMs,
  };
}

/** The columns that a decision fills. */
function decisionColumns(
  { kind, amountMinor: requested }: Pick<LedgerRow, 'kind' | 'amountMinor'>,
  captureNow: boolean,
  verdict: IssuerVerdict,
) {
  const { responseCode, approvalCode, iccDataResponse, avsResponse, cvvResponse } = verdict;
  const { networkTransactionId } = verdict;
  const approved = isApproval(responseCode);
  const amountMinor = verdict.approvedMinor ?? requested;
  const takesMoney = (kind === 'authorization' && captureNow) || isAdvice({ kind });
  return {
    amountMinor,
    approved: approved ? 1 : 0,
    responseCode,
    resultCode: simulatedResultCode(responseCode),
    approvalCode: approvalCode ?? null,
    iccDataResponse: iccDataResponse ? Buffer.from(iccDataResponse).toString('hex') : null,
    avsResponse: avsResponse ?? null,
    cvvResponse: cvvResponse ?? null,
    networkTransactionId: approved ? (networkTransactionId ?? null) : null,
    capturedMinor: approved && takesMoney ? amountMinor : 0,
  } as const;
}
