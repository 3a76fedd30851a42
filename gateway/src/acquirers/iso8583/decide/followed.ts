import { approvedMinor, type ExchangeRecord } from './exchange-record.js';
import { followedMinor, standingMinor } from './record-entry.js';

/**
 * The exchange that a capture or refund names to the host (pure). Hosts take a refund of a sale or of a capture alone: that of an authorization
 * names the first of its captures which has so much left.
 * @param followers those that follow the same payment
 * @returns undefined where no single one has so much left
 */
export function followedBy(
  operation: 'capture' | 'refund',
  minor: number,
  original: ExchangeRecord,
  followers: readonly ExchangeRecord[],
): ExchangeRecord | undefined {
  if (operation === 'capture' || original.request?.kind === 'financial') return original;
  return followers
    .filter(({ purpose }) => purpose?.operation === 'capture')
    .find((capture) => standingMinor(capture) - refundedOf(capture, followers) >= minor);
}

/** What refunds gave of the money of a capture, in minor units. */
function refundedOf({ request }: ExchangeRecord, followers: readonly ExchangeRecord[]): number {
  return followers
    .filter(({ purpose }) => purpose?.operation === 'refund')
    .filter(
      ({ request: { original } = {} }) => original?.stan === request?.stan && original?.at === request?.at,
    )
    .reduce((total, refund) => total + standingMinor(refund), 0);
}

/**
 * What stays of the amount of an exchange that is reversed, in minor units (pure): what was captured of an authorization, what was refunded of a
 * sale or capture.
 * @param followers those that follow the same payment
 */
export function remainingMinor(record: ExchangeRecord, followers: readonly ExchangeRecord[]): number {
  if (record.purpose?.operation === 'capture') return refundedOf(record, followers);
  const { capturedMinor, refundedMinor } = followedMinor(record, followers);
  const isTaken = record.purpose?.captureNow === true;
  return Math.min(approvedMinor(record), isTaken ? refundedMinor : capturedMinor);
}
