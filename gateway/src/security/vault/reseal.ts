import { withSecret } from '@tillbridge/wire/bytes.js';
import type { Rows } from '../../kernel/store/rows.js';
import { type Change, CommitConflict, type Key, type Store } from '../../kernel/store/store.js';
import { type AnyRow, keyOf } from '../../kernel/store/working-set.js';
import {
  adviceContext,
  checkoutContext,
  invitationContext,
  messageContext,
  paymentLinkContext,
  registrationContext,
  userContext,
  vaultContext,
  waitContext,
  walletKeyContext,
} from './contexts.js';
import { type DataKeys, type Sealed, VaultError } from './vault.js';

/** Rows of one commit: small enough to hold up no payment behind it. */
export const RESEAL_BATCH = 200;

/** What {@link Reseal} works with. */
interface ResealDeps {
  readonly store: Pick<Store, 'find' | 'commit'>;
  readonly dataKeys: DataKeys;
}

/** How one batch ended. */
interface ResealStep {
  /** Rows that were sealed anew. */
  readonly resealed: number;
  /** Whether no row names the key any more. */
  readonly done: boolean;
}

/** What the rows of each table with something sealed are bound to. */
const CONTEXTS = {
  vault: vaultContext,
  parked: messageContext,
  waits: waitContext,
  walletKeys: walletKeyContext,
  checkouts: checkoutContext,
  paymentLinks: paymentLinkContext,
  registrations: registrationContext,
  linkExchanges: adviceContext,
  users: userContext,
  userInvitations: invitationContext,
  authentications: ({ id }: Rows['authentications']) => waitContext({ paymentId: id }),
};
type SealedTable = keyof typeof CONTEXTS;
const SEALED_TABLES = Object.keys(CONTEXTS) as SealedTable[];
/** Columns with what is sealed, where it is another one than `sealed`. */
const COLUMNS: Partial<Record<SealedTable, string>> = { parked: 'message' };

/** Seals what a retired data key sealed anew under the active one, batch by batch. Nothing of it is kept in memory that a restart would miss. */
export class Reseal {
  readonly #deps: ResealDeps;
  readonly #keyId: string;
  /** Behind which row the next batch of a table begins, where rows before it do not open. */
  readonly #after = new Map<SealedTable, Key>();
  #unreadable = 0;

  constructor(deps: ResealDeps, keyId: string) {
    this.#deps = deps;
    this.#keyId = keyId;
  }

  /**
   * One batch. Rows that do not open are passed over, and named when all others are done.
   * @throws VaultError at the end of a pass that met such rows; StoreUnavailableError
   */
  async step(): Promise<ResealStep> {
    for (const table of SEALED_TABLES) {
      const resealed = await this.#batch(table);
      if (resealed !== undefined) return { resealed, done: false };
    }
    const unreadable = this.#unreadable;
    this.#unreadable = 0;
    this.#after.clear();
    if (unreadable > 0)
      throw new VaultError(
        `${unreadable} rows under data key ${this.#keyId} do not open: restore them from a backup`,
      );
    return { resealed: 0, done: true };
  }

  /** Rows that were sealed anew; undefined when the table has none left. */
  async #batch(table: SealedTable): Promise<number | undefined> {
    const after = this.#after.get(table);
    const options = { limit: RESEAL_BATCH, ...(after && { after }) };
    const made = await this.#rowsOf(table, options);
    if (made === undefined) return undefined;
    const changes = made.changes.filter((change) => change !== undefined);
    try {
      if (changes.length > 0) await this.#deps.store.commit(changes);
    } catch (error) {
      // One of the rows was changed or deleted meanwhile: the next batch reads them again.
      if (error instanceof CommitConflict) return 0;
      throw error;
    }
    this.#unreadable += made.changes.length - changes.length;
    this.#after.set(table, made.last);
    return changes.length;
  }

  async #rowsOf<T extends SealedTable>(table: T, options: FindPage): Promise<Made | undefined> {
    const contextOf = CONTEXTS[table] as (row: Rows[T]) => readonly string[];
    const column = COLUMNS[table] ?? 'sealed';
    const rows: readonly (Rows[T] & AnyRow)[] = await this.#deps.store.find(
      table,
      'keyId',
      [this.#keyId],
      options,
    );
    const changes = rows.map((row): Change | undefined => {
      const old = { keyId: this.#keyId, sealed: String(row[column] ?? '') };
      const anew = this.#anew(contextOf(row), old);
      if (!anew) return undefined;
      const resealed: Rows[T] = { ...row, [column]: anew.sealed, keyId: anew.keyId };
      return { op: 'update', table, row: resealed } as Change;
    });
    const last = rows.at(-1);
    return last && { changes, last: keyOf(table, last) };
  }

  /** The same under the active key; undefined where it does not open. */
  #anew(context: readonly string[], old: Sealed): Sealed | undefined {
    const { dataKeys } = this.#deps;
    try {
      return withSecret(dataKeys.open(context, old), (clear) => dataKeys.seal(context, clear));
    } catch (error) {
      if (error instanceof VaultError) return undefined;
      throw error;
    }
  }
}

interface FindPage {
  readonly limit: number;
  readonly after?: Key;
}

interface Made {
  readonly changes: readonly (Change | undefined)[];
  readonly last: Key;
}
