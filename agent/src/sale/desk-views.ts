import { toHex } from '@tillbridge/protocol/bytes.js';
import { formatAmount, minorDigits } from '@tillbridge/protocol/payment/money.js';
import type { ForwardQueue } from '../journal/forward-queue.js';
import type { Journal } from '../journal/journal.js';
import type { OfflineLeft, OfflineReadiness, QueueView, StatusView, TerminalView } from './desk.js';
import type { HighWater } from './high-water.js';
import { offlineLeft } from './offline-rules.js';
import type { SalePolicy } from './policy.js';
import type { TerminalLane } from './terminal-lane.js';

/** A terminal as a till sees it. */
export function terminalView(
  { profile, driver, running }: TerminalLane,
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

/** What waits, and what may still be added. */
export function queueView(
  queue: ForwardQueue,
  time: HighWater,
  policy: SalePolicy,
  terminalIds: readonly string[],
): QueueView {
  const oldestAtMs = queue.oldestAtMs();
  return {
    depth: queue.depth(),
    parked: queue.parkedCount(),
    sums: sums(queue),
    oldestAgeSeconds: oldestAtMs === undefined ? 0 : Math.floor(time.ageMs(oldestAtMs) / 1_000),
    limitsLeft: terminalIds.flatMap((terminalId) => limitsLeft(queue, policy, terminalId)),
    items: queue.items(),
  };
}

function sums(queue: ForwardQueue): Record<string, string> {
  const minor = new Map<string, number>();
  for (const item of queue.exposure()) minor.set(item.currency, (minor.get(item.currency) ?? 0) + item.minor);
  return Object.fromEntries(
    [...minor].map(([currency, sum]) => [currency, formatAmount({ minor: sum, currency })]),
  );
}

function limitsLeft(queue: ForwardQueue, { offline }: SalePolicy, terminalId: string): OfflineLeft[] {
  const exposure = queue.exposure().filter((each) => each.terminalId === terminalId);
  return Object.keys(offline.limits).map((currency) => {
    const { minor, count } = offlineLeft(offline, exposure, currency);
    return {
      terminalId,
      currency,
      count,
      amount: formatAmount({ minor: twoDecimals(minor, currency), currency }),
    };
  });
}

/** Amounts of the API have two decimals: thousandths that do not fit are left out of what is promised. */
function twoDecimals(minor: number, currency: string): number {
  const step = 10 ** Math.max(0, minorDigits(currency) - 2);
  return minor - (minor % step);
}
