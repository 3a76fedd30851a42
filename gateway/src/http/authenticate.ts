import type { KeyObject } from 'node:crypto';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import { accessTokenHash, type TokenRight } from '../security/access-tokens.js';
import type { TokenRow } from '../store/rows.js';
import type { Store } from '../store/store.js';
import { RequestRefused } from './envelope.js';

/** What authentication needs. */
export interface AuthenticationDeps {
  readonly store: Store;
  readonly tokenKey: KeyObject;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** Codes of refused authentication (reference §4). */
const INVALID = '800.900.300';
const NO_RIGHT = '800.900.301';

/** How often the last use of a token is written, at most. */
const LAST_USE_STEP_MS = 3_600_000;

/** RFC 6750: the scheme in any case, then a token68. */
const BEARER = /^bearer +([A-Za-z0-9._~+/-]{1,512}=*)$/i;

/**
 * The token of a request.
 * @throws RequestRefused 401 for a header of the wrong form, 403 for a token that is not ours, revoked or without the right (spec 5)
 */
export async function authenticate(
  deps: AuthenticationDeps,
  header: string | undefined,
  right: TokenRight,
): Promise<TokenRow> {
  const token = await tokenOf(deps, header);
  if (!(JSON.parse(token.rights) as string[]).includes(right)) throw new RequestRefused(403, NO_RIGHT);
  noteUse(deps, token);
  return token;
}

/**
 * The valid token of a request, whatever its rights.
 * @throws RequestRefused 401 for a header of the wrong form, 403 for a token that is not ours or revoked (spec 5)
 */
export async function tokenOf(
  { store, tokenKey }: Pick<AuthenticationDeps, 'store' | 'tokenKey'>,
  header: string | undefined,
): Promise<TokenRow> {
  const presented = BEARER.exec(header ?? '')?.[1];
  if (presented === undefined) throw new RequestRefused(401, INVALID);
  const [token] = await store.find('tokens', 'hash', [accessTokenHash(tokenKey, presented)]);
  if (!token || token.revokedAtMs !== null) throw new RequestRefused(403, INVALID);
  return token;
}

/**
 * May the token act for the entity: its own, or a channel of its merchant?
 * @throws RequestRefused 403
 */
export async function authorizeEntity(store: Store, token: TokenRow, entityId: string): Promise<void> {
  if (entityId === token.entityId) return;
  const entity = await store.get('entities', [entityId]);
  if (entity?.parentId !== token.entityId) throw new RequestRefused(403, NO_RIGHT);
}

/** All entities a token may act for: its own and, of a merchant, the channels. */
export async function entitiesOf(store: Store, token: TokenRow): Promise<readonly string[]> {
  return withChannels(store, token.entityId);
}

/**
 * The entities that a read looks at: the named one with its channels, or all that the token may act for.
 * @throws RequestRefused 403 for an entity that is not the token's
 */
export async function readableEntities(
  store: Store,
  token: TokenRow,
  named: string | undefined,
): Promise<readonly string[]> {
  if (named === undefined) return entitiesOf(store, token);
  await authorizeEntity(store, token, named);
  return withChannels(store, named);
}

async function withChannels(store: Store, entityId: string): Promise<readonly string[]> {
  const channels = await store.find('entities', 'parent', [entityId]);
  return [entityId, ...channels.map((channel) => channel.id)];
}

/** Writes down when a token was used, now and then; that it fails or loses a race matters to nobody. */
function noteUse({ store, clock }: AuthenticationDeps, token: TokenRow): void {
  const nowMs = clock.nowMs();
  if (nowMs - (token.lastUsedAtMs ?? 0) < LAST_USE_STEP_MS) return;
  store
    .commit([{ op: 'update', table: 'tokens', row: { ...token, lastUsedAtMs: nowMs } }])
    .catch(() => undefined);
}
