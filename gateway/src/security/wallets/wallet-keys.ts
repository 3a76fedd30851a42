import { createPublicKey } from 'node:crypto';
import { merchantPrivateKey } from '@tillbridge/wire/crypto/wallets/ec-keys.js';
import type { WalletName } from '@tillbridge/wire/payment/wallet-names.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { newTimeOrderedId } from '../../kernel/store/new-id.js';
import type { WalletKeyRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import { walletKeyContext } from '../vault/contexts.js';
import type { DataKeys } from '../vault/vault.js';

/** What a new key is made with. */
interface WalletKeyDeps {
  readonly dataKeys: Pick<DataKeys, 'seal'>;
  readonly random: Random;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** Whose key it is. */
type WalletKeyAbout = Pick<WalletKeyRow, 'entityId' | 'wallet' | 'merchantIdentifier'>;

/**
 * The row of a key pair, its private key sealed. Nothing is written yet.
 * @param pkcs8 P-256 private key, DER; the caller wipes it
 * @throws CryptoError badArgument when it is none
 */
export function walletKeyRow(
  { dataKeys, random, clock }: WalletKeyDeps,
  about: WalletKeyAbout,
  pkcs8: Uint8Array,
): WalletKeyRow {
  const createdAtMs = clock.nowMs();
  const id = newTimeOrderedId(random, createdAtMs);
  const { keyId, sealed } = dataKeys.seal(walletKeyContext({ ...about, id }), pkcs8);
  const publicKey = createPublicKey(merchantPrivateKey(pkcs8)).export({
    format: 'pem',
    type: 'spki',
  }) as string;
  return { ...about, id, publicKey, keyId, sealed, endsAtMs: null, createdAtMs, version: 1 };
}

/** The keys that open tokens for an entity now, the newest first: its own, else its merchant's. @throws StoreUnavailableError */
export async function walletKeysFor(
  store: Pick<Store, 'get' | 'find'>,
  entityId: string,
  wallet: WalletName,
  nowMs: number,
): Promise<readonly WalletKeyRow[]> {
  const own = await keysInPlace(store, entityId, wallet, nowMs);
  if (own.length > 0) return own;
  const parentId = (await store.get('entities', [entityId]))?.parentId ?? null;
  return parentId === null ? [] : keysInPlace(store, parentId, wallet, nowMs);
}

async function keysInPlace(
  store: Pick<Store, 'find'>,
  entityId: string,
  wallet: WalletName,
  nowMs: number,
): Promise<readonly WalletKeyRow[]> {
  const rows = await store.find('walletKeys', 'entity', [entityId, wallet]);
  return rows
    .filter(({ endsAtMs }) => endsAtMs === null || endsAtMs > nowMs)
    .sort((a, b) => b.createdAtMs - a.createdAtMs);
}
