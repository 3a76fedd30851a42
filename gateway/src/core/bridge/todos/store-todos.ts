import type { StoreTodos } from '@tillbridge/wire/bridge/messages.js';
import { alertId } from '../../../kernel/alerts/alert-changes.js';
import type { Store } from '../../../kernel/store/store.js';

/** An envelope has room for more; a store with more of them has another problem. */
const MAX_TODOS = 50;

/**
 * What a person has to do at the gateway before sales of an agent's devices are taken again: the open alerts about refused devices, each with its
 * command. @throws StoreUnavailableError
 */
export async function storeTodos(
  store: Pick<Store, 'get'>,
  agentId: string,
  terminalIds: readonly string[],
): Promise<StoreTodos> {
  const alerts = await Promise.all(
    terminalIds.map(async (terminalId) => {
      const alert = await store.get('alerts', [alertId('device-refused', `${agentId}/${terminalId}`)]);
      return alert?.state === 'open' ? [{ terminalId, sinceMs: alert.sinceMs, reason: alert.detail }] : [];
    }),
  );
  return { todos: alerts.flat().slice(0, MAX_TODOS) };
}
