import { toHex } from '@tillbridge/wire/bytes.js';
import { formatAmount, smallestShown } from '@tillbridge/wire/payment/money.js';
import type { ForwardQueue, QueueItem } from '../../journal/forward-queue.js';
import type { Journal } from '../../journal/journal.js';
import type { SalePolicy } from '../machine/state/policy.js';
import type { UnforwardedSale, Weight } from '../offline/offline-exposure.js';
import type { OfflineReadiness } from '../offline/offline-reasons.js';
import { deferredLeft, offlineLeft } from '../offline/offline-rules.js';
import type { TimeFloor } from '../offline/time-floor.js';
import type { PolicyInForce } from '../policy/policy-in-force.js';
import type { LateDecline } from '../runtime/late-declines.js';
import type { TerminalExecutor } from '../runtime/terminal-executor.js';
import type { LateDeclineView, OfflineLeft, QueueView, StatusView, TerminalView } from './sale-service.js';

/** A terminal as a till sees it. */
export function terminalView(
  { profile, driver, running }: TerminalExecutor,
  offline: OfflineReadiness,
): TerminalView {
  return {
    id: profile.id,
    deviceType: profile.deviceType,
    state: driver.state,
    offline,
    ...(driver.identity && { identity: driver.identity }),
    ...(running !== undefined && { runningReference: running }),
  };
}

/** The journal as a person sees it. */
export function journalView({ state, head }: Journal): StatusView['journal'] {
  return state.kind === 'ready'
    ? { state: 'ready', row: head.row, hash: toHex(head.hash) }
    : { state: 'unavailable', reason: state.reason, detail: state.detail };
}

/** The policy in force as a person sees it. */
export function policyView({ version, values }: PolicyInForce): StatusView['policy'] {
  return { ...(version !== undefined && { version }), values };
}

/** What the queue's view is made of. */
interface QueueViewDeps {
  readonly queue: ForwardQueue;
  readonly time: TimeFloor;
  readonly policy: SalePolicy;
  readonly terminalIds: readonly string[];
  readonly unforwarded: readonly UnforwardedSale[];
  readonly lateDeclines: readonly LateDecline[];
  isExpired(item: QueueItem): boolean;
}

/** What waits, what may still be added, and what was lost. */
export function queueView(deps: QueueViewDeps): QueueView {
  const { queue, time, terminalIds, lateDeclines, isExpired } = deps;
  const oldestAtMs = queue.oldestAtMs();
  return {
    depth: queue.depth(),
    parked: queue.parkedCount(),
    sums: sums(queue),
    oldestAgeSeconds: oldestAtMs === undefined ? 0 : Math.floor(time.ageMs(oldestAtMs) / 1_000),
    limitsLeft: terminalIds.flatMap((terminalId) => limitsLeft(deps, terminalId)),
    items: queue.items().map((item) => (isExpired(item) ? { ...item, expired: true } : item)),
    lateDeclines: lateDeclines.map(lateDeclineView),
  };
}

function lateDeclineView({ minor, fingerprint: _fingerprint, ...lateDecline }: LateDecline): LateDeclineView {
  return { ...lateDecline, amount: formatAmount({ minor, currency: lateDecline.currency }) };
}

function sums(queue: ForwardQueue): Record<string, string> {
  const minor = new Map<string, number>();
  for (const item of queue.exposure()) minor.set(item.currency, (minor.get(item.currency) ?? 0) + item.minor);
  return Object.fromEntries(
    [...minor].map(([currency, sum]) => [currency, formatAmount({ minor: sum, currency })]),
  );
}

function limitsLeft({ policy: { offline }, unforwarded }: QueueViewDeps, terminalId: string): OfflineLeft[] {
  const situation = { policy: offline, unforwarded, terminalId };
  return Object.keys(offline.limits).map((currency) => ({
    terminalId,
    currency,
    ...leftText(offlineLeft(situation, currency), currency),
    ...(offline.deferred.enabled && { deferred: leftText(deferredLeft(situation, currency), currency) }),
  }));
}

function leftText({ minor, count }: Weight, currency: string): { amount: string; count: number } {
  return { count, amount: formatAmount({ minor: twoDecimals(minor, currency), currency }) };
}

/** Amounts of the API have two decimals: what they cannot show is left out of what is promised. */
function twoDecimals(minor: number, currency: string): number {
  return minor - (minor % smallestShown(currency));
}
