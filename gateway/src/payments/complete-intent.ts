import type { Money } from '@tillbridge/protocol/payment/money.js';
import type { Acquirer, AcquirerAnswer } from '../acquirers/acquirer.js';
import type { IntentRow } from '../store/rows.js';
import { assessRisk } from './assess-risk.js';
import { detailOf, type IntentDetail } from './intent-detail.js';

/** What an intent came to, once nothing more has to be asked. */
export interface IntentOutcome extends AcquirerAnswer {
  /** Score of the risk check, where there was one. */
  readonly riskScore?: number;
}

/**
 * Carries out what comes after the acquirer's first answer to an intent. Every request has a reference that was given out with the
 * intent: after a crash the same requests get the same answers, and no money moves twice.
 * @throws AcquirerUnreachableError: nothing is known to be over, and the same call goes on later
 */
export async function completeIntent(
  acquirer: Acquirer,
  intent: IntentRow,
  first: AcquirerAnswer,
): Promise<IntentOutcome> {
  const detail = detailOf(intent);
  if (detail.followUp?.release) return first.approved ? releaseHold(acquirer, detail, first) : first;
  if (!detail.risk) return first;
  const { score, refusal } = assessRisk(first, detail.risk.forcedScore);
  const authorized: IntentOutcome = { ...first, riskScore: score };
  const { captureReference } = detail.draft;
  if (!first.approved || captureReference === null) return authorized;
  if (refusal !== undefined) return undone(acquirer, intent, { ...authorized, resultCode: refusal });
  const captured = await acquirer.send({
    kind: 'capture',
    acquirerReference: captureReference,
    originalReference: intent.id,
    amount: moneyOf(detail),
  });
  if (captured.approved) return authorized;
  const { resultCode, responseCode } = captured;
  return undone(acquirer, intent, { ...authorized, resultCode, responseCode });
}

/** The amount of an intent. */
export function moneyOf({ draft }: IntentDetail): Money {
  return { minor: draft.amountMinor, currency: draft.currency };
}

/** An authorization that leads to no capture gives the money free again; nothing of its approval is passed on. */
async function undone(
  acquirer: Acquirer,
  intent: IntentRow,
  { approvalCode: _, iccDataResponse: __, ...refused }: IntentOutcome,
): Promise<IntentOutcome> {
  const detail = detailOf(intent);
  await reverse(acquirer, detail, intent.id, detail.fenceReference);
  return { ...refused, approved: false };
}

/** The capture of a PA.CP is undone: what held the money goes too. */
async function releaseHold(
  acquirer: Acquirer,
  detail: IntentDetail,
  answer: AcquirerAnswer,
): Promise<IntentOutcome> {
  const { release } = detail.followUp ?? {};
  if (release) await reverse(acquirer, detail, release.originalReference, release.acquirerReference);
  return answer;
}

/** @throws Error where the acquirer refuses: the intent stays open and in sight until the money is free */
async function reverse(
  acquirer: Acquirer,
  detail: IntentDetail,
  originalReference: string,
  acquirerReference: string,
): Promise<void> {
  const amount = moneyOf(detail);
  const answer = await acquirer.send({ kind: 'reversal', acquirerReference, originalReference, amount });
  if (!answer.approved) throw new Error(`the acquirer refused a reversal (${answer.responseCode})`);
}
