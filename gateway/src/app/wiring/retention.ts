import { IDEMPOTENCY_RETENTION_MS } from '../../core/payment-api/idempotency/decide.js';
import { EVENT_KEEP_MS } from '../../kernel/events/event-changes.js';
import type { RetentionRules } from '../../kernel/workers/retention.js';
import { ACCOUNT_FAILURE_LIMITS } from '../../security/devices/account-failures.js';

const DAY_MS = 24 * 3_600_000;

/**
 * How long rows are kept that belong to no feature. A tombstone outlives every offline record many times over (they expire within days); a
 * card's counter is kept longer than a copy of its data could be of use; of alerts only those that have ended. An Idempotency-Key goes with
 * its answer; an enrolment code is of no use after minutes, and a shopper who comes back a day after the payment ended is late.
 * A wallet's token is refused as expired before its use is forgotten. No issuer takes a proof of 3D Secure that is a year old (90 days are usual).
 * With the use of a KSN its device remembers that no counter up to it is taken any more: whatever comes below is as old.
 */
export const RETENTION = {
  tombstones: { index: 'age', keepMs: 400 * DAY_MS },
  usedAtcs: { index: 'age', keepMs: 400 * DAY_MS },
  alerts: { index: 'ended', keepMs: 400 * DAY_MS },
  usedKsns: { index: 'age', keepMs: 400 * DAY_MS },
  usedProofs: { index: 'age', keepMs: 400 * DAY_MS },
  // As long as the agents keep the rows of their sales.
  countersignedHeads: { index: 'age', keepMs: 400 * DAY_MS },
  // Late money is found for as long as it can be claimed.
  transferReferences: { index: 'age', keepMs: 400 * DAY_MS },
  transferReceipts: { index: 'age', keepMs: 400 * DAY_MS },
  usedWalletTokens: { index: 'expiry', keepMs: DAY_MS },
  accountFailures: { index: 'age', keepMs: ACCOUNT_FAILURE_LIMITS.windowMs },
  idempotency: { index: 'age', keepMs: IDEMPOTENCY_RETENTION_MS },
  enrolmentCodes: { index: 'age', keepMs: DAY_MS },
  agentSessions: { index: 'age', keepMs: 400 * DAY_MS },
  nodeEnds: { index: 'age', keepMs: 400 * DAY_MS },
  agentCommands: { index: 'age', keepMs: 30 * DAY_MS },
  waits: { index: 'ended', keepMs: DAY_MS },
  events: { index: 'expiry', keepMs: 0 },
  deliveries: { index: 'age', keepMs: EVENT_KEEP_MS },
  outbox: { index: 'age', keepMs: 90 * DAY_MS },
  recentUses: { index: 'expiry', keepMs: 0 },
  standInCounts: { index: 'expiry', keepMs: 0 },
} as const satisfies RetentionRules;
