import { MAX_CHANNELS } from '../../../core/entities/entities.js';
import type { Store } from '../../../kernel/store/store.js';
import type { SettlementAccount } from '../rules/account.js';
import type { ImportedRow } from '../rules/import-row.js';
import { type AccountDeps, SettlementAccounts } from '../settlement-accounts.js';

/** What {@link RowAccounts} looks up with. */
export interface RowAccountDeps extends AccountDeps {
  readonly store: Pick<Store, 'get' | 'find' | 'commit'>;
}

/** Numbers at clearing institutes, and merchants, that are remembered; beyond it all are forgotten. */
const MAX_KNOWN = 10_000;

/** Whose the rows of a file are, each account looked up once. */
export class RowAccounts {
  readonly #store: RowAccountDeps['store'];
  readonly #accounts: SettlementAccounts;
  readonly #byNumber = new Map<string, Promise<string | undefined>>();
  readonly #entities = new Map<string, Promise<readonly string[]>>();

  constructor(deps: RowAccountDeps) {
    this.#store = deps.store;
    this.#accounts = new SettlementAccounts(deps);
  }

  /**
   * The account of a row: by its own id, else by the merchant's number at the clearing institute, where one merchant alone has it.
   * @returns undefined where no entity has it
   * @throws StoreUnavailableError
   */
  async of({
    accountId,
    detail,
  }: Pick<ImportedRow, 'accountId' | 'detail'>): Promise<SettlementAccount | undefined> {
    const number = detail.clearingMerchantId;
    const id = accountId ?? (await remembered(this.#byNumber, number, () => this.#merchantOf(number)));
    return id === undefined ? undefined : this.#accounts.of(id);
  }

  /** A merchant and its channels: whose payments its rows may be about. @throws StoreUnavailableError */
  entitiesOf(merchantId: string): Promise<readonly string[]> {
    return remembered(this.#entities, merchantId, async () => {
      const options = { limit: MAX_CHANNELS };
      const channels = await this.#store.find('entities', 'parent', [merchantId], options);
      return [merchantId, ...channels.map(({ id }) => id)];
    });
  }

  async #merchantOf(number: string): Promise<string | undefined> {
    const options = { limit: 2 };
    const [row, ...more] = await this.#store.find('settlementAccounts', 'clearing', [number], options);
    return more.length === 0 ? row?.entityId : undefined;
  }
}

function remembered<T>(known: Map<string, Promise<T>>, key: string, look: () => Promise<T>): Promise<T> {
  const before = known.get(key);
  if (before) return before;
  if (known.size >= MAX_KNOWN) known.clear();
  const looking = look();
  known.set(key, looking);
  return looking;
}
