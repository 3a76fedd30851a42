import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import {
  type Mode,
  modeOf,
  newCheckoutId,
  reservedCheckoutId,
} from '../../kernel/http/request/checkout-id.js';
import { decideAgain } from '../../kernel/store/decide-again.js';
import { newTimeOrderedId } from '../../kernel/store/new-id.js';
import type { CheckoutRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import type { Fingerprint } from '../../security/tokens/fingerprint.js';
import { RecentUses } from '../../security/use-limits/recent-uses.js';
import { checkoutContext } from '../../security/vault/contexts.js';
import type { RowSeal } from '../../security/vault/row-seal.js';
import { CheckoutError } from './checkout-error.js';
import type { CheckoutParameters } from './checkout-parameters.js';
import { type CardTestingLimits, CHECKOUT_LIMITS } from './rules/checkout-limits.js';
import { resultCallAtMs } from './rules/decide-post.js';

/** What {@link Checkouts} works with. */
interface CheckoutDeps {
  readonly store: Pick<Store, 'get' | 'commit'>;
  readonly seal: RowSeal;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'setTimer'>;
  readonly fingerprint: Fingerprint;
  readonly random: Random;
  readonly mode: Mode;
  readonly limits: CardTestingLimits;
}

/** What a browser posts. */
interface Posting {
  readonly posted: 'payment' | 'registration';
  /** Where the shopper goes after, where the browser sends it. */
  readonly shopperResultUrl: string | undefined;
}

/** Checkouts as they are stored: made, changed and removed by merchants, posted to by browsers. */
export class Checkouts {
  readonly #deps: CheckoutDeps;
  readonly #reads: RecentUses;
  readonly #addresses: RecentUses;

  constructor(deps: CheckoutDeps) {
    this.#deps = deps;
    const { checkoutsPerAddress: uses, windowMs } = deps.limits;
    const { statusReads, statusWindowMs } = CHECKOUT_LIMITS;
    this.#reads = new RecentUses(deps, 'status', { uses: statusReads, windowMs: statusWindowMs });
    this.#addresses = new RecentUses(deps, 'address', { uses, windowMs });
  }

  /** Payment details that a browser may send for one checkout. */
  get maxAttempts(): number {
    return this.#deps.limits.attempts;
  }

  /**
   * Makes a checkout that lives for {@link CHECKOUT_LIMITS.lifeMs}.
   * @param reservedId given out for it before: the one that was made with it is given again
   * @param neededUntilMs what was posted to it has to be known until then, in milliseconds since 1970
   * @throws StoreUnavailableError
   */
  async create(
    entityId: string,
    parameters: CheckoutParameters,
    {
      reservedId,
      neededUntilMs = 0,
    }: { readonly reservedId?: string | undefined; readonly neededUntilMs?: number } = {},
  ): Promise<CheckoutRow> {
    const { store, seal, clock, random, mode } = this.#deps;
    const id = reservedId === undefined ? newCheckoutId(random, mode) : reservedCheckoutId(reservedId, mode);
    const before = reservedId === undefined ? undefined : await store.get('checkouts', [id]);
    if (before) return before;
    const createdAtMs = clock.nowMs();
    const row: CheckoutRow = {
      id,
      entityId,
      state: 'open',
      ...seal.seal(checkoutContext({ id }), parameters),
      shopperResultUrl: null,
      attempts: 0,
      posted: null,
      postedId: null,
      postedAtMs: null,
      readAtMs: null,
      dueAtMs: null,
      leasedBy: null,
      claims: 0,
      calls: '[]',
      expiresAtMs: createdAtMs + CHECKOUT_LIMITS.lifeMs,
      keptUntilMs: Math.max(neededUntilMs, createdAtMs + CHECKOUT_LIMITS.keptMs),
      createdAtMs,
      version: 1,
    };
    await store.commit([{ op: 'insert', table: 'checkouts', row }]);
    return row;
  }

  /**
   * The checkout of an id, while it lives.
   * @param mayUse whether the caller may use those of an entity; another's is one that is not there
   * @throws CheckoutError, StoreUnavailableError
   */
  async find(
    id: string,
    mayUse: (entityId: string) => Promise<boolean> = async () => true,
  ): Promise<CheckoutRow> {
    const { store, clock, mode } = this.#deps;
    const itsMode = modeOf(id);
    if (itsMode !== undefined && itsMode !== mode) throw new CheckoutError('checkout-of-other-mode');
    const row = itsMode === undefined ? undefined : await store.get('checkouts', [id]);
    if (!row || row.state === 'removed' || !(await mayUse(row.entityId)))
      throw new CheckoutError('no-checkout');
    if (clock.nowMs() >= row.expiresAtMs) throw new CheckoutError('checkout-expired');
    return row;
  }

  /** The merchant's parameters. @throws VaultError */
  parametersOf(row: CheckoutRow): Promise<CheckoutParameters> {
    return this.#deps.seal.open(checkoutContext(row), row);
  }

  /** Puts other parameters in place. @throws CommitConflict, StoreUnavailableError */
  async change(row: CheckoutRow, parameters: CheckoutParameters): Promise<void> {
    await this.#update({ ...row, ...this.#deps.seal.seal(checkoutContext(row), parameters) });
  }

  /** Ends a checkout: no request finds it any more, and nothing is called. Removing it twice is the same as once. @throws StoreUnavailableError */
  remove({ id }: CheckoutRow): Promise<void> {
    const round = async (): Promise<void> => {
      const row = await this.#deps.store.get('checkouts', [id]);
      if (row && row.state !== 'removed') await this.#update({ ...row, state: 'removed', dueAtMs: null });
    };
    return decideAgain(this.#deps, round, { key: `checkouts/${id}` });
  }

  /**
   * Notes that a browser posts payment details, before anything is done with them. Of two at once one conflicts.
   * @returns the checkout, with the id of the payment or registration that they become
   * @throws CommitConflict, StoreUnavailableError
   */
  async post(
    row: CheckoutRow,
    { posted, shopperResultUrl }: Posting,
  ): Promise<CheckoutRow & { postedId: string }> {
    const { clock, random } = this.#deps;
    const nowMs = clock.nowMs();
    const changed = {
      ...row,
      shopperResultUrl: shopperResultUrl ?? row.shopperResultUrl,
      attempts: row.attempts + 1,
      posted,
      postedId: newTimeOrderedId(random, nowMs),
      postedAtMs: nowMs,
      readAtMs: null,
      dueAtMs: resultCallAtMs(row, nowMs),
      leasedBy: null,
      claims: 0,
      calls: '[]',
    };
    await this.#update(changed);
    return { ...changed, version: row.version + 1 };
  }

  /** Names the registration that has the posted details already. @throws StoreUnavailableError */
  pointTo(row: CheckoutRow, registrationId: string): Promise<void> {
    return this.#note(row, (now) => ({ ...now, postedId: registrationId }));
  }

  /** Records that the merchant has fetched the result of what was posted: the result call is left out. @throws StoreUnavailableError */
  async noteRead(row: CheckoutRow): Promise<void> {
    if (row.readAtMs !== null) return;
    const readAtMs = this.#deps.clock.nowMs();
    await this.#note(row, (now) => ({ ...now, readAtMs, dueAtMs: null }));
  }

  /** Changes a checkout, also where others change it at the same moment, unless something else was posted to it since. */
  #note(known: CheckoutRow, change: (row: CheckoutRow) => CheckoutRow): Promise<void> {
    let isFirst = true;
    const round = async (): Promise<void> => {
      const row = isFirst ? known : await this.#deps.store.get('checkouts', [known.id]);
      isFirst = false;
      if (row?.postedId === known.postedId) await this.#update(change(row));
    };
    return decideAgain(this.#deps, round, { key: `checkouts/${known.id}` });
  }

  /** Counts a status request; returns 0, or how long its client has to wait, in milliseconds. @throws StoreUnavailableError */
  countRead({ id }: CheckoutRow): Promise<number> {
    return this.#reads.take(id);
  }

  /**
   * Counts that an address sends payment details for a checkout; returns 0, or how long it has to wait, in milliseconds.
   * @throws StoreUnavailableError
   */
  countAddress(address: string, { id }: CheckoutRow): Promise<number> {
    return this.#addresses.take(address, id);
  }

  async #update(row: CheckoutRow): Promise<void> {
    await this.#deps.store.commit([{ op: 'update', table: 'checkouts', row }]);
  }
}
