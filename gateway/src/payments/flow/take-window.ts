import type { Change } from '../../store/store.js';
import { OutsidePolicyError, type PaymentRequest } from '../decide/requests.js';
import { policyOf } from '../find/policy-of.js';
import { intoWindow } from '../policy/offline-window.js';
import type { PaymentContext } from './payment-context.js';

/**
 * The change that counts an offline record against its store's count and sum; it belongs into the commit of the record's intent.
 * @throws OutsidePolicyError beyond them: the record is parked, and a person decides
 */
export async function takeWindow(
  { store, clock }: PaymentContext,
  { origin, offline, amount }: PaymentRequest,
): Promise<Change[]> {
  // What a person wants tried counts for nothing.
  if (!offline || offline.ageAccepted || origin.kind === 'rest') return [];
  const { agentId, terminalId, messageId, entityId } = origin;
  // Reversed before it came: it is refused for that.
  if (await store.get('tombstones', [agentId, messageId])) return [];
  const [window, policy] = await Promise.all([
    store.get('offlineWindows', [agentId, terminalId]),
    policyOf(store, entityId),
  ]);
  const verdict = intoWindow(window, offline, amount, clock.nowMs(), policy);
  if (verdict.kind === 'broken') throw new OutsidePolicyError(verdict.limit);
  const row = { agentId, terminalId, ...verdict.window, version: window?.version ?? 1 };
  return [{ op: window ? 'update' : 'insert', table: 'offlineWindows', row }];
}
