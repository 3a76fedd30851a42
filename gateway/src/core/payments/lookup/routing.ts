import { parsedColumn } from '../../../kernel/store/parsed-column.js';
import type { Store } from '../../../kernel/store/store.js';
import { channelFor, type RoutingFacts, type RoutingRule } from '../routing/routing-rules.js';
import { intentOfPayment } from './find-intent.js';

/** The rules were checked when they were set. */
const rulesOf = parsedColumn<'rules', readonly RoutingRule[]>('rules');

/**
 * The entity that a payment on its own is made for: a channel itself, a merchant without rules itself, and for a merchant with rules the
 * channel of the first rule that fits.
 * @returns undefined where no rule fits
 * @throws StoreUnavailableError
 */
export async function routedTo(
  store: Store,
  entityId: string,
  facts: RoutingFacts,
): Promise<string | undefined> {
  const routing = await store.get('routing', [entityId]);
  if (!routing) return entityId;
  const channelId = channelFor(rulesOf(routing), facts);
  return channelId !== undefined && (await isWithin(store, channelId, entityId)) ? channelId : undefined;
}

/** The entity that a payment, or one on its way, was made for; undefined for an unknown id. @throws StoreUnavailableError */
export async function ownerOf(store: Store, paymentId: string): Promise<string | undefined> {
  const payment = await store.get('payments', [paymentId]);
  if (payment) return payment.entityId;
  return (await intentOfPayment(store, paymentId))?.entityId;
}

/** Whether the entity is the other one or a channel of it. @throws StoreUnavailableError */
export async function isWithin(store: Store, entityId: string, ofEntityId: string): Promise<boolean> {
  if (entityId === ofEntityId) return true;
  return (await store.get('entities', [entityId]))?.parentId === ofEntityId;
}

/**
 * The entity that a follow-up of `entityId` acts for: of a merchant, the channel that made the payment it follows.
 * @throws StoreUnavailableError
 */
export async function actingFor(store: Store, entityId: string, followedId: string): Promise<string> {
  const owner = await ownerOf(store, followedId);
  return owner !== undefined && (await isWithin(store, owner, entityId)) ? owner : entityId;
}
