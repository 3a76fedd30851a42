import type {
  AcquirerAnswer,
  AcquirerRequest,
  AcquirerStatus,
} from '@tillbridge/gateway/core/acquirers/acquirer.js';

/** What the acquirer has of one reference. */
interface Entry {
  readonly kind: AcquirerRequest['kind'];
  readonly minor: number;
  readonly messageId?: string;
  readonly approved: boolean;
  /** Reversed, or refused for ever before it came. */
  readonly reversed: boolean;
  /** Its shopper has yet to decide. */
  readonly isOpen?: true;
}

/** The acquirer's own record: the truth for P2. */
export type AcquirerLedger = Readonly<Record<string, Entry>>;

const APPROVED: AcquirerAnswer = { approved: true, resultCode: '000.000.000', responseCode: '00' };
const PENDING: AcquirerAnswer = {
  ...{ approved: false, resultCode: '000.200.000', responseCode: '' },
  pending: { redirect: { url: 'https://bank.example', method: 'GET', parameters: [] } },
};
const DECLINED: AcquirerAnswer = { approved: false, resultCode: '800.100.152', responseCode: '05' };

/** Whether the issuer has a choice: a request that is new, and not reversed before. */
export function isUndecided(ledger: AcquirerLedger, request: AcquirerRequest): boolean {
  const isNew = request.kind !== 'reversal' && !Object.hasOwn(ledger, request.acquirerReference);
  return isNew && !isDecidedElsewhere(request);
}

/** Whether the shopper decides on a request, at the provider of an account. */
function isDecidedElsewhere(request: AcquirerRequest): boolean {
  return request.kind === 'authorization' && request.instrument?.kind === 'virtual-account';
}

function answerOf({ approved, reversed, isOpen }: Entry): AcquirerAnswer {
  if (isOpen && !reversed) return PENDING;
  return approved ? APPROVED : DECLINED;
}

/** The acquirer takes a request: the same reference again gets its stored answer. */
export function atAcquirer(
  ledger: AcquirerLedger,
  request: AcquirerRequest,
  approves: boolean,
): { readonly ledger: AcquirerLedger; readonly answer: AcquirerAnswer } {
  const { acquirerReference, kind } = request;
  const known = ledger[acquirerReference];
  if (known) return { ledger, answer: answerOf(known) };
  const messageId = request.messageId === undefined ? {} : { messageId: request.messageId };
  if (kind === 'reversal') {
    const { originalReference } = request;
    const original = ledger[originalReference] ?? { kind: 'authorization', minor: 0, approved: false };
    const entry: Entry = { kind, minor: 0, approved: true, reversed: false, ...messageId };
    const reversed = { ...ledger, [originalReference]: { ...original, reversed: true } };
    return { ledger: { ...reversed, [acquirerReference]: entry }, answer: APPROVED };
  }
  const entry: Entry = {
    kind,
    minor: request.amount.minor,
    approved: approves && !isDecidedElsewhere(request),
    reversed: false,
    ...(isDecidedElsewhere(request) && { isOpen: true }),
    ...messageId,
  };
  return { ledger: { ...ledger, [acquirerReference]: entry }, answer: answerOf(entry) };
}

/** What the acquirer knows of a reference. */
export function statusAt(ledger: AcquirerLedger, reference: string): AcquirerStatus {
  const known = ledger[reference];
  if (!known) return { state: 'unknown' };
  return { state: 'answered', answer: answerOf(known) };
}

/** Whether a shopper may still decide. */
export function isOpenAtBank(ledger: AcquirerLedger): boolean {
  return Object.values(ledger).some(({ isOpen, reversed }) => isOpen && !reversed);
}

/** The shopper decides on all that is open. */
export function decideAtBank(ledger: AcquirerLedger, approves: boolean): AcquirerLedger {
  const entries = Object.entries(ledger).map(([reference, entry]) => {
    const { isOpen, ...decided } = entry;
    return [reference, isOpen && !entry.reversed ? { ...decided, approved: approves } : entry] as const;
  });
  return Object.fromEntries(entries);
}

/** Authorizations that are approved and stand. */
export function standing(ledger: AcquirerLedger): readonly string[] {
  return Object.entries(ledger).flatMap(([reference, { kind, approved, reversed }]) =>
    (kind === 'authorization' || kind === 'advice') && approved && !reversed ? [reference] : [],
  );
}
