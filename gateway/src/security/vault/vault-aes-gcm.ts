import { withSecret } from '@tillbridge/wire/bytes.js';
import { present } from '@tillbridge/wire/present.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { newTimeOrderedId } from '../../kernel/store/new-id.js';
import type { VaultRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import type { AccountData } from '../module/security-module.js';
import { vaultContext } from './contexts.js';
import { type DataKeys, type Vault, VaultError, type VaultOwner } from './vault.js';

/** When the rule of retention first looks at a row, in milliseconds: a declined payment needs its card no longer (docs/vault.md). */
export const FIRST_LOOK_MS = 3 * 24 * 3_600_000;

/** What a vault needs. */
interface VaultOptions {
  readonly dataKeys: DataKeys;
  readonly store: Pick<Store, 'get'>;
  readonly random: Random;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** Card data sealed with AES-256-GCM; entity, vault id and data key are bound to each row. */
export class AesGcmVault implements Vault {
  readonly #options: VaultOptions;

  constructor(options: VaultOptions) {
    this.#options = options;
  }

  seal(account: AccountData, { entityId, intentId }: VaultOwner): VaultRow {
    const { dataKeys, random, clock } = this.#options;
    const createdAtMs = clock.nowMs();
    const id = newTimeOrderedId(random, createdAtMs);
    const { pan, expiryYear, expiryMonth, holder } = account;
    const clear = Buffer.from(JSON.stringify([pan, expiryYear, expiryMonth, holder ?? null]));
    const sealed = withSecret(clear, () => dataKeys.seal(vaultContext({ entityId, id }), clear));
    return {
      id,
      entityId,
      intentId,
      ...sealed,
      dueAtMs: createdAtMs + FIRST_LOOK_MS,
      createdAtMs,
      version: 1,
    };
  }

  async open(vaultId: string, entityId: string): Promise<AccountData> {
    const { dataKeys, store } = this.#options;
    const row = await store.get('vault', [vaultId]);
    if (row === undefined) throw new VaultError('the vault has no such entry');
    const loading = dataKeys.load(row.keyId);
    if (loading) await loading;
    return withSecret(dataKeys.open(vaultContext({ entityId, id: row.id }), row), parse);
  }
}

function parse(clear: Buffer): AccountData {
  type Stored = [pan: string, expiryYear: string, expiryMonth: string, holder: string | null];
  const [pan, expiryYear, expiryMonth, holder] = JSON.parse(clear.toString('utf8')) as Stored;
  return { pan, expiryYear, expiryMonth, ...present({ holder }) };
}
