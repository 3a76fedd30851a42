import type { Journal } from '../../journal/journal.js';
import { REPLAYED_LIVE } from '../machine/state/events.js';
import { isOpen } from '../machine/state/sale-state.js';
import { loadSale } from '../records/compacted-sale.js';
import { type ActorPorts, SaleActor } from './sale-actor.js';

/** The sales in memory: open ones, and others while a call uses them. Never two actors for one sale. */
export class SaleRegistry {
  readonly #journal: Journal;
  readonly #ports: ActorPorts;
  readonly #actors = new Map<string, Promise<SaleActor | undefined>>();
  readonly #present = new Map<string, SaleActor>();
  readonly #users = new Map<string, number>();

  constructor(journal: Journal, ports: ActorPorts) {
    this.#journal = journal;
    this.#ports = ports;
  }

  /** The sales whose actors are in memory. */
  present(): readonly SaleActor[] {
    return [...this.#present.values()];
  }

  /** The sale, if it is in memory. */
  peek(reference: string): SaleActor | undefined {
    return this.#present.get(reference);
  }

  /**
   * Lets `work` use the sale, which stays in memory until it is done.
   * `create` makes the sale where the journal has none; of concurrent callers one creates, the others join.
   */
  async use<T>(
    reference: string,
    work: (actor: SaleActor | undefined, created: boolean) => Promise<T> | T,
    create?: () => Promise<SaleActor>,
  ): Promise<T> {
    this.#users.set(reference, (this.#users.get(reference) ?? 0) + 1);
    try {
      const { actor, created } = await this.#find(reference, create);
      return await work(actor, created);
    } finally {
      this.#users.set(reference, (this.#users.get(reference) ?? 1) - 1);
      this.tidy(reference);
    }
  }

  /** Forgets a sale that has its end and no user. */
  tidy(reference: string): void {
    if ((this.#users.get(reference) ?? 0) > 0) return;
    this.#users.delete(reference);
    const actor = this.#present.get(reference);
    if (actor && (isOpen(actor.state) || !actor.isIdle)) return;
    this.#actors.delete(reference);
    this.#present.delete(reference);
  }

  async #find(
    reference: string,
    create: (() => Promise<SaleActor>) | undefined,
  ): Promise<{ actor: SaleActor | undefined; created: boolean }> {
    const running = this.#actors.get(reference);
    const found = running && (await running.catch(() => undefined));
    if (found) return { actor: found, created: false };
    // The first call has given up, or found nothing: the next one tries for itself.
    if (running && this.#actors.get(reference) !== running) return this.#find(reference, create);
    let created = false;
    const attempt = this.#load(reference).then(async (actor) => {
      if (actor || !create) return actor;
      created = true;
      return create();
    });
    this.#actors.set(reference, attempt);
    try {
      const actor = await attempt;
      if (actor) this.#present.set(reference, actor);
      return { actor, created };
    } finally {
      if (!this.#present.has(reference) && this.#actors.get(reference) === attempt)
        this.#actors.delete(reference);
    }
  }

  async #load(reference: string): Promise<SaleActor | undefined> {
    const state = await loadSale(this.#journal, reference);
    return state && new SaleActor(this.#ports, { state, live: REPLAYED_LIVE });
  }
}
