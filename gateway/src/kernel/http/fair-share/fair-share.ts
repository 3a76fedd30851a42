import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';

export const SHARE_LIMITS = {
  /** Requests that one merchant may have at work, however many merchants there are. */
  least: 4,
  /** How long a merchant counts as one among whom the places are shared, after its last request, in milliseconds. */
  activeMs: 1_000,
  /**
   * How long a request holds its place at most, in milliseconds. What takes longer waits for an acquirer, or for another request on the same
   * payment: the place is for one that can be carried out.
   */
  placeMs: 250,
  /** Requests of one merchant that may wait; further ones are refused. */
  waiting: 512,
  /** How long a request may wait for a place, in milliseconds; then it is refused. */
  waitMs: 500,
  /** How often places and waits are looked at while requests wait, in milliseconds. */
  checkMs: 20,
} as const;

/** Requests wait longer for a place than they may, or too many wait already. */
export class OverloadedError extends Error {
  override readonly name = 'OverloadedError';
  /** The merchant's own requests had all places that fall to it. */
  readonly isOwnDoing: boolean;

  constructor(message: string, isOwnDoing: boolean) {
    super(message);
    this.isOwnDoing = isOwnDoing;
  }
}

/** A place among the requests at work. */
export interface Place {
  readonly merchant: Merchant;
  readonly sinceMs: number;
}

interface Waiter {
  readonly sinceMs: number;
  /** Requests of its own merchant had all places of the merchant's share. */
  readonly isOwnDoing: boolean;
  readonly admit: (place: Place) => void;
  readonly refuse: (error: OverloadedError) => void;
}

/** What is known of a merchant that was active lately. */
class Merchant {
  places = 0;
  lastMs = 0;
  /** The first to come first. */
  readonly waiting = new Set<Waiter>();
}

/**
 * Shares the places of requests at work among the merchants that are active: each may have as many as fall to it, and those that wait are let
 * in by turns, one of each merchant. A merchant alone has all places.
 */
export class FairShare {
  readonly #limit: number;
  readonly #clock: Pick<Clock, 'monotonicMs' | 'setTimer'>;
  /** Merchants that were active lately, the least lately first. */
  readonly #merchants = new Map<string, Merchant>();
  /** The longest held first. */
  readonly #places = new Set<Place>();
  /** Merchants of which requests wait, in the order of their turns. */
  readonly #waiting = new Set<Merchant>();
  #timer: Timer | undefined;

  /** @param limit places at once */
  constructor(limit: number, clock: Pick<Clock, 'monotonicMs' | 'setTimer'>) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Requests that hold a place. */
  get atWork(): number {
    return this.#places.size;
  }

  /** A place for a request of the merchant, now or later. @throws OverloadedError, or the promise does */
  enter(merchantId: string): Place | Promise<Place> {
    const nowMs = this.#clock.monotonicMs();
    this.#takeBack(nowMs);
    const merchant = this.#activeMerchant(merchantId, nowMs);
    if (merchant.waiting.size === 0 && this.#hasPlace(merchant)) return this.#give(merchant, nowMs);
    if (merchant.waiting.size >= SHARE_LIMITS.waiting)
      throw new OverloadedError(`${SHARE_LIMITS.waiting} requests of the merchant wait already`, true);
    const isOwnDoing = merchant.places + merchant.waiting.size >= this.#share();
    return new Promise((admit, refuse) => {
      merchant.waiting.add({ sinceMs: nowMs, isOwnDoing, admit, refuse });
      this.#waiting.add(merchant);
      this.#timer ??= this.#clock.setTimer(SHARE_LIMITS.checkMs, () => this.#check());
    });
  }

  /** Gives a place back; twice is the same as once. */
  leave(place: Place): void {
    if (this.#free(place)) this.#letIn(this.#clock.monotonicMs());
  }

  #free(place: Place): boolean {
    if (!this.#places.delete(place)) return false;
    place.merchant.places -= 1;
    return true;
  }

  #give(merchant: Merchant, sinceMs: number): Place {
    const place = { merchant, sinceMs };
    this.#places.add(place);
    merchant.places += 1;
    return place;
  }

  #hasPlace(merchant: Merchant): boolean {
    return this.#places.size < this.#limit && merchant.places < this.#share();
  }

  /** Places that fall to each active merchant. */
  #share(): number {
    return Math.max(SHARE_LIMITS.least, Math.floor(this.#limit / this.#merchants.size));
  }

  #activeMerchant(merchantId: string, nowMs: number): Merchant {
    const merchant = this.#merchants.get(merchantId) ?? new Merchant();
    merchant.lastMs = nowMs;
    this.#merchants.delete(merchantId);
    this.#merchants.set(merchantId, merchant);
    for (const [id, { lastMs, places, waiting }] of this.#merchants) {
      if (nowMs - lastMs < SHARE_LIMITS.activeMs || places > 0 || waiting.size > 0) break;
      this.#merchants.delete(id);
    }
    return merchant;
  }

  /** Takes back the places that were held too long. */
  #takeBack(nowMs: number): void {
    for (const place of this.#places) {
      if (nowMs - place.sinceMs < SHARE_LIMITS.placeMs) return;
      this.#free(place);
    }
  }

  /** Gives the free places to those who wait, by turns. */
  #letIn(nowMs: number): void {
    for (const merchant of this.#waiting) {
      if (this.#places.size >= this.#limit) return;
      if (!this.#hasPlace(merchant)) continue;
      const [waiter] = merchant.waiting;
      this.#waiting.delete(merchant);
      if (!waiter) continue;
      merchant.waiting.delete(waiter);
      // Its next turn comes after those of all others.
      if (merchant.waiting.size > 0) this.#waiting.add(merchant);
      waiter.admit(this.#give(merchant, nowMs));
    }
  }

  #check(): void {
    const nowMs = this.#clock.monotonicMs();
    this.#takeBack(nowMs);
    this.#letIn(nowMs);
    for (const merchant of this.#waiting) this.#refuseLate(merchant, nowMs);
    const again = () => this.#check();
    this.#timer = this.#waiting.size > 0 ? this.#clock.setTimer(SHARE_LIMITS.checkMs, again) : undefined;
  }

  #refuseLate(merchant: Merchant, nowMs: number): void {
    for (const waiter of merchant.waiting) {
      if (nowMs - waiter.sinceMs < SHARE_LIMITS.waitMs) return;
      merchant.waiting.delete(waiter);
      const message = `a request has waited for ${SHARE_LIMITS.waitMs} ms`;
      waiter.refuse(new OverloadedError(message, waiter.isOwnDoing));
    }
    if (merchant.waiting.size === 0) this.#waiting.delete(merchant);
  }
}
