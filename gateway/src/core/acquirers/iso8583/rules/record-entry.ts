import type { RecordEntry } from '../../acquirer.js';
import { approvedMinor, type ExchangeRecord } from './exchange-record.js';
import { wholeReference } from './parts.js';

/** What an exchange holds of the money of those that follow it. */
interface Followed {
  readonly capturedMinor: number;
  readonly refundedMinor: number;
}

/** What an exchange left standing of its approved amount, in minor units. */
export function standingMinor(record: ExchangeRecord): number {
  if (record.state === 'answered' || record.state === 'advice-pending') return approvedMinor(record);
  return record.state === 'reversed' ? (record.reversal?.remaining?.minor ?? 0) : 0;
}

/** What increments added to an authorization, in minor units (pure). */
export function incrementedMinor(followers: readonly ExchangeRecord[]): number {
  return sum(
    followers.filter(({ purpose }) => purpose?.operation === 'increment'),
    standingMinor,
  );
}

/** What captures took, and what refunds gave, of the money of an exchange (pure). */
export function followedMinor(
  record: ExchangeRecord,
  followers: readonly ExchangeRecord[],
  parts: readonly ExchangeRecord[] = [record],
): Followed {
  const of = (operation: string) =>
    sum(
      followers.filter(({ purpose }) => purpose?.operation === operation),
      standingMinor,
    );
  const own = record.purpose?.captureNow ? sum(parts, standingMinor) : 0;
  return { capturedMinor: own + of('capture'), refundedMinor: of('refund') };
}

/**
 * An exchange as an entry of the acquirer's record, with its amounts as they stand now (pure). Undefined while its outcome is open, or where
 * nothing was ever sent, and of a trial sale, which is of no payment.
 * @param followers those that follow it; of refunds, also those that follow its captures
 * @param parts all parts of the exchange, itself first
 */
export function recordEntry(
  record: ExchangeRecord,
  followers: readonly ExchangeRecord[],
  parts: readonly ExchangeRecord[] = [record],
): RecordEntry | undefined {
  const { reference, request, purpose } = record;
  if (!request?.amount || !purpose || purpose.isTrial || parts.some(isOpen)) return undefined;
  const approved = sum(parts, approvedMinor);
  const increments = incrementedMinor(followers);
  const { capturedMinor, refundedMinor } = followedMinor(record, followers, parts);
  return {
    acquirerReference: reference,
    originalReference: purpose.originalReference ?? null,
    messageId: purpose.messageId ?? null,
    kind: purpose.operation,
    approved: approved > 0,
    isPending: false,
    captureNow: purpose.captureNow ?? false,
    currency: request.amount.currency,
    amountMinor: approved + increments,
    capturedMinor,
    refundedMinor,
    chargedBackMinor: 0,
    reversedMinor: reversedMinor(parts) + (record.state === 'reversed' ? increments : 0),
    reason: null,
    atMs: record.createdAtMs,
  };
}

function isOpen({ state }: ExchangeRecord): boolean {
  return state === 'sent' || state === 'reversing';
}

function sum(records: readonly ExchangeRecord[], of: (record: ExchangeRecord) => number): number {
  return records.reduce((total, record) => total + of(record), 0);
}

function reversedMinor(parts: readonly ExchangeRecord[]): number {
  const reversed = parts.filter(({ state }) => state === 'reversed');
  return sum(reversed, (part) => approvedMinor(part) - (part.reversal?.remaining?.minor ?? 0));
}

/**
 * The entry of a reversal that the gateway requested; undefined where there is none, or it has not come to its end.
 * @param parts all parts of the exchange, itself first
 */
export function reversalEntry(
  record: ExchangeRecord,
  parts: readonly ExchangeRecord[] = [record],
): RecordEntry | undefined {
  const { reference, request, reversal, state, purpose } = record;
  if (state !== 'reversed' || reversal?.reference === undefined || !request?.amount) return undefined;
  return {
    acquirerReference: reversal.reference,
    originalReference: wholeReference(reference),
    messageId: purpose?.messageId ?? null,
    kind: 'reversal',
    approved: true,
    isPending: false,
    captureNow: false,
    currency: request.amount.currency,
    amountMinor: reversal.amount
      ? reversal.amount.minor - (reversal.remaining?.minor ?? 0)
      : reversedMinor(parts),
    capturedMinor: 0,
    refundedMinor: 0,
    chargedBackMinor: 0,
    reversedMinor: 0,
    reason: null,
    atMs: record.createdAtMs,
  };
}
