import type { Decision, StepContext } from '@tillbridge/agent/sale/machine/state/events.js';
import type { Fact } from '@tillbridge/agent/sale/machine/state/facts.js';
import { parkedMessages } from '@tillbridge/agent/sale/machine/state/messages.js';
import type { SaleState } from '@tillbridge/agent/sale/machine/state/sale-state.js';
import {
  CARD_VERIFICATIONS,
  OFFLINE_MAXIMA,
  type OfflinePolicy,
} from '@tillbridge/agent/sale/offline/offline-policy.js';
import { OFFLINE_REASONS, type OfflineReason } from '@tillbridge/agent/sale/offline/offline-reasons.js';
import { type OfflineSituation, saleReasons } from '@tillbridge/agent/sale/offline/offline-rules.js';
import type { PolicyInForce } from '@tillbridge/agent/sale/policy/policy-in-force.js';
import type { PastStanding } from './past-standing.js';
import { freshIds, type SaleRow } from './sale-rows.js';

/** What a step may have read in addition to its sale. */
export interface PastContext {
  readonly context: StepContext;
  /** The rules judge it by the rows before: only so may it take a sale without the gateway. */
  readonly isJudged: boolean;
}

/** How much later than its decision a row may be journaled, in milliseconds. */
const LONGEST_WRITE_MS = 1_000;

/** Phases in which a step looks at the offline rules. */
const LOOKS_AT_RULES: ReadonlySet<string> = new Set(['accepted', 'reading-card', 'authorizing']);

/** What contexts are made of. */
export interface PastContextDeps {
  readonly policy: PolicyInForce;
  readonly standing: PastStanding;
}

/**
 * The contexts in which a step may have led to the next rows: as the rules judge by the rows before; as they may have judged a little
 * earlier; and with the reasons for a refusal that the rows name.
 */
export function pastContexts(
  { policy: { policy }, standing }: PastContextDeps,
  state: SaleState,
  { row, facts }: { readonly row: SaleRow; readonly facts: readonly Fact[] },
): readonly PastContext[] {
  const record = facts.find((fact) => fact.kind === 'offline-record');
  const decidedAtMs = record?.decidedAtMs ?? row.atMs;
  const waitedMs = row.atMs - decidedAtMs;
  const past = standing(row.row) ?? nothingTaken(policy.offline, state.terminalId);
  const base = {
    nowMs: waitedMs >= 0 && waitedMs <= LONGEST_WRITE_MS ? decidedAtMs : row.atMs,
    ids: freshIds(2 + parkedMessages(state).length),
    policy,
    link: 'up',
    fingerprint: () => record?.fingerprint ?? '',
  } as const;
  const judged = { ...base, offline: past, offlineReasons: saleReasons(past, state.request) };
  if (!LOOKS_AT_RULES.has(state.phase)) return [{ context: judged, isJudged: true }];
  const before = nothingTaken(policy.offline, state.terminalId);
  const earlier = { ...base, offline: before, offlineReasons: saleReasons(before, state.request) };
  const named = reasonsIn(facts);
  const refusals = named.map((_, at) => named.slice(0, named.length - at));
  const refusing = [...refusals, [], ['switched-off'] as const].map((offlineReasons) => ({
    ...base,
    link: 'down' as const,
    offline: allowsAll(state),
    offlineReasons,
  }));
  return [
    { context: judged, isJudged: true },
    ...[...refusing, earlier].map((context) => ({ context, isJudged: false })),
  ];
}

/** Whether a decision takes the sale without the gateway. */
export function takesOffline({ facts = [] }: Decision): boolean {
  return facts.some(({ kind }) => kind === 'offline-record');
}

/** The reasons for a refusal that the rows name. */
function reasonsIn(facts: readonly Fact[]): readonly OfflineReason[] {
  const details = facts.flatMap((fact) => (fact.kind === 'ended' && fact.detail ? [fact.detail] : []));
  const words = details.flatMap((detail) => detail.split(', '));
  return words.filter((word): word is OfflineReason => Object.hasOwn(OFFLINE_REASONS, word));
}

function nothingTaken(policy: OfflinePolicy, terminalId: string): OfflineSituation {
  return { policy, terminalId, journalReady: true, clockBehind: false, contactAgeMs: 0, unforwarded: [] };
}

/** Nothing stands against a sale but what the rows name. */
function allowsAll({ request, terminalId }: SaleState): OfflineSituation {
  const all = { perSaleMinor: request.minor, sumMinor: request.minor, perCardMinor: request.minor };
  const limits = { [request.currency]: all };
  const cards = OFFLINE_MAXIMA.entryModes.flatMap((entryMode) =>
    CARD_VERIFICATIONS.map((verification) => ({ entryMode, verification })),
  );
  const policy: OfflinePolicy = {
    enabled: true,
    limits,
    maxCount: 1,
    maxPerCard: 1,
    maxContactAgeMs: 1,
    expiryMs: 1,
    cards,
    deferred: { enabled: true, limits, maxCount: 1, cards },
    afterHandOver: 'reverse',
    risk: {
      floorLimitMinor: 0,
      randomSelectionThresholdMinor: 0,
      randomSelectionTargetPercent: 0,
      randomSelectionMaxPercent: 0,
    },
  };
  return nothingTaken(policy, terminalId);
}
