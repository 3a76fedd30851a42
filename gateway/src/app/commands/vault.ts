import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { allRows } from '../../kernel/store/all-rows.js';
import { FIND_LIMIT, type Key, type Store } from '../../kernel/store/store.js';
import { keyOf } from '../../kernel/store/working-set.js';
import type { KeyEncryptionKeys } from '../../security/vault/key-encryption-keys.js';
import { Reseal } from '../../security/vault/reseal.js';
import type { StoredDataKeys } from '../../security/vault/stored-data-keys.js';

/** Most rows of a key that `status` counts. */
const MAX_COUNTED_ROWS = 100_000;
/** How often long work reports its progress, in milliseconds. */
const PROGRESS_INTERVAL_MS = 1_000;

/** What `vault status` prints. */
export interface VaultStatus {
  /** The one that wraps new data keys; absent before the first start. */
  readonly keyEncryptionKey?: {
    readonly number: number;
    readonly id: string;
    readonly kcv: string;
    readonly in: 'key store' | 'token';
  };
  /** Makes keyed hashes of card numbers; absent before the first start. */
  readonly fingerprintKey?: { readonly id: string; readonly keyEncryptionKey: number };
  readonly dataKeys: readonly {
    readonly id: string;
    readonly active: boolean;
    /** ISO 8601 UTC. */
    readonly createdAt: string;
    readonly keyEncryptionKey: number;
    /** Rows that it seals: card data, parked messages, payments that wait, keys of wallets; {@link MAX_COUNTED_ROWS} stands for that many or more. */
    readonly vaultRows: number;
    readonly parkedMessages: number;
    readonly waitingPayments: number;
    readonly walletKeys: number;
  }[];
}

/** The keys of the vault and what they seal; opens none of them. @throws StoreUnavailableError */
export async function vaultStatus(
  store: Store,
  keks: KeyEncryptionKeys,
  inFiles: KeyEncryptionKeys,
): Promise<VaultStatus> {
  const current = keks.current();
  const stored = await allRows(store, 'dataKeys');
  const rows = stored.filter(({ use }) => use === 'rows');
  const print = stored.find(({ use }) => use === 'fingerprints');
  const ids = new Set(inFiles.list().map(({ info }) => info.id));
  return {
    ...(current && {
      keyEncryptionKey: {
        number: current.number,
        id: current.info.id,
        kcv: current.info.kcv,
        in: ids.has(current.info.id) ? 'key store' : 'token',
      },
    }),
    ...(print && { fingerprintKey: { id: print.id, keyEncryptionKey: Number(print.kek) } }),
    dataKeys: await Promise.all(
      rows.map(async ({ id, active, createdAtMs, kek }) => ({
        id,
        active: active === 1,
        createdAt: new Date(createdAtMs).toISOString(),
        keyEncryptionKey: Number(kek),
        vaultRows: await countRows(store, 'vault', id),
        parkedMessages: await countRows(store, 'parked', id),
        waitingPayments: await countRows(store, 'waits', id),
        walletKeys: await countRows(store, 'walletKeys', id),
      })),
    ),
  };
}

async function countRows(
  store: Pick<Store, 'find'>,
  table: 'vault' | 'parked' | 'walletKeys' | 'waits',
  keyId: string,
): Promise<number> {
  let count = 0;
  for (let after: Key | undefined; ; ) {
    const rows = await store.find(table, 'keyId', [keyId], after && { after });
    count += rows.length;
    const last = rows.at(-1);
    if (rows.length < FIND_LIMIT || last === undefined || count >= MAX_COUNTED_ROWS) return count;
    after = keyOf(table, { ...last });
  }
}

/** What {@link resealAll} works with. */
interface ResealAllDeps {
  readonly store: Store;
  readonly keys: StoredDataKeys;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** Called from time to time with the number of rows done. */
  readonly progress: (resealed: number) => void;
}

/**
 * Seals anew all rows under retired data keys, while a gateway runs or without one. Returns how many rows.
 * @throws VaultError when rows do not open; StoreUnavailableError
 */
export async function resealAll({ store, keys, clock, progress }: ResealAllDeps): Promise<number> {
  let total = 0;
  let reportedMs = clock.monotonicMs();
  for (const { id } of keys.retired) {
    const reseal = new Reseal({ store, dataKeys: keys.ring }, id);
    for (let done = false; !done; ) {
      const step = await reseal.step();
      ({ done } = step);
      total += step.resealed;
      if (clock.monotonicMs() - reportedMs < PROGRESS_INTERVAL_MS) continue;
      reportedMs = clock.monotonicMs();
      progress(total);
    }
  }
  progress(total);
  return total;
}
