import type { Money } from '@tillbridge/wire/payment/money.js';
import type { IntentRow } from '../../../kernel/store/rows.js';
import type {
  Acquirer,
  AcquirerAnswer,
  AcquirerDecision,
  AcquirerPending,
  AcquirerReversal,
} from '../../acquirers/acquirer.js';
import { assessRisk } from '../rules/assess-risk.js';
import { detailOf, type IntentDetail, type IntentOutcome } from '../rules/intent-detail.js';

/**
 * Carries out what comes after the acquirer's first answer to an intent. Every request has a reference that was given out with the
 * intent: after a crash the same requests get the same answers, and no money moves twice.
 * @returns the outcome, or that it comes later
 * @throws AcquirerUnreachableError: the outcome is open, and the same call can be repeated
 */
export async function completeIntent(
  acquirer: Acquirer,
  intent: IntentRow,
  first: AcquirerAnswer,
): Promise<IntentOutcome | AcquirerPending> {
  if (first.pending) return first;
  const detail = detailOf(intent);
  if (detail.followUp?.release) return releaseHold(acquirer, detail, first);
  const risk = detail.risk && assessRisk(first, detail.risk);
  const refusal = risk?.refusal;
  const scored = risk ? withRisk(first, risk) : first;
  const captures = detail.draft.captureReference !== null;
  if (first.approved && refusal !== undefined && (captures || risk?.isOwn))
    return giveFree(acquirer, intent, { ...scored, resultCode: refusal });
  if (!first.approved || detail.draft.captureReference === null) return scored;
  const { approved, resultCode, responseCode } = await acquirer.send({
    kind: 'capture',
    acquirerReference: detail.draft.captureReference,
    originalReference: intent.id,
    amount: moneyOf(detail, first),
  });
  return approved ? scored : giveFree(acquirer, intent, { ...scored, resultCode, responseCode });
}

/** The answer with what the risk check made of it. */
function withRisk(first: AcquirerDecision, risk: ReturnType<typeof assessRisk>): IntentOutcome {
  const isReviewed = first.approved && risk.review !== undefined;
  return {
    ...first,
    riskScore: risk.score,
    riskFound: risk.found,
    ...(isReviewed && { resultCode: risk.review }),
  };
}

/** The amount of an intent; less where the issuer approved a part. */
export function moneyOf({ draft }: IntentDetail, answer?: Pick<AcquirerDecision, 'approvedMinor'>): Money {
  return { minor: answer?.approvedMinor ?? draft.amountMinor, currency: draft.currency };
}

/** An authorization that leads to no capture gives the money free again; nothing of its approval is passed on. */
async function giveFree(
  acquirer: Acquirer,
  intent: IntentRow,
  { approvalCode: _, iccDataResponse: __, approvedMinor: ___, ...refused }: IntentOutcome,
): Promise<IntentOutcome> {
  const { fenceReference } = detailOf(intent);
  await reverse(acquirer, { acquirerReference: fenceReference, originalReference: intent.id });
  return { ...refused, approved: false };
}

/** Reverses the preauthorization of a PA.CP whose capture is reversed. */
async function releaseHold(
  acquirer: Acquirer,
  detail: IntentDetail,
  first: AcquirerDecision,
): Promise<AcquirerDecision> {
  const { release } = detail.followUp ?? {};
  if (first.approved && release) await reverse(acquirer, release);
  return first;
}

/** @throws Error where the acquirer refuses: the intent stays open and in sight until the money is free */
async function reverse(acquirer: Acquirer, request: Omit<AcquirerReversal, 'kind'>): Promise<void> {
  const { approved, responseCode } = await acquirer.send({ kind: 'reversal', ...request });
  if (!approved) throw new Error(`the acquirer refused a reversal (${responseCode})`);
}
