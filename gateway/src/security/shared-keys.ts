import type { KeyObject } from 'node:crypto';
import { toHex } from '@tillbridge/wire/bytes.js';
import type { SettingName } from '../kernel/store/rows.js';
import { CommitConflict, type Store } from '../kernel/store/store.js';
import type { GatewayIdentity } from './keys/gateway-identity.js';
import { keyedFingerprint } from './tokens/fingerprint.js';

/** A key of this node is not that of the database: the message names its file. Exit code 2. */
export class SharedKeyError extends Error {
  override readonly name = 'SharedKeyError';
}

/** A key that all nodes on one database have. */
export interface SharedKey {
  /** As the database knows it. */
  readonly name: string;
  readonly file: string;
  /** Made of the key; reveals nothing of it. */
  readonly check: string;
  /** The check of the key that takes its place when it is rotated. */
  readonly nextCheck?: string;
}

/** A symmetric key of a file. */
export function sharedKey(name: string, file: string, key: KeyObject): SharedKey {
  return { name, file, check: keyedFingerprint(key)('shared key', name) };
}

/** The identity, which its backup may follow. */
export function sharedIdentity(
  file: string,
  { identityKeys: [current, backup] }: GatewayIdentity,
): SharedKey {
  return { name: 'gateway-identity', file, check: toHex(current), nextCheck: toHex(backup) };
}

/**
 * Records the keys of a database, or checks that they are these: a node with others would take tokens for unknown ones, open nothing of what
 * the others have sealed, and be a stranger to their agents.
 * @throws SharedKeyError, StoreUnavailableError
 */
export async function claimKeys(
  store: Pick<Store, 'get' | 'commit'>,
  keys: readonly SharedKey[],
): Promise<void> {
  for (const key of keys) await claimKey(store, key);
}

async function claimKey(store: Pick<Store, 'get' | 'commit'>, key: SharedKey): Promise<void> {
  const name: SettingName = `key/${key.name}`;
  const value = [key.check, ...(key.nextCheck === undefined ? [] : [key.nextCheck])].join(' ');
  const stored = await store.get('settings', [name]);
  if (stored?.value === value) return;
  const [, next] = stored?.value.split(' ') ?? [];
  // A rotation has put the backup in its place.
  if (stored && next !== key.check)
    throw new SharedKeyError(
      `${key.file} is not the key that this database was used with: all gateways on one database need the same files in "keys"; mount or copy that folder, then start again`,
    );
  const row = { name, value, version: stored?.version ?? 1 };
  try {
    await store.commit([{ op: stored ? 'update' : 'insert', table: 'settings', row }]);
  } catch (error) {
    // Another node recorded its keys first: those count.
    if (error instanceof CommitConflict) return claimKey(store, key);
    throw error;
  }
}
