import type { CheckoutRow, ScheduleRunRow } from '../../../kernel/store/rows.js';
import type { Change } from '../../../kernel/store/store.js';
import type { BridgeOrigin, Origin, PaymentRequest, PaymentResult } from './requests.js';
import { encodeResult } from './results.js';

/** Identity and stream position of an agent's message; kept with an intent so that its answer can be written later. */
export type MessagePlace = Pick<
  BridgeOrigin,
  'agentId' | 'messageId' | 'terminalId' | 'sequence' | 'contentHash'
>;

/**
 * Guards of every commit for a message: its session is the newest, and no reversal of it arrived before. Those of a payment over REST: no request
 * has made it. Those of a schedule's run: no worker has made it, and the worker still holds the schedule.
 */
export function messageGuards(origin: Origin): Change[] {
  if (origin.kind === 'rest')
    return [...notMadeYet(origin.paymentId), ...(origin.run ? runGuards(origin.run) : [])];
  const values = [origin.agentId, origin.messageId];
  return [...sessionGuard(origin), { op: 'require-absent', table: 'tombstones', index: 'primary', values }];
}

/** A payment whose id was given out before may have been made by another node meanwhile. */
function notMadeYet(paymentId: string | undefined): Change[] {
  if (paymentId === undefined) return [];
  return [{ op: 'require-absent', table: 'payments', index: 'primary', values: [paymentId] }];
}

function runGuards(run: ScheduleRunRow): Change[] {
  const { scheduleId, leasedBy } = run;
  return [
    { op: 'require-field', table: 'schedules', key: [scheduleId], column: 'leasedBy', equals: leasedBy },
    { op: 'insert', table: 'scheduleRuns', row: run },
  ];
}

/** Fails the commit when the agent has a newer session than the one that brought the message. */
export function sessionGuard(origin: Origin): Change[] {
  return origin.kind === 'rest' ? [] : [epochFence(origin)];
}

/** Fails a commit when the agent has a newer session than that of the epoch. */
export function epochFence({ agentId, epoch }: Pick<BridgeOrigin, 'agentId' | 'epoch'>): Change {
  return { op: 'require-field', table: 'agents', key: [agentId], column: 'epoch', equals: epoch };
}

/**
 * Fails the commit when something else was posted to the checkout since: only what came last begins a payment. The row is written as it was
 * read, so that a post fails, too, whose maker has looked before this one began.
 */
export function checkoutGuard(
  { checkoutId }: Pick<PaymentRequest, 'checkoutId'>,
  paymentId: string,
  row: CheckoutRow | undefined,
): Change[] {
  if (checkoutId === undefined) return [];
  return [
    { op: 'require-field', table: 'checkouts', key: [checkoutId], column: 'postedId', equals: paymentId },
    ...(row ? [{ op: 'update', table: 'checkouts', row } as const] : []),
  ];
}

/** Stores the answer to a message and advances its stream. */
export function answerChanges(
  place: MessagePlace | undefined,
  result: PaymentResult,
  nowMs: number,
): Change[] {
  if (!place) return [];
  const { agentId, messageId, terminalId, sequence } = place;
  const stored = { result: encodeResult(result), contentHash: place.contentHash ?? null };
  const row = { agentId, messageId, ...stored, createdAtMs: nowMs, version: 1 };
  const answer: Change = { op: 'insert', table: 'inbox', row };
  if (sequence === 0) return [answer];
  return [answer, { op: 'advance-stream', agentId, terminalId, nextSequence: sequence + 1 }];
}

/** Place of an origin; undefined for REST. */
export function placeOf(origin: Origin): MessagePlace | undefined {
  if (origin.kind === 'rest') return undefined;
  const { agentId, messageId, terminalId, sequence, contentHash } = origin;
  const place = { agentId, messageId, terminalId, sequence };
  return contentHash === undefined ? place : { ...place, contentHash };
}

/** Who sent a request, as alerts name it: agent and terminal, or the entity. */
export function sourceOf(origin: Origin): string {
  return origin.kind === 'rest' ? origin.entityId : `${origin.agentId}/${origin.terminalId}`;
}

/** Key of a message among running work. */
export function messageKey(agentId: string, messageId: string): string {
  return `message/${agentId}/${messageId}`;
}

/** Key of an intent among running work. */
export function intentKey(intentId: string): string {
  return `intent/${intentId}`;
}
