import { OperatorError } from '../../kernel/errors/operator-error.js';
import type { AcquirerRoutingRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import type { AcquirerRoute } from '../payments/routing/acquirer-routes.js';
import { requireEntity } from './entities.js';

/** Which acquirer takes the payments of an entity. */
export interface AcquirerRouting {
  readonly entityId: string;
  /** Mode `test`: what the payments of terminals are. */
  readonly testMode: AcquirerRoutingRow['testMode'];
  readonly routes: readonly AcquirerRoute[];
}

/**
 * The routes of an entity as they were set; none where it has those of its merchant, or neither has any. Its test mode is that of its merchant until
 * something is set for it.
 * @throws OperatorError
 */
export async function acquirerRouting(store: Store, entityId: string): Promise<AcquirerRouting> {
  const { parentId } = await requireEntity(store, entityId);
  const stored = await store.get('acquirerRouting', [entityId]);
  const parent = stored || !parentId ? undefined : await store.get('acquirerRouting', [parentId]);
  if (!stored) return { entityId, testMode: parent?.testMode ?? 'INTERNAL', routes: [] };
  return {
    entityId,
    testMode: stored.testMode,
    routes: JSON.parse(stored.routes) as readonly AcquirerRoute[],
  };
}

/**
 * Sets what is given of the routes of an entity.
 * @param acquirers names of those that the configuration has
 * @throws OperatorError for an unknown entity, or a route to an acquirer that is not configured
 */
export async function setAcquirerRouting(
  store: Store,
  entityId: string,
  change: Partial<Pick<AcquirerRouting, 'testMode' | 'routes'>>,
  acquirers: readonly string[],
): Promise<void> {
  const known = await acquirerRouting(store, entityId);
  for (const [at, { acquirer }] of (change.routes ?? []).entries())
    if (!acquirers.includes(acquirer))
      throw new OperatorError(`rule ${at + 1}: the configuration has no acquirer ${acquirer}`);
  const stored = await store.get('acquirerRouting', [entityId]);
  const row: AcquirerRoutingRow = {
    entityId,
    testMode: change.testMode ?? known.testMode,
    routes: JSON.stringify(change.routes ?? known.routes),
    version: stored?.version ?? 1,
  };
  await store.commit([{ op: stored ? 'update' : 'insert', table: 'acquirerRouting', row }]);
}
