import type { StorePolicy } from '@tillbridge/wire/payment/store-policy.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { OperatorError } from '../../kernel/errors/operator-error.js';
import { allRows } from '../../kernel/store/all-rows.js';
import { newId } from '../../kernel/store/new-id.js';
import type { EntityRow, Rows } from '../../kernel/store/rows.js';
import { type Change, CommitConflict, type Store } from '../../kernel/store/store.js';
import { NO_POLICY } from '../payments/policy/store-policy.js';
import { type RoutingRule, readRoutingRules } from '../payments/routing/routing-rules.js';

/** Rows that `seed` makes where they are missing. */
type Wanted = Extract<Change, { op: 'insert' }>;

/** Channels of one merchant at most: a query by the merchant looks at all of them. */
export const MAX_CHANNELS = 500;

/** What entities are made with. */
export interface EntityDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly random: Random;
}

/** What a new entity is to be. */
interface EntityAbout {
  readonly name: string;
  /** Its merchant; absent: it is one. */
  readonly merchantId?: string;
  readonly compatibility?: EntityRow['compatibility'];
}

/** Inserts a row unless its key is taken already. @throws StoreUnavailableError */
export async function ensureRow(store: Pick<Store, 'commit'>, wanted: Wanted): Promise<void> {
  try {
    await store.commit([wanted]);
  } catch (error) {
    if (!(error instanceof CommitConflict) || error.conflict.kind !== 'unique') throw error;
  }
}

/** A merchant, or a channel of one. */
export function entityRow(
  id: string,
  name: string,
  parentId: string | null,
  nowMs: number,
  compatibility: EntityRow['compatibility'] = 'specification',
): EntityRow {
  return {
    id,
    kind: parentId === null ? 'merchant' : 'channel',
    parentId,
    name,
    compatibility,
    createdAtMs: nowMs,
    version: 1,
  };
}

/** Makes a merchant, or a channel of one. @throws OperatorError when there is no such merchant, or it has its most channels */
export async function createEntity(
  { store, clock, random }: EntityDeps,
  { name, merchantId, compatibility }: EntityAbout,
): Promise<EntityRow> {
  if (merchantId !== undefined) {
    await requireMerchant(store, merchantId);
    const { length } = await store.find('entities', 'parent', [merchantId], { limit: MAX_CHANNELS });
    if (length === MAX_CHANNELS)
      throw new OperatorError(`${merchantId} has ${MAX_CHANNELS} channels, the most`);
  }
  const row = entityRow(newId(random), name, merchantId ?? null, clock.nowMs(), compatibility);
  await store.commit([{ op: 'insert', table: 'entities', row }]);
  return row;
}

/** All entities, each merchant before its channels. */
export async function listEntities(store: Store): Promise<readonly EntityRow[]> {
  const entities = await allRows(store, 'entities');
  const families = new Map<string, EntityRow[]>();
  for (const entity of entities) if (entity.parentId === null) families.set(entity.id, [entity]);
  for (const entity of entities) if (entity.parentId !== null) families.get(entity.parentId)?.push(entity);
  return [...families.values()].flat();
}

/** The rules by which a merchant's payments are routed to its channels; none: they are not. @throws OperatorError */
export async function routingRules(store: Store, merchantId: string): Promise<readonly RoutingRule[]> {
  await requireMerchant(store, merchantId);
  const stored = await store.get('routing', [merchantId]);
  return stored ? readRoutingRules(stored.rules) : [];
}

/**
 * Puts rules in the place of those that a merchant has; no rules: its payments are not routed any more.
 * @throws OperatorError when there is no such merchant, or a rule names a channel that is not the merchant's
 */
export async function setRoutingRules(
  store: Store,
  merchantId: string,
  rules: readonly RoutingRule[],
): Promise<void> {
  await requireMerchant(store, merchantId);
  for (const [at, { channelId }] of rules.entries()) {
    const channel = await store.get('entities', [channelId]);
    if (channel?.parentId !== merchantId)
      throw new OperatorError(`rule ${at + 1}: ${channelId} is no channel of ${merchantId}`);
  }
  const stored = await store.get('routing', [merchantId]);
  const change = changeOf(merchantId, rules, stored?.version);
  if (change) await store.commit([change]);
}

function changeOf(
  merchantId: string,
  rules: readonly RoutingRule[],
  version: number | undefined,
): Change | undefined {
  const table = 'routing';
  if (rules.length === 0) {
    return version === undefined ? undefined : { op: 'delete', table, key: [merchantId], version };
  }
  const row = { merchantId, rules: JSON.stringify(rules), version: version ?? 1 };
  return { op: version === undefined ? 'insert' : 'update', table, row };
}

/** Whether 3D Secure is active for an entity. @throws OperatorError */
export async function isThreeDSecureOn(store: Store, entityId: string): Promise<boolean> {
  return (await settingOf(store, 'threeDSecureSettings', entityId))?.active === 1;
}

/** Switches 3D Secure of an entity on or off. @throws OperatorError for an unknown entity */
export async function setThreeDSecure(store: Store, entityId: string, isOn: boolean): Promise<void> {
  const stored = await settingOf(store, 'threeDSecureSettings', entityId);
  const row = { entityId, active: isOn ? 1 : 0, version: stored?.version ?? 1 } as const;
  await store.commit([{ op: stored ? 'update' : 'insert', table: 'threeDSecureSettings', row }]);
}

/** The policy of a merchant's or channel's stores, as it was set; {@link NO_POLICY} where none was. @throws OperatorError */
export async function storePolicy(store: Store, entityId: string): Promise<StorePolicy> {
  return parsed((await settingOf(store, 'storePolicies', entityId))?.policy, NO_POLICY);
}

/**
 * Sets the policy of an entity's stores. One number counts the changes of all policies: the next policy that an agent receives always has a higher
 * version, also where a channel gets its own policy.
 * @throws OperatorError for an unknown entity
 */
export async function setStorePolicy(
  { store, clock }: Pick<EntityDeps, 'store' | 'clock'>,
  entityId: string,
  wanted: Omit<StorePolicy, 'version'>,
): Promise<StorePolicy> {
  await requireEntity(store, entityId);
  const [stored, highest] = await Promise.all([
    store.get('storePolicies', [entityId]),
    store.get('settings', ['store-policies']),
  ]);
  const policy = { ...wanted, version: Number(highest?.value ?? 0) + 1 };
  const row = {
    entityId,
    policy: JSON.stringify(policy),
    updatedAtMs: clock.nowMs(),
    version: stored?.version ?? 1,
  };
  const counted = {
    name: 'store-policies',
    value: String(policy.version),
    version: highest?.version ?? 1,
  } as const;
  await store.commit([
    { op: stored ? 'update' : 'insert', table: 'storePolicies', row },
    { op: highest ? 'update' : 'insert', table: 'settings', row: counted },
  ]);
  return policy;
}

/** The entity of an id. @throws OperatorError where there is none */
export async function requireEntity(store: Store, id: string): Promise<EntityRow> {
  const entity = await store.get('entities', [id]);
  if (!entity) throw new OperatorError(`there is no entity ${id}: "entity list" shows them`);
  return entity;
}

/** What is set for an entity alone. @throws OperatorError for an unknown entity */
async function settingOf<T extends 'storePolicies' | 'threeDSecureSettings'>(
  store: Store,
  table: T,
  entityId: string,
): Promise<Rows[T] | undefined> {
  await requireEntity(store, entityId);
  return store.get(table, [entityId]);
}

function parsed<T>(json: string | undefined, absent: T): T {
  return json === undefined ? absent : (JSON.parse(json) as T);
}

async function requireMerchant(store: Store, id: string): Promise<void> {
  const entity = await requireEntity(store, id);
  if (entity.kind !== 'merchant') throw new OperatorError(`${id} is a channel, not a merchant`);
}
