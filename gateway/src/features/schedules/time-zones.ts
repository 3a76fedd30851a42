import type { Store } from '../../kernel/store/store.js';

/** Time zone of entities that have none of their own. */
const DEFAULT_TIME_ZONE = 'UTC';

/** The time zone of an entity: its own, else that of its merchant, else UTC. IANA name. @throws StoreUnavailableError */
export async function timeZoneOf(store: Pick<Store, 'get'>, entityId: string): Promise<string> {
  const own = await store.get('timeZones', [entityId]);
  if (own) return own.timeZone;
  const merchantId = (await store.get('entities', [entityId]))?.parentId;
  const ofMerchant = merchantId ? await store.get('timeZones', [merchantId]) : undefined;
  return ofMerchant?.timeZone ?? DEFAULT_TIME_ZONE;
}

/** Sets the time zone of an entity. Schedules that stand keep theirs. @throws StoreUnavailableError, CommitConflict */
export async function setTimeZone(
  store: Pick<Store, 'get' | 'commit'>,
  entityId: string,
  timeZone: string,
): Promise<void> {
  const stored = await store.get('timeZones', [entityId]);
  const row = { entityId, timeZone, version: stored?.version ?? 1 };
  await store.commit([{ op: stored ? 'update' : 'insert', table: 'timeZones', row }]);
}
