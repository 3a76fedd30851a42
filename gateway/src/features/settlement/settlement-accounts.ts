import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { newId } from '../../kernel/store/new-id.js';
import { CommitConflict, type Store } from '../../kernel/store/store.js';
import type { SettlementAccount } from './rules/account.js';
import { type FeeSchedule, STANDARD_FEES } from './rules/fees.js';

/** What accounts are looked up with. */
export interface AccountDeps {
  readonly store: Pick<Store, 'get' | 'commit'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly random: Random;
}

/** Accounts that are remembered; beyond it all are forgotten. */
const MAX_KNOWN = 10_000;

/** The accounts of entities, each looked up once. For one piece of work: what is changed meanwhile counts for the next. */
export class SettlementAccounts {
  readonly #deps: AccountDeps;
  readonly #known = new Map<string, Promise<SettlementAccount | undefined>>();

  constructor(deps: AccountDeps) {
    this.#deps = deps;
  }

  /** The account of an entity; undefined for an unknown one. @throws StoreUnavailableError */
  of(entityId: string): Promise<SettlementAccount | undefined> {
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    const known = this.#known.get(entityId) ?? this.#lookUp(entityId);
    this.#known.set(entityId, known);
    return known;
  }

  async #lookUp(entityId: string): Promise<SettlementAccount | undefined> {
    const { store } = this.#deps;
    const entity = await store.get('entities', [entityId]);
    if (!entity || (entity.kind !== 'merchant' && entity.kind !== 'channel')) return undefined;
    const merchantId = entity.parentId ?? entity.id;
    const row = await store.get('settlementAccounts', [merchantId]);
    const above = row?.aboveId == null ? undefined : await store.get('entities', [row.aboveId]);
    const division = above?.kind === 'division' ? above : undefined;
    return {
      entityId,
      entityName: entity.name,
      merchantId,
      pspId: division?.parentId ?? above?.id ?? (await standardPsp(this.#deps)),
      ...(division && { divisionId: division.id }),
      clearingMerchantId: row?.clearingMerchantId ?? `INT-${merchantId.slice(0, 12)}`,
      currency: row?.currency ?? null,
      fees: row?.fees == null ? STANDARD_FEES : (JSON.parse(row.fees) as FeeSchedule),
    };
  }
}

/** The PSP of merchants that stand under no other; made when it is first needed. @throws StoreUnavailableError */
async function standardPsp({ store, clock, random }: AccountDeps): Promise<string> {
  const known = await store.get('settings', ['psp']);
  if (known) return known.value;
  const id = newId(random);
  try {
    await store.commit([
      { op: 'insert', table: 'settings', row: { name: 'psp', value: id, version: 1 } },
      {
        op: 'insert',
        table: 'entities',
        row: {
          id,
          kind: 'psp',
          parentId: null,
          name: 'PSP of this gateway',
          compatibility: 'specification',
          createdAtMs: clock.nowMs(),
          version: 1,
        },
      },
    ]);
    return id;
  } catch (error) {
    if (!(error instanceof CommitConflict)) throw error;
    // Another one was faster.
    return standardPsp({ store, clock, random });
  }
}
