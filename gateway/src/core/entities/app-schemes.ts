import { OperatorError } from '../../kernel/errors/operator-error.js';
import type { Store } from '../../kernel/store/store.js';
import { requireEntity } from './entities.js';

/** Schemes of one entity at most. */
const MAX_SCHEMES = 20;

/**
 * A scheme that an app may have for itself: a name in reverse, as RFC 8252 §7.1 demands. Those of browsers and systems, such as `javascript`,
 * `ms-msdt` and `shell`, have no dot.
 */
const APP_SCHEME = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+$/;

/** The schemes of apps that an entity's shoppers may be sent back to: its own, else its merchant's. @throws StoreUnavailableError */
export async function appSchemesOf(store: Pick<Store, 'get'>, entityId: string): Promise<readonly string[]> {
  const own = await store.get('appSchemes', [entityId]);
  if (own) return JSON.parse(own.schemes) as readonly string[];
  const parentId = (await store.get('entities', [entityId]))?.parentId;
  const parent = parentId ? await store.get('appSchemes', [parentId]) : undefined;
  return parent ? (JSON.parse(parent.schemes) as readonly string[]) : [];
}

/**
 * Puts schemes in the place of those that an entity has; none: its shoppers are sent back to the web alone.
 * @throws OperatorError for an unknown entity, or a scheme that no app has for itself
 */
export async function setAppSchemes(store: Store, entityId: string, named: readonly string[]): Promise<void> {
  await requireEntity(store, entityId);
  const schemes = [...new Set(named.map((scheme) => scheme.toLowerCase()))];
  const wrong = schemes.find((scheme) => !APP_SCHEME.test(scheme));
  if (wrong !== undefined)
    throw new OperatorError(
      `${wrong} is no scheme of an app: it is a name in reverse, such as com.example.shop`,
    );
  if (schemes.length > MAX_SCHEMES) throw new OperatorError(`an entity has ${MAX_SCHEMES} schemes at most`);
  const stored = await store.get('appSchemes', [entityId]);
  const row = { entityId, schemes: JSON.stringify(schemes), version: stored?.version ?? 1 };
  await store.commit([{ op: stored ? 'update' : 'insert', table: 'appSchemes', row }]);
}
