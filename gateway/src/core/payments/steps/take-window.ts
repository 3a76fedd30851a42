import type { Change } from '../../../kernel/store/store.js';
import { policyOf } from '../lookup/policy-of.js';
import { intoWindow } from '../policy/offline-window.js';
import type { PaymentRequest } from '../rules/requests.js';
import type { PaymentContext } from './payment-context.js';

/** The changes that count a record, or the limit that it breaks. */
interface WindowChanges {
  readonly changes: readonly Change[];
  readonly broken?: string;
}

/** The change that counts an offline record against its store's count and sum; it belongs into the commit of the record's intent. */
export async function takeWindow(
  { store, clock, windowLimits }: PaymentContext,
  { origin, offline, amount }: PaymentRequest,
): Promise<WindowChanges> {
  // What a person wants tried counts for nothing.
  if (!offline || offline.ageAccepted || origin.kind === 'rest') return { changes: [] };
  const { agentId, terminalId, messageId, entityId, provenAtMs } = origin;
  const [window, policy] = await Promise.all([
    store.get('offlineWindows', [agentId, terminalId]),
    policyOf(store, entityId),
  ]);
  const verdict = intoWindow(
    window,
    offline,
    amount,
    { nowMs: clock.nowMs(), provenAtMs },
    policy,
    windowLimits,
  );
  if (verdict.kind === 'broken') {
    // Reversed before it came: it is refused for that.
    const isReversed = await store.get('tombstones', [agentId, messageId]);
    return { changes: [], ...(!isReversed && { broken: verdict.limit }) };
  }
  const row = { agentId, terminalId, ...verdict.window, version: window?.version ?? 1 };
  return { changes: [{ op: window ? 'update' : 'insert', table: 'offlineWindows', row }] };
}
