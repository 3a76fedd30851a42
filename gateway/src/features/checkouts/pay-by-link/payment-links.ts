import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { decideAgain } from '../../../kernel/store/decide-again.js';
import { newId } from '../../../kernel/store/new-id.js';
import type { CheckoutRow, PaymentLinkRow } from '../../../kernel/store/rows.js';
import type { Change, Store } from '../../../kernel/store/store.js';
import { paymentLinkContext } from '../../../security/vault/contexts.js';
import type { RowSeal } from '../../../security/vault/row-seal.js';
import type { CheckoutParameters } from '../checkout-parameters.js';
import { type PostedParts, postedBefore } from '../posted.js';
import { endedCheckout, replacedCheckout } from '../rules/decide-post.js';
import { isFinal } from '../rules/posted-before.js';
import type { Checkouts } from '../service.js';
import { billingParts } from './link-options.js';

const HOUR_MS = 3_600_000;

/** Bounds of payment links. */
export const PAYMENT_LINK_LIMITS = {
  /** How long a link is good by default. */
  lifeMs: 90 * 24 * HOUR_MS,
  /** A checkout with less than this to live is not shown to a shopper who comes now. */
  leastLifeMs: 5 * 60_000,
} as const;

/** The merchant's parameters of a link: those of the purchase, and its own. */
export interface LinkParameters {
  readonly purchase: Readonly<Record<string, string>>;
  readonly link: Readonly<Record<string, string>>;
}

/** What {@link PaymentLinks} works with. */
interface PaymentLinkDeps {
  readonly store: Pick<Store, 'get' | 'commit'>;
  readonly seal: RowSeal;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'setTimer'>;
  readonly random: Random;
  readonly checkouts: Pick<Checkouts, 'create'>;
  readonly service: PostedParts['service'];
}

/** How a link stands for the shopper who opens it. */
export type LinkStanding =
  | { readonly is: 'payable'; readonly checkout: CheckoutRow; readonly wasDeclined: boolean }
  /** A payment of it has no outcome yet. */
  | { readonly is: 'pending' }
  | { readonly is: 'paid' }
  /** Expired, removed, or never there. */
  | { readonly is: 'closed' };

/** Payment links as they are stored. A link has one payment that is approved, or may be: by one checkout after the other. */
export class PaymentLinks {
  readonly #deps: PaymentLinkDeps;

  constructor(deps: PaymentLinkDeps) {
    this.#deps = deps;
  }

  /**
   * Makes a link.
   * @param lifeMs how long it is good
   * @param reservedId given out for it before: the one that was made with it is given again
   * @throws StoreUnavailableError
   */
  async create(
    entityId: string,
    parameters: LinkParameters,
    lifeMs: number,
    reservedId?: string,
  ): Promise<PaymentLinkRow> {
    const { store, seal, clock, random } = this.#deps;
    const before = reservedId === undefined ? undefined : await store.get('paymentLinks', [reservedId]);
    if (before) return before;
    const id = reservedId ?? newId(random);
    const createdAtMs = clock.nowMs();
    const row: PaymentLinkRow = {
      id,
      entityId,
      state: 'open',
      ...seal.seal(paymentLinkContext({ id }), parameters),
      checkoutId: null,
      paymentId: null,
      expiresAtMs: createdAtMs + lifeMs,
      createdAtMs,
      version: 1,
    };
    await store.commit([{ op: 'insert', table: 'paymentLinks', row }]);
    return row;
  }

  /** The link of an id, whether it is good or not; undefined when it was removed or never made. */
  async find(id: string): Promise<PaymentLinkRow | undefined> {
    const row = await this.#deps.store.get('paymentLinks', [id]);
    return row?.state === 'removed' ? undefined : row;
  }

  /** The merchant's parameters. @throws VaultError */
  parametersOf(row: PaymentLinkRow): Promise<LinkParameters> {
    return this.#deps.seal.open(paymentLinkContext(row), row);
  }

  /** Ends a link, and with it the checkout on a page that is still open. @throws StoreUnavailableError */
  remove({ id }: PaymentLinkRow): Promise<void> {
    const round = async (): Promise<void> => {
      const row = await this.find(id);
      if (!row) return;
      const last = await this.#lastCheckout(row);
      await this.#update({ ...row, state: 'removed' }, last && endedCheckout(last, this.#deps.clock.nowMs()));
    };
    return decideAgain(this.#deps, round, { key: `paymentLinks/${id}` });
  }

  /**
   * How a link stands. Notes that it is paid where it has become so.
   * @param isToPay a shopper opens it: a checkout is made where none can be shown
   */
  standing(id: string, isToPay: boolean): Promise<LinkStanding> {
    // Another shopper may open it, or its payment end, at the same moment.
    const round = async (): Promise<LinkStanding> => {
      const link = await this.find(id);
      return link ? this.#standingOf(link, isToPay) : { is: 'closed' };
    };
    return decideAgain(this.#deps, round, { key: `paymentLinks/${id}` });
  }

  async #standingOf(link: PaymentLinkRow, isToPay: boolean): Promise<LinkStanding> {
    if (link.state === 'paid') return { is: 'paid' };
    const { store, clock, checkouts, service } = this.#deps;
    const last = await this.#lastCheckout(link);
    const before = last && (await postedBefore({ store, service }, last));
    if (isFinal(before)) {
      await this.#update({ ...link, state: 'paid', paymentId: before?.payment?.id ?? null });
      return { is: 'paid' };
    }
    const nowMs = clock.nowMs();
    const isAlive = last?.state === 'open' && last.expiresAtMs - nowMs > PAYMENT_LINK_LIMITS.leastLifeMs;
    const wasDeclined = before?.state === 'declined';
    if (last && isAlive) return { is: 'payable', checkout: last, wasDeclined };
    // A payment of the checkout before may still be approved: no other one begins.
    if (before?.state === 'pending') return { is: 'pending' };
    if (nowMs >= link.expiresAtMs || !isToPay) return { is: 'closed' };
    const checkout = await checkouts.create(link.entityId, preparedOf(await this.parametersOf(link)), {
      neededUntilMs: link.expiresAtMs,
    });
    // A page that was opened before may still show the last one: both would be paid.
    await this.#update(
      { ...link, checkoutId: checkout.id },
      last && replacedCheckout(last, before !== undefined, nowMs),
    );
    return { is: 'payable', checkout, wasDeclined: false };
  }

  /** The checkout that the page showed last. */
  async #lastCheckout({ checkoutId }: PaymentLinkRow): Promise<CheckoutRow | undefined> {
    return checkoutId === null ? undefined : this.#deps.store.get('checkouts', [checkoutId]);
  }

  async #update(row: PaymentLinkRow, checkout?: CheckoutRow): Promise<void> {
    const changes: Change[] = [{ op: 'update', table: 'paymentLinks', row }];
    if (checkout) changes.push({ op: 'update', table: 'checkouts', row: checkout });
    await this.#deps.store.commit(changes);
  }
}

/** The merchant's parameters of a checkout of a link. */
function preparedOf({ purchase, link }: LinkParameters): CheckoutParameters {
  const collected = billingParts(link).collected.map((part) => `billing.${part}`);
  // The shopper comes back to our page first, which notes the outcome; the shopper enters what the page collects.
  const left = new Set(['shopperResultUrl', ...collected]);
  return Object.fromEntries(Object.entries(purchase).filter(([name]) => !left.has(name)));
}
