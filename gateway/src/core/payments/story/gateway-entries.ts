import { maskText } from '@tillbridge/wire/mask/mask.js';
import { present } from '@tillbridge/wire/present.js';
import type { IntentRow, PaymentRow } from '../../../kernel/store/rows.js';
import { recordOf } from '../../acquirers/iso8583/journal/store-link-journal.js';
import { detailOf } from '../rules/intent-detail.js';
import { verificationResultsOf } from '../rules/verification-results.js';
import { decisionOf } from '../timeline/decisions.js';
import { type EntrySource, GATEWAY_CLOCK, keyOf, type StoryEntry } from './entry.js';
import type { StorySources } from './sources.js';

/** Sources of decisions by their step; others are the gateway's. */
const DECIDED_BY: Readonly<Record<string, EntrySource>> = {
  risk: 'risk',
  'three-d-secure': 'three-d-secure',
  threeDSecure: 'three-d-secure',
};

/** What the gateway did from the request to the outcome: a record each. Pure. */
export function gatewayEntries(sources: StorySources): readonly StoryEntry[] {
  return [
    ...sources.intents.map((intent) => requestEntry(intent, sources)),
    ...sources.intents.flatMap((intent) => openDecisions(intent)),
    ...storedDecisions(sources),
    ...sources.vault.map(sealedEntry),
    ...sources.authentications.map(authenticationEntry),
    ...sources.waits.map(waitEntry),
    ...sources.reviews.map(reviewEntry),
    ...sources.reviewDecisions.map(reviewedEntry),
    ...sources.exchanges.map((exchange) => exchangeEntry(exchange, sources)),
    ...sources.payments.map((payment) => outcomeEntry(payment, sources)),
  ];
}

const BY_GATEWAY = { clock: GATEWAY_CLOCK, source: 'gateway', by: 'gateway' } as const;

function requestEntry(intent: IntentRow, { payments }: StorySources): StoryEntry {
  const { id, paymentId, agentId, messageId, kind, state, createdAtMs: atMs } = intent;
  const made = payments.find((payment) => payment.id === paymentId);
  const { followUp, draft } = detailOf(intent);
  return {
    ...BY_GATEWAY,
    key: keyOf('intents', id),
    after: [
      ...(agentId !== null && messageId !== null ? [keyOf('message', agentId, messageId)] : []),
      ...(followUp ? [keyOf('payments', followUp.targetId)] : []),
    ],
    atMs,
    step: 'received',
    ...present({
      code: made || state === 'done' ? undefined : draft.resultCode,
      detail: joined(`${kind} requested`, methodOf(made ?? draft), made || state === 'done' ? '' : 'pending'),
    }),
    ids: { intentId: id, acquirerReference: id, ...present({ messageId: messageId ?? undefined }) },
    paymentId,
  };
}

function joined(...parts: readonly string[]): string | undefined {
  return parts.filter((part) => part !== '').join(', ') || undefined;
}

/** The means of payment; none is known of a follow-up without its own card. */
function methodOf({ brand, wallet, numberType, terminalId }: PaymentRow): string {
  const parts = [brand, wallet, numberType, terminalId === null ? null : `terminal ${terminalId}`];
  return parts.filter((part) => part !== null).join(', ');
}

/** What was decided so far on a payment that has no outcome: it stands with its intent. */
function openDecisions(intent: IntentRow): readonly StoryEntry[] {
  if (intent.state === 'done') return [];
  const decisions = detailOf(intent).decisions ?? [];
  return decisions.map((decision, position) =>
    decisionEntry(intent.paymentId, position, decision, intent.id),
  );
}

function storedDecisions({ decisions, intents }: StorySources): readonly StoryEntry[] {
  return decisions.map((row) => {
    const intent = intents.find(({ paymentId }) => paymentId === row.paymentId);
    return decisionEntry(row.paymentId, row.position, decisionOf(row), intent?.id);
  });
}

function decisionEntry(
  paymentId: string,
  position: number,
  decision: ReturnType<typeof decisionOf>,
  intentId: string | undefined,
): StoryEntry {
  const { detail, ...rest } = decision;
  return {
    ...rest,
    ...present({ detail: detail === undefined ? undefined : maskText(detail) }),
    key: keyOf('decisions', paymentId, position),
    after: [
      ...(position > 0 ? [keyOf('decisions', paymentId, position - 1)] : []),
      ...(intentId === undefined ? [] : [keyOf('intents', intentId)]),
      // The word of a person on it.
      ...(decision.rule === 'review' ? [keyOf('reviewDecisions', paymentId)] : []),
    ],
    clock: GATEWAY_CLOCK,
    source: DECIDED_BY[decision.step] ?? 'gateway',
    paymentId,
  };
}

function sealedEntry({ id, intentId, keyId, createdAtMs: atMs }: StorySources['vault'][number]): StoryEntry {
  return {
    key: keyOf('vault', id),
    after: [keyOf('intents', intentId)],
    atMs,
    clock: GATEWAY_CLOCK,
    source: 'security-module',
    step: 'card data sealed',
    by: 'security module',
    ids: { vaultId: id, keyId },
    isDiagnostic: true,
  };
}

function authenticationEntry(row: StorySources['authentications'][number]): StoryEntry {
  const { id, transId, state, resultCode: code, createdAtMs: atMs } = row;
  return {
    key: keyOf('authentications', id),
    after: [],
    atMs,
    clock: GATEWAY_CLOCK,
    source: 'three-d-secure',
    step: 'authentication',
    by: 'gateway',
    code,
    detail: state,
    ids: { threeDSServerTransID: transId },
    paymentId: id,
  };
}

function waitEntry(row: StorySources['waits'][number]): StoryEntry {
  const { paymentId, intentId, kind, checkoutId, untilMs, endedAtMs, createdAtMs: atMs } = row;
  const until = untilMs === null ? '' : `, until ${new Date(untilMs).toISOString()}`;
  return {
    ...BY_GATEWAY,
    key: keyOf('waits', paymentId),
    after: [keyOf('intents', intentId)],
    atMs,
    step: 'wait',
    detail: `${kind}${until}`,
    ...present({
      durationMs: endedAtMs === null ? undefined : Math.max(0, endedAtMs - atMs),
      ids: checkoutId === null ? undefined : { checkoutId },
    }),
    paymentId,
  };
}

function reviewEntry(row: StorySources['reviews'][number]): StoryEntry {
  const { paymentId, resultCode: code, createdAtMs: atMs } = row;
  const about = { clock: GATEWAY_CLOCK, source: 'risk', by: 'gateway' } as const;
  return {
    ...about,
    key: keyOf('approvalReviews', paymentId),
    after: [keyOf('payments', paymentId)],
    atMs,
    step: 'review requested',
    code,
    paymentId,
  };
}

function reviewedEntry(row: StorySources['reviewDecisions'][number]): StoryEntry {
  const { paymentId, decision, state, actor, note, createdAtMs: atMs } = row;
  return {
    key: keyOf('reviewDecisions', paymentId),
    after: [keyOf('approvalReviews', paymentId), keyOf('waits', paymentId)],
    atMs,
    clock: GATEWAY_CLOCK,
    source: 'risk',
    step: `review ${decision}`,
    by: actor,
    detail: maskText(state === 'made' ? `${note} (not carried out yet)` : note),
    paymentId,
  };
}

/** An exchange with a host: what was requested under which number, and what came of it. */
function exchangeEntry(row: StorySources['exchanges'][number], { intents }: StorySources): StoryEntry {
  const { reference, acquirer, stan, transmittedAt, rrn, state, original, createdAtMs: atMs } = row;
  const { purpose, answer, reversal, standIn, lateApprovals } = recordOf(row);
  const intent = intents.find(({ id }) => id === reference.split('.')[0]);
  const parts = [
    purpose?.operation ?? 'tombstone',
    state,
    standIn ? 'approved by the gateway in its place' : '',
    reversal ? `reversal sent ${reversal.attempts} times` : '',
    lateApprovals > 0 ? `${lateApprovals} approvals came late` : '',
  ];
  return {
    key: keyOf('linkExchanges', reference),
    after: [
      keyOf('intents', intent?.id ?? ''),
      ...(original === null ? [] : [keyOf('linkExchanges', original)]),
    ],
    atMs,
    clock: GATEWAY_CLOCK,
    source: 'acquirer',
    step: 'message',
    by: acquirer,
    ...present({ rule: answer?.responseCode }),
    detail: parts.filter((part) => part !== '').join(', '),
    ids: {
      acquirerReference: reference,
      ...present({
        stan: stan ?? undefined,
        transmittedAt: transmittedAt ?? undefined,
        // Its first digits stand for the day.
        rrn: rrn?.slice(-6),
      }),
    },
    ...present({ paymentId: intent?.paymentId }),
  };
}

/** The word of the acquirer, or of the gateway where it did not ask one. */
function outcomeEntry(payment: PaymentRow, sources: StorySources): StoryEntry {
  const { id, acquirer, acquirerReference, captureReference, resultCode: code, responseCode } = payment;
  const { extendedDescription, riskScore } = verificationResultsOf(payment);
  const score = riskScore === undefined ? '' : `risk score ${riskScore}`;
  // A payment that ended at a gate has a reference, and no answer.
  const isAnswered = acquirerReference !== null && responseCode !== null && responseCode !== '';
  const intent = sources.intents.find(({ paymentId }) => paymentId === id);
  const decisions = sources.decisions.filter(({ paymentId }) => paymentId === id);
  const references = [acquirerReference, captureReference].filter((each) => each !== null);
  return {
    key: keyOf('payments', id),
    after: [
      ...(intent ? [keyOf('intents', intent.id)] : []),
      ...decisions.map(({ position }) => keyOf('decisions', id, position)),
      ...references.map((reference) => keyOf('linkExchanges', reference)),
      ...(payment.vaultId === null ? [] : [keyOf('vault', payment.vaultId)]),
      ...[keyOf('authentications', id), keyOf('waits', id)],
      ...(payment.referencedId === null ? [] : [keyOf('payments', payment.referencedId)]),
    ],
    atMs: payment.createdAtMs,
    clock: GATEWAY_CLOCK,
    source: isAnswered ? 'acquirer' : 'gateway',
    step: isAnswered ? 'acquirer' : 'outcome',
    by: isAnswered ? acquirer : 'gateway',
    code,
    ...present({
      rule: isAnswered ? responseCode : undefined,
      detail: joined(
        // Of a payment that was refused before it was requested from anybody.
        intent ? '' : methodOf(payment),
        extendedDescription === undefined ? score : maskText(extendedDescription),
      ),
      durationMs: intent && Math.max(0, payment.createdAtMs - intent.createdAtMs),
      ids: acquirerReference === null ? undefined : { acquirerReference },
    }),
    paymentId: id,
  };
}
