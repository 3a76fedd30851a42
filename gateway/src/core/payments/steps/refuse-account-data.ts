import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { type NewAlert, raiseAlert } from '../../../kernel/alerts/alert-changes.js';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import type { Change } from '../../../kernel/store/store.js';
import {
  ACCOUNT_FAILURE_LIMITS,
  countFailure,
  type FailureSubject,
} from '../../../security/devices/account-failures.js';
import type { KsnUse } from '../../../security/devices/ksn-use.js';
import { refusedDeviceAlert } from '../policy/refused-device.js';
import { ACCOUNT_DATA_REFUSED, AccountDataError } from '../rules/account-data-error.js';
import type { PaymentRequest, PaymentResult } from '../rules/requests.js';
import { takeAgain } from './admit-account-data.js';
import type { PaymentContext } from './payment-context.js';
import { commitRefusal } from './refuse-payment.js';
import { retryOnConflict } from './retry.js';

/** Account data that is not taken. */
interface RefusedAccountData {
  readonly error: AccountDataError;
  /** KSNs under which something was deciphered. */
  readonly uses: readonly KsnUse[];
  /** When the request came, of the monotonic clock. */
  readonly sinceMs: number;
}

/**
 * Refuses account data: the same code after the same time, whatever is wrong. What was looked at is used up, and the failure is counted
 * for device and entity, in one commit with the refusal.
 */
export async function refuseAccountData(
  context: PaymentContext,
  request: PaymentRequest,
  draft: PaymentRow,
  { error, uses, sinceMs }: RefusedAccountData,
): Promise<PaymentResult> {
  const { origin } = request;
  context.onFault('account data was refused', error);
  const result = await retryOnConflict(context, origin, async () => {
    const counted = await countFailures(context, origin.entityId, error);
    const alert = refusedDeviceAlert(request, error);
    if (alert) counted.push(raiseAlert(alert, context.clock.nowMs()));
    const used = await Promise.all(uses.map((use) => usedUp(context, request, use)));
    return commitRefusal(context, origin, draft, ACCOUNT_DATA_REFUSED, [...counted, ...used.flat()]);
  });
  await passed(context.clock, sinceMs + ACCOUNT_FAILURE_LIMITS.answerMs);
  return result;
}

/** Counts the failure, with the alert of a limit that is reached. What is locked anyway is not counted: a device that fails for ever locks itself, and not its store. */
async function countFailures(
  { store, clock }: PaymentContext,
  entityId: string,
  { fault, serial }: AccountDataError,
): Promise<Change[]> {
  const subjects: FailureSubject[] = [{ kind: 'entity', subject: entityId }];
  if (serial !== undefined) subjects.push({ kind: 'device', subject: serial });
  const changes: Change[] = [];
  const nowMs = clock.nowMs();
  if (fault === 'locked') return changes;
  for (const subject of subjects) {
    const stored = await store.get('accountFailures', [subject.kind, subject.subject]);
    const { change, locks } = countFailure(subject, stored, nowMs);
    changes.push(change);
    if (locks) changes.push(raiseAlert(lockAlert(subject, entityId), nowMs));
  }
  return changes;
}

/** Data that was deciphered in vain has used its KSN; where another request was faster, there is nothing left to use. */
async function usedUp(
  context: PaymentContext,
  request: PaymentRequest,
  use: KsnUse,
): Promise<readonly Change[]> {
  try {
    return await takeAgain(context, request, use);
  } catch (error) {
    if (error instanceof AccountDataError) return [];
    throw error;
  }
}

function lockAlert({ kind, subject }: FailureSubject, entityId: string): NewAlert {
  const { [kind]: limit } = ACCOUNT_FAILURE_LIMITS;
  const detail = `${limit} times account data that could not be taken`;
  return { code: kind === 'device' ? 'device-locked' : 'entity-locked', subject, entityId, detail };
}

/** Resolves at a time of the monotonic clock. */
function passed(clock: Pick<Clock, 'monotonicMs' | 'setTimer'>, atMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.setTimer(Math.max(0, atMs - clock.monotonicMs()), resolve);
  });
}
