import { shortId } from '@tillbridge/wire/payment/short-id.js';
import type { IntentRow, PaymentRow } from '../../../kernel/store/rows.js';
import type { AcquirerDecision } from '../../acquirers/acquirer.js';
import type { AcquirerRequestKind } from '../../acquirers/request-kinds.js';
import type { NewAgreement } from '../instruments/agreements.js';
import type { ProofUse } from '../instruments/proof-use.js';
import type { Decision } from '../timeline/decisions.js';
import type { RiskPolicy } from './assess-risk.js';
import type { UsedAtc } from './atc-replay.js';
import { BEGINNING, NO_CARD } from './drafts.js';
import type { MessagePlace } from './message-changes.js';
import type { FollowUpType, ForcedVerdict } from './requests.js';

/** What the resolver does with an intent that the acquirer has never seen. */
export type Recovery =
  /** Make the acquirer refuse it for ever, then record that it failed: no client waits for it. */
  | 'fence'
  /** Send it again under the same reference: the stored data is enough. */
  | 'resend'
  /** The agent keeps it and sends it again. */
  | 'await-agent';

/** What an intent keeps so that it can be finished after a crash. Nothing sensitive. */
export interface IntentDetail {
  /** The payment without its outcome. */
  readonly draft: PaymentRow;
  readonly recovery: Recovery;
  /** Reference of the reversal that fences a request that never arrived, or releases an authorization without a capture. */
  readonly fenceReference: string;
  /** The fencing reversal may have been sent: only its own answer ends the intent. */
  readonly fencing?: true;
  /** Result code where it is fenced because its wait has expired. */
  readonly expiredCode?: string;
  /** It has a row in `waits`. */
  readonly mayWait?: true;
  /** The message to answer. */
  readonly place?: MessagePlace;
  readonly followUp?: FollowUpDetail;
  /** Result code of an approval in place of the acquirer's, as a test requested. */
  readonly approvedAs?: string;
  /** Present where the risk is checked once the issuer has answered. */
  readonly risk?: RiskPolicy;
  /** The use of a card's counter that could not be checked here: an approval proves it. */
  readonly atc?: UsedAtc;
  /** What was decided so far, for the timeline. */
  readonly decisions?: readonly Decision[];
  /** Gift-card payments that pay for the rest of the order: reversed where this one is not approved. */
  readonly cart?: readonly string[];
  /** An approval makes an agreement of it. */
  readonly agreement?: NewAgreement;
  /** The proof of an authentication that it uses: given free where it fails without a word of the issuer. */
  readonly proof?: ProofUse;
  /** The registration that an approval makes of the payment details, or that has them already. */
  readonly registers?: string;
  /** The registration that pays the first payment of an agreement: it holds the agreement once that is approved. */
  readonly holds?: string;
}

/** The follow-up part of an intent. */
export interface FollowUpDetail {
  /** Absent in the intents of older builds: there it is the draft's type. */
  readonly type?: FollowUpType;
  readonly targetId: string;
  readonly amountMinor: number;
  readonly final: boolean;
  /** Acquirer reference that is followed. */
  readonly originalReference: string;
  /** Reversal of a PA.CP: the authorization, and the reference of the reversal that releases it once the capture is reversed. */
  readonly release?: { readonly originalReference: string; readonly acquirerReference: string };
  /** Account data of the payment that is followed, where the issuer decides again. */
  readonly vaultId?: string;
}

/** The part of the detail that a forced approval needs. */
export function approvedAs(verdict: ForcedVerdict | undefined): Pick<IntentDetail, 'approvedAs'> {
  return verdict?.kind === 'approved' ? { approvedAs: verdict.resultCode } : {};
}

type OptionalColumn = {
  [Column in keyof PaymentRow]: null extends PaymentRow[Column] ? Column : never;
}[keyof PaymentRow];

/** What most drafts hold. It is left out of the stored text, because an intent is written for every payment. */
const USUAL: typeof BEGINNING & Readonly<Record<OptionalColumn, null>> = {
  ...BEGINNING,
  referencedId: null,
  rootId: null,
  maxCaptures: null,
  ...NO_CARD,
  vaultId: null,
  acquirerReference: null,
  captureReference: null,
  agentId: null,
  messageId: null,
  terminalId: null,
  reference: null,
  offline: null,
};

/** Details as they were given or read, by their row: each is needed several times, and a row never changes. */
const KNOWN = new WeakMap<IntentRow, IntentDetail>();

/**
 * A new intent: `id` is the reference of the request at the acquirer, `rootId` the payment whose amounts a follow-up changes, `owner` the node
 * that works on it.
 */
export function openIntent(
  id: string,
  kind: AcquirerRequestKind,
  rootId: string | null,
  detail: IntentDetail,
  owner: string | null,
): IntentRow {
  const { draft, place } = detail;
  const intent: IntentRow = {
    id,
    paymentId: draft.id,
    entityId: draft.entityId,
    agentId: place?.agentId ?? null,
    messageId: place?.messageId ?? null,
    state: 'open',
    kind,
    reference: draft.reference,
    rootId,
    detail: JSON.stringify({ ...detail, draft: storedDraft(draft, id) }),
    owner,
    createdAtMs: draft.createdAtMs,
    version: 1,
  };
  KNOWN.set(intent, detail);
  return intent;
}

/** A draft without the columns that the intent's own row has. */
type StoredDraft = Omit<PaymentRow, 'id' | 'shortId' | 'entityId' | 'createdAtMs'>;

const USUAL_COLUMNS: ReadonlyMap<string, unknown> = new Map(Object.entries(USUAL));
/** Columns that the intent's own row has, or which are made of its own. */
const OF_ROW: ReadonlySet<string> = new Set(['id', 'shortId', 'entityId', 'createdAtMs']);

/**
 * What the intent's own row and {@link USUAL} do not hold.
 * @param intentId which a draft usually has as its reference
 */
function storedDraft(draft: PaymentRow, intentId: string): Partial<StoredDraft> {
  const stored: Record<string, unknown> = {};
  // In this form of a loop V8 looks no column up.
  for (const column in draft) {
    const value = draft[column as keyof PaymentRow];
    if (value === USUAL_COLUMNS.get(column) || OF_ROW.has(column)) continue;
    if (column !== 'acquirerReference' || value !== intentId) stored[column] = value;
  }
  return stored as Partial<StoredDraft>;
}

/**
 * The intent with its outcome. Of its detail stays what is read afterwards: its references at the acquirer, its message, and the currency of a
 * reversal of nothing. The payment's own row, which is written in the same commit, has all else. The less stays, the more of its page SQLite
 * gives to other rows.
 */
export function doneIntent(intent: IntentRow): IntentRow {
  const { draft, recovery, fenceReference, place, followUp } = detailOf(intent);
  const { currency, captureReference } = draft;
  const kept = { currency, ...(captureReference !== null && { captureReference }) };
  return {
    ...intent,
    state: 'done',
    detail: JSON.stringify({ draft: kept, recovery, fenceReference, place, followUp }),
    // No node works on it any more.
    owner: null,
  };
}

/** The detail that was stored with the intent; of one that is done no more than {@link doneIntent} leaves. */
export function detailOf(intent: IntentRow): IntentDetail {
  const known = KNOWN.get(intent);
  if (known) return known;
  const { id: acquirerReference, paymentId: id, entityId, createdAtMs } = intent;
  const own = { id, shortId: shortId(id), entityId, acquirerReference, createdAtMs };
  const stored = JSON.parse(intent.detail) as Omit<IntentDetail, 'draft'> & { readonly draft: StoredDraft };
  const detail = { ...stored, draft: { ...USUAL, ...own, ...stored.draft } };
  KNOWN.set(intent, detail);
  return detail;
}

/** The outcome of an intent, after all requests to the acquirer. */
export interface IntentOutcome extends AcquirerDecision {
  /** Score of the risk check, where there was one. */
  readonly riskScore?: number;
  /** Names of the entity's rules on the issuer's answer that fit. */
  readonly riskFound?: readonly string[];
  /** Which field the gateway refuses and why, where it does so itself; nothing of its content. */
  readonly detail?: string;
}
