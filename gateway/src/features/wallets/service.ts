import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { withSecret } from '@tillbridge/wire/bytes.js';
import { isTestRoot } from '@tillbridge/wire/crypto/wallets/test-roots.js';
import type { WalletName } from '@tillbridge/wire/payment/wallet-names.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { auditOf } from '../../kernel/audit/audit.js';
import { OperatorError } from '../../kernel/errors/operator-error.js';
import { allRows } from '../../kernel/store/all-rows.js';
import type { WalletKeyRow, WalletRootRow } from '../../kernel/store/rows.js';
import type { Change, Store } from '../../kernel/store/store.js';
import type { DataKeys } from '../../security/vault/vault.js';
import { walletKeyRow } from '../../security/wallets/wallet-keys.js';
import { readWalletRoot, walletRootRow } from '../../security/wallets/wallet-roots.js';

/** What the commands on wallets work with. */
interface WalletDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly random: Random;
  readonly actor: string;
}

/** The same with what seals private keys. */
export interface WalletKeyCommandDeps extends WalletDeps {
  readonly dataKeys: DataKeys;
}

/** Keys of one entity and wallet at most, ended ones included. */
const MAX_WALLET_KEYS = 16;

/** A key pair as people see it. */
export type WalletKeyView = Pick<
  WalletKeyRow,
  'id' | 'entityId' | 'wallet' | 'merchantIdentifier' | 'publicKey'
> & {
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  /** Rotated: until when it still opens tokens. */
  readonly endsAt?: string;
};

/** What of a key pair is shown: never the private key, not even sealed. */
export function walletKeyView({ createdAtMs, endsAtMs, ...row }: WalletKeyRow): WalletKeyView {
  const { id, entityId, wallet, merchantIdentifier, publicKey } = row;
  const named = { id, entityId, wallet, merchantIdentifier, publicKey };
  return {
    ...named,
    createdAt: new Date(createdAtMs).toISOString(),
    ...(endsAtMs !== null && { endsAt: new Date(endsAtMs).toISOString() }),
  };
}

/** All key pairs, or those of an entity. @throws StoreUnavailableError */
export async function walletKeys(store: Store, entityId?: string): Promise<readonly WalletKeyRow[]> {
  const rows = await allRows(store, 'walletKeys');
  return entityId === undefined ? rows : rows.filter((row) => row.entityId === entityId);
}

/** What a new key pair is for. */
interface NewWalletKey {
  readonly entityId: string;
  readonly wallet: WalletName;
  /** The merchant as the wallet knows it. */
  readonly merchantIdentifier: string;
  /** Private key, PEM; absent: a fresh one. */
  readonly pem?: Buffer;
}

/**
 * Makes the first key pair of an entity and wallet, or takes one in that exists.
 * @throws OperatorError when there is one already, or the key cannot be used
 */
export async function createWalletKey(
  deps: WalletKeyCommandDeps,
  requested: NewWalletKey,
): Promise<WalletKeyRow> {
  const { entityId, wallet } = requested;
  if (!(await deps.store.get('entities', [entityId])))
    throw new OperatorError(`there is no entity ${entityId}: "entity list" shows them`);
  const known = await inPlace(deps.store, entityId, wallet);
  if (known) throw new OperatorError(`${entityId} has a key of ${wallet}: "wallets rotate" replaces it`);
  const row = withSecret(privateKeyBytes(requested.pem), (pkcs8) => walletKeyRow(deps, requested, pkcs8));
  await commitWithAudit(deps, requested.pem ? 'import' : 'create', row, [insertion(row)]);
  return row;
}

/**
 * Puts a new key pair in the place of the one that an entity has. The old one opens tokens for a time: the wallet needs it to learn the new one.
 * @throws OperatorError when there is none, or there are {@link MAX_WALLET_KEYS}
 */
export async function rotateWalletKey(
  deps: WalletKeyCommandDeps,
  {
    entityId,
    wallet,
    keepOldMs,
    pem,
  }: Omit<NewWalletKey, 'merchantIdentifier'> & { readonly keepOldMs: number },
): Promise<WalletKeyRow> {
  const { store, clock } = deps;
  const old = await inPlace(store, entityId, wallet);
  if (!old) throw new OperatorError(`${entityId} has no key of ${wallet}: "wallets create" makes one`);
  const { length } = await store.find('walletKeys', 'entity', [entityId, wallet]);
  if (length >= MAX_WALLET_KEYS)
    throw new OperatorError(`${entityId} has ${length} keys of ${wallet}, the most: "wallets remove" some`);
  const row = withSecret(privateKeyBytes(pem), (pkcs8) => walletKeyRow(deps, old, pkcs8));
  const ending: WalletKeyRow = { ...old, endsAtMs: clock.nowMs() + keepOldMs };
  await commitWithAudit(deps, 'rotate', row, [
    { op: 'update', table: 'walletKeys', row: ending },
    insertion(row),
  ]);
  return row;
}

/** Deletes a key pair: no token for it is opened any more. @throws OperatorError */
export async function removeWalletKey(deps: WalletDeps, id: string): Promise<WalletKeyRow> {
  const row = await deps.store.get('walletKeys', [id]);
  if (!row) throw new OperatorError(`there is no key ${id}: "wallets list" shows them`);
  const { version } = row;
  await commitWithAudit(deps, 'remove', row, [{ op: 'delete', table: 'walletKeys', key: [id], version }]);
  return row;
}

/** Trusts a root. @throws OperatorError when the file holds none; a published test root in live mode */
export async function addWalletRoot(
  deps: WalletDeps,
  root: {
    readonly wallet: WalletName;
    readonly label: string;
    readonly pem: Buffer;
    readonly mode: 'test' | 'live';
  },
): Promise<WalletRootRow> {
  const { wallet, label, mode } = root;
  const der = rootOf(root);
  if (mode === 'live' && isTestRoot(der))
    throw new OperatorError('this is a published test root: live mode does not trust it');
  const row = walletRootRow(wallet, der, label, deps.clock.nowMs());
  if (await deps.store.get('walletRoots', [wallet, row.id]))
    throw new OperatorError(`${wallet} has this root already: ${row.id}`);
  const detail = { wallet, label };
  await deps.store.commit([
    { op: 'insert', table: 'walletRoots', row },
    auditOf(deps, { actor: deps.actor, action: 'wallets roots add', subject: row.id, detail }),
  ]);
  return row;
}

/** Trusts a root no more. @throws OperatorError */
export async function removeWalletRoot(
  deps: WalletDeps,
  wallet: WalletName,
  id: string,
): Promise<WalletRootRow> {
  const row = await deps.store.get('walletRoots', [wallet, id]);
  if (!row) throw new OperatorError(`${wallet} has no root ${id}: "wallets roots list" shows them`);
  await deps.store.commit([
    { op: 'delete', table: 'walletRoots', key: [wallet, id], version: row.version },
    auditOf(deps, { actor: deps.actor, action: 'wallets roots remove', subject: id, detail: { wallet } }),
  ]);
  return row;
}

async function inPlace(
  store: Store,
  entityId: string,
  wallet: WalletName,
): Promise<WalletKeyRow | undefined> {
  const rows = await store.find('walletKeys', 'entity', [entityId, wallet]);
  return rows.find(({ endsAtMs }) => endsAtMs === null);
}

/** PKCS#8 DER; the caller wipes it. @throws OperatorError */
function privateKeyBytes(pem: Buffer | undefined): Buffer {
  if (!pem)
    return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
      format: 'der',
      type: 'pkcs8',
    });
  return withSecret(pem, () => {
    const key = privateKeyIn(pem);
    if (key?.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
      throw new OperatorError('the file holds no private key on P-256 in PEM');
    return key.export({ format: 'der', type: 'pkcs8' });
  });
}

function privateKeyIn(pem: Buffer): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    // The error of the library might quote the file.
    return undefined;
  }
}

function rootOf({ wallet, pem }: { readonly wallet: WalletName; readonly pem: Buffer }): Buffer {
  try {
    return readWalletRoot(wallet, pem);
  } catch {
    const expected = wallet === 'walletA' ? 'a certificate' : 'a public key';
    throw new OperatorError(`the file holds no root of ${wallet}: expected ${expected} in PEM`);
  }
}

function insertion(row: WalletKeyRow): Change {
  return { op: 'insert', table: 'walletKeys', row };
}

async function commitWithAudit(
  deps: WalletDeps,
  step: string,
  { id, entityId, wallet }: WalletKeyRow,
  changes: readonly Change[],
): Promise<void> {
  const entry = { actor: deps.actor, action: `wallets ${step}`, subject: id, detail: { entityId, wallet } };
  await deps.store.commit([...changes, auditOf(deps, entry)]);
}
