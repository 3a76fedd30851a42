import type { KeyObject } from 'node:crypto';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import type { TokenRight } from '../../kernel/api/token-rights.js';
import { auditOf } from '../../kernel/audit/audit.js';
import { OperatorError } from '../../kernel/errors/operator-error.js';
import { accessTokenHash } from '../../kernel/http/request/access-token-hash.js';
import { allRows } from '../../kernel/store/all-rows.js';
import { newId } from '../../kernel/store/new-id.js';
import type { TokenRow } from '../../kernel/store/rows.js';
import type { Change, Store } from '../../kernel/store/store.js';
import { newAccessToken, openAccessToken, sealAccessToken } from '../../security/tokens/access-tokens.js';

/** What tokens are made with. */
export interface TokenDeps {
  readonly store: Store;
  readonly tokenKey: KeyObject;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly random: Random;
  /** Who does it, for the record. */
  readonly actor: Actor;
}

/** A person who works with tokens. */
interface Actor {
  readonly name: string;
  /** May see tokens in clear again. */
  readonly maySeeTokens: boolean;
}

/** A token as it is given out, in clear. */
interface IssuedToken {
  readonly id: string;
  readonly token: string;
}

/** What a new token is to be. */
interface TokenAbout {
  readonly entityId: string;
  readonly label: string;
  readonly rights: readonly TokenRight[];
}

/** A row for a token. */
export function tokenRow(
  deps: Pick<TokenDeps, 'tokenKey' | 'clock' | 'random'>,
  token: string,
  about: TokenAbout & Pick<TokenRow, 'merchantId'>,
): TokenRow {
  return tokenRowWithId(deps, newId(deps.random), token, about);
}

/** A row for a token whose id is given. */
export function tokenRowWithId(
  { tokenKey, clock, random }: Pick<TokenDeps, 'tokenKey' | 'clock' | 'random'>,
  id: string,
  token: string,
  about: Parameters<typeof tokenRow>[2],
): TokenRow {
  return {
    id,
    sealed: sealAccessToken(tokenKey, id, token, random),
    hash: accessTokenHash(tokenKey, token),
    entityId: about.entityId,
    merchantId: about.merchantId,
    label: about.label,
    rights: JSON.stringify(about.rights),
    createdAtMs: clock.nowMs(),
    lastUsedAtMs: null,
    revokedAtMs: null,
    version: 1,
  };
}

/** Issues a token for an entity. @throws OperatorError for an unknown entity */
export async function createToken(deps: TokenDeps, about: TokenAbout): Promise<IssuedToken> {
  const entity = await deps.store.get('entities', [about.entityId]);
  if (!entity) throw new OperatorError(`there is no entity ${about.entityId}: "entity list" shows them`);
  if (entity.kind === 'psp' || entity.kind === 'division')
    throw new OperatorError(`${entity.id} is a ${entity.kind}: tokens are issued to merchants and channels`);
  const token = newAccessToken(deps.random);
  const row = tokenRow(deps, token, { ...about, merchantId: entity.parentId ?? entity.id });
  await deps.store.commit([{ op: 'insert', table: 'tokens', row }, auditOfToken(deps, 'create', row)]);
  return { id: row.id, token };
}

/** Issues a token with the same rights and revokes the old one, both in one commit. @throws OperatorError */
export async function rotateToken(deps: TokenDeps, id: string): Promise<IssuedToken> {
  const old = await validToken(deps.store, id);
  const token = newAccessToken(deps.random);
  const { entityId, merchantId, label } = old;
  const rights = JSON.parse(old.rights) as TokenRight[];
  const row = tokenRow(deps, token, { entityId, merchantId, label, rights });
  await deps.store.commit([
    { op: 'update', table: 'tokens', row: { ...old, revokedAtMs: deps.clock.nowMs() } },
    { op: 'insert', table: 'tokens', row },
    auditOfToken(deps, 'rotate', old, { newId: row.id }),
  ]);
  return { id: row.id, token };
}

/** Revokes a token: it is refused from the next request on. @throws OperatorError */
export async function revokeToken(deps: TokenDeps, id: string): Promise<void> {
  const row = { ...(await validToken(deps.store, id)), revokedAtMs: deps.clock.nowMs() };
  await deps.store.commit([{ op: 'update', table: 'tokens', row }, auditOfToken(deps, 'revoke', row)]);
}

/** A token in clear again, for those who may see it; that they saw it is on record before they do. @throws OperatorError */
export async function showToken(deps: TokenDeps, id: string): Promise<IssuedToken> {
  if (!deps.actor.maySeeTokens) throw new OperatorError(`${deps.actor.name} may not see tokens`);
  const row = await validToken(deps.store, id);
  if (row.sealed === null) throw new OperatorError(`token ${id} was made without a copy to show: rotate it`);
  const token = openAccessToken(deps.tokenKey, id, row.sealed);
  await deps.store.commit([auditOfToken(deps, 'show', row)]);
  return { id, token };
}

/** The record of what was done with a token, and by whom. */
function auditOfToken(
  deps: TokenDeps,
  command: 'create' | 'rotate' | 'revoke' | 'show',
  { id, entityId, rights }: TokenRow,
  more: Readonly<Record<string, string>> = {},
): Change {
  const detail = { entityId, rights: JSON.parse(rights) as TokenRight[], ...more };
  return auditOf(deps, { actor: deps.actor.name, action: `token ${command}`, subject: id, detail });
}

/** A token as lists show it: nothing that stands for it. */
type ListedToken = Omit<TokenRow, 'hash' | 'sealed' | 'version' | 'rights'> & {
  readonly rights: readonly TokenRight[];
};

/** All tokens, without what stands for them. */
export async function listTokens(store: Store): Promise<readonly ListedToken[]> {
  const tokens = await allRows(store, 'tokens');
  return tokens.map(({ hash: _hash, sealed: _sealed, version: _version, rights, ...shown }) => ({
    ...shown,
    rights: JSON.parse(rights) as TokenRight[],
  }));
}

async function validToken(store: Store, id: string): Promise<TokenRow> {
  const row = await store.get('tokens', [id]);
  if (!row) throw new OperatorError(`there is no token with the id ${id}: "token list" shows them`);
  if (row.revokedAtMs !== null) throw new OperatorError(`token ${id} is revoked already`);
  return row;
}
