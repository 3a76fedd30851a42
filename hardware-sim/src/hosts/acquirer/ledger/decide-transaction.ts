import { APPROVED_IN_PART, isApproval } from '@tillbridge/wire/iso8583/exchange/approvals.js';
import { type ExchangeMessage, isDebit } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import { halfOf } from '@tillbridge/wire/simulated-issuer/issuer-rules.js';
import type { IssuerVerdict } from '../issuer/issuer.js';
import type { AccountRow, CardRow, TransactionKind, TransactionRow } from '../rows/tables.js';

/** What a transaction depends on. */
interface TransactionView {
  readonly account: AccountRow;
  readonly card: CardRow;
  /** The transaction that the message names. */
  readonly original: TransactionRow | undefined;
  /** The message was reversed before it came. */
  readonly isReversed: boolean;
  readonly issuer: IssuerVerdict;
}

/** How rows change, and what is answered. */
export interface TransactionEffect {
  readonly responseCode: string;
  /** Approved amount in minor units. */
  readonly amountMinor: number;
  readonly account?: AccountRow;
  readonly original?: TransactionRow;
}

/** What a message does with money; undefined: none that this host carries out. */
export function kindOf({ kind, transaction, original }: ExchangeMessage): TransactionKind | undefined {
  if (kind === 'authorization' && !isDebit(transaction)) return undefined;
  if (kind === 'authorization') return original ? 'increment' : 'authorization';
  if (kind !== 'financial') return undefined;
  if (transaction === 'credit') return 'credit';
  if (transaction === 'refund') return 'refund';
  return original ? 'capture' : 'sale';
}

const refuse = (responseCode: string): TransactionEffect => ({ responseCode, amountMinor: 0 });

/** Decides on a transaction (pure). */
export function decideTransaction(
  message: ExchangeMessage,
  kind: TransactionKind,
  view: TransactionView,
): TransactionEffect {
  const { amount } = message;
  if (amount === undefined || amount.minor <= 0) return refuse('13');
  if (view.isReversed) return refuse('12');
  if (kind === 'increment') return increment(amount.minor, message, view);
  if (kind === 'capture') return capture(amount.minor, message, view);
  if (kind === 'refund' && message.original) return refund(amount.minor, message, view);
  if (kind === 'refund' || kind === 'credit')
    return give(amount.minor, view.issuer.responseCode === '14' ? '14' : '00', view);
  return ask(amount.minor, message, kind, view);
}

/** The decision of issuer and account on a sale or an authorization. */
function ask(
  minor: number,
  message: ExchangeMessage,
  kind: TransactionKind,
  { account, issuer }: TransactionView,
): TransactionEffect {
  const isOfPart = issuer.responseCode === APPROVED_IN_PART;
  if (!isApproval(issuer.responseCode)) return refuse(issuer.responseCode);
  if (!message.isAdvice && isChip(message) && !issuer.hasCryptogram) return refuse('63');
  const half = halfOf({ minor, currency: message.amount?.currency ?? '' });
  const approved = isOfPart ? Math.max(1, half) : minor;
  const available = account.balanceMinor - account.heldMinor;
  // What has happened already is booked, whatever is left.
  if (!message.isAdvice && approved > available) return refuse('51');
  const held = kind === 'authorization' ? approved : 0;
  return {
    responseCode: issuer.responseCode,
    amountMinor: approved,
    account: {
      ...account,
      heldMinor: account.heldMinor + held,
      balanceMinor: account.balanceMinor - (approved - held),
    },
  };
}

/** Holds more for an authorization, where issuer and account have it. */
function increment(minor: number, message: ExchangeMessage, view: TransactionView): TransactionEffect {
  const { original } = view;
  if (!isFollowed(original, message) || original.kind !== 'authorization') return refuse('25');
  if (original.reversedMinor > 0) return refuse('12');
  const decision = ask(minor, message, 'authorization', view);
  const { amountMinor } = decision;
  if (amountMinor === 0) return decision;
  return {
    ...decision,
    original: {
      ...original,
      amountMinor: original.amountMinor + amountMinor,
      heldMinor: original.heldMinor + amountMinor,
    },
  };
}

function capture(minor: number, message: ExchangeMessage, view: TransactionView): TransactionEffect {
  const { original, account } = view;
  if (!isFollowed(original, message) || original.kind !== 'authorization') return refuse('25');
  if (minor > original.heldMinor) return refuse('13');
  return {
    responseCode: '00',
    amountMinor: minor,
    original: { ...original, heldMinor: original.heldMinor - minor },
    account: {
      ...account,
      heldMinor: account.heldMinor - minor,
      balanceMinor: account.balanceMinor - minor,
    },
  };
}

function refund(minor: number, message: ExchangeMessage, view: TransactionView): TransactionEffect {
  const { original } = view;
  if (!isFollowed(original, message)) return refuse('25');
  if (original.kind !== 'sale' && original.kind !== 'capture') return refuse('25');
  const { amountMinor, refundedMinor, reversedMinor, chargedBackMinor } = original;
  if (minor > amountMinor - refundedMinor - reversedMinor - chargedBackMinor) return refuse('13');
  return {
    ...give(minor, '00', view),
    original: { ...original, refundedMinor: refundedMinor + minor },
  };
}

function give(minor: number, responseCode: string, { account }: TransactionView): TransactionEffect {
  if (responseCode !== '00') return refuse(responseCode);
  return {
    responseCode,
    amountMinor: minor,
    account: { ...account, balanceMinor: account.balanceMinor + minor },
  };
}

function isFollowed(
  original: TransactionRow | undefined,
  { amount }: ExchangeMessage,
): original is TransactionRow {
  return original !== undefined && original.approved === 1 && original.currency === amount?.currency;
}

/** Whether a chip must have given a cryptogram. */
function isChip({ entryMode }: Pick<ExchangeMessage, 'entryMode'>): boolean {
  return entryMode === 'chip' || entryMode === 'contactless-chip';
}
