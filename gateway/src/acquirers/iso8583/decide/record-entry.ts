import type { RecordEntry } from '../../acquirer.js';
import { approvedMinor, type ExchangeRecord } from './exchange-record.js';

/** What an exchange holds of the money of those that follow it. */
interface Followed {
  readonly capturedMinor: number;
  readonly refundedMinor: number;
}

/** What an exchange left standing of its approved amount, in minor units. */
export function standingMinor(record: ExchangeRecord): number {
  if (record.state === 'answered') return approvedMinor(record);
  return record.state === 'reversed' ? (record.reversal?.remaining?.minor ?? 0) : 0;
}

/** What captures took, and what refunds gave, of the money of an exchange (pure). */
export function followedMinor(record: ExchangeRecord, followers: readonly ExchangeRecord[]): Followed {
  const sum = (operation: string) =>
    followers
      .filter(({ purpose }) => purpose?.operation === operation)
      .reduce((total, follower) => total + standingMinor(follower), 0);
  const own = record.purpose?.captureNow ? standingMinor(record) : 0;
  return { capturedMinor: own + sum('capture'), refundedMinor: sum('refund') };
}

/**
 * An exchange as an entry of the acquirer's record, with its amounts as they stand now (pure). Undefined while its outcome is open, or where
 * nothing was ever sent.
 * @param followers those that follow it; of refunds, also those that follow its captures
 */
export function recordEntry(
  record: ExchangeRecord,
  followers: readonly ExchangeRecord[],
): RecordEntry | undefined {
  const { reference, request, answer, purpose, reversal, state } = record;
  if (!request?.amount || !purpose || state === 'sent' || state === 'reversing') return undefined;
  const approved = approvedMinor(record);
  const { capturedMinor, refundedMinor } = followedMinor(record, followers);
  return {
    acquirerReference: reference,
    originalReference: purpose.originalReference ?? null,
    messageId: purpose.messageId ?? null,
    kind: purpose.operation,
    approved: approved > 0,
    isPending: false,
    captureNow: purpose.captureNow ?? false,
    currency: request.amount.currency,
    amountMinor: answer ? approved : 0,
    capturedMinor,
    refundedMinor,
    chargedBackMinor: 0,
    reversedMinor: state === 'reversed' ? approved - (reversal?.remaining?.minor ?? 0) : 0,
    reason: null,
    atMs: record.createdAtMs,
  };
}

/** The entry of a reversal that the gateway asked for; undefined where there is none, or it has not come to its end. */
export function reversalEntry(record: ExchangeRecord): RecordEntry | undefined {
  const { reference, request, reversal, state, purpose } = record;
  if (state !== 'reversed' || reversal?.reference === undefined || !request?.amount) return undefined;
  return {
    acquirerReference: reversal.reference,
    originalReference: reference,
    messageId: purpose?.messageId ?? null,
    kind: 'reversal',
    approved: true,
    isPending: false,
    captureNow: false,
    currency: request.amount.currency,
    amountMinor: approvedMinor(record) - (reversal.remaining?.minor ?? 0),
    capturedMinor: 0,
    refundedMinor: 0,
    chargedBackMinor: 0,
    reversedMinor: 0,
    reason: null,
    atMs: record.createdAtMs,
  };
}
