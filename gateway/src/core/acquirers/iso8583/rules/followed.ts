import { approvedMinor, type ExchangeRecord, type RefundPart } from './exchange-record.js';
import { followedMinor, incrementedMinor, standingMinor } from './record-entry.js';

/**
 * What a refund gives back of each capture of an authorization (pure). Hosts take a refund of a sale or of a capture alone: the first capture that
 * has so much left gives it; where none has, those with something left give it together, in their order.
 * @param followers those that follow the same payment
 * @returns undefined where all of them have not so much left
 */
export function refundParts(
  minor: number,
  followers: readonly ExchangeRecord[],
): readonly RefundPart[] | undefined {
  const captures = followers
    .filter(({ purpose }) => purpose?.operation === 'capture')
    .map((capture) => ({
      capture: capture.reference,
      minor: standingMinor(capture) - refundedOf(capture, followers),
    }))
    .filter((capture) => capture.minor > 0);
  const single = captures.find((capture) => capture.minor >= minor);
  if (single) return [{ ...single, minor }];
  const parts: RefundPart[] = [];
  let left = minor;
  for (const { capture, minor: most } of captures) {
    if (left > 0) parts.push({ capture, minor: Math.min(left, most) });
    left -= most;
  }
  return left > 0 ? undefined : parts;
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

/** What was approved of an exchange, increments included, in minor units (pure). */
export function wholeMinor(record: ExchangeRecord, followers: readonly ExchangeRecord[]): number {
  return approvedMinor(record) + (isAuthorization(record) ? incrementedMinor(followers) : 0);
}

/**
 * What stays of the amount of an exchange that is reversed, in minor units (pure): what was captured of an authorization, what was refunded of a
 * sale or capture.
 * @param followers those that follow the same payment
 */
export function remainingMinor(record: ExchangeRecord, followers: readonly ExchangeRecord[]): number {
  if (record.purpose?.operation === 'capture') return refundedOf(record, followers);
  if (!isAuthorization(record)) return 0;
  const { capturedMinor, refundedMinor } = followedMinor(record, followers);
  const isTaken = record.purpose?.captureNow === true;
  return Math.min(wholeMinor(record, followers), isTaken ? refundedMinor : capturedMinor);
}

/** Whether others follow it: an authorization, or a sale. */
function isAuthorization({ purpose }: ExchangeRecord): boolean {
  return purpose?.operation === 'authorization' || purpose?.operation === 'advice';
}
