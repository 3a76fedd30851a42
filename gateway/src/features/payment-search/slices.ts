import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { allRows } from '../../kernel/store/all-rows.js';
import type { LatePaymentRow, PaymentRow, PaymentSliceRow } from '../../kernel/store/rows.js';
import { type Change, CommitConflict, type Store } from '../../kernel/store/store.js';
import { type EmailMark, HOUR_MS, hourOf, sliceOf } from './rules/slice.js';

/** Limits of the work on slices, by name. */
export const SLICE_LIMITS = {
  /** Payments of a slice; only those of one moment may be more. */
  payments: 500,
  /** Payments of one moment that are read. */
  ofOneMoment: 50_000,
  /** How old a payment must be: by then it is stored, or noted as late (kernel/data-folder/late-payments.ts). */
  settledMs: 45_000,
  /** From one round to the next. */
  intervalMs: 30_000,
  /** Rounds after which all entities are looked at, and not those alone that had payments. */
  wholeRounds: 120,
  /** Between two slices of a round: other work goes first. */
  pauseMs: 5,
  /** How far back slices are compared with the payments that there are. */
  verifiedMs: 48 * HOUR_MS,
  /** Rounds that a note on a late payment stays after its slice was made anew: some searches still know the one before. */
  noteRounds: 2,
  /** Late payments of one round. */
  late: 500,
} as const;

/** What the work on slices works with. */
interface SlicesDeps {
  readonly store: Pick<Store, 'get' | 'findAfter' | 'findRange' | 'countRange' | 'commit'>;
  readonly clock: Pick<Clock, 'nowMs' | 'setTimer'>;
  readonly markOf: EmailMark;
}

/**
 * Makes the slices of payments, behind the payments themselves: what a search does not find in a slice it reads where no slice is yet, so that it
 * is whole at any time. A round bears to be done twice.
 */
export class PaymentSlices {
  readonly #deps: SlicesDeps;
  #rounds = 0;

  constructor(deps: SlicesDeps) {
    this.#deps = deps;
  }

  /** Makes what is due; the first round and every {@link SLICE_LIMITS.wholeRounds}th also verifies. @throws StoreUnavailableError */
  async round(): Promise<void> {
    const isWhole = this.#rounds % SLICE_LIMITS.wholeRounds === 0;
    this.#rounds += 1;
    await this.#foldLate();
    for (const { id } of await allRows(this.#deps.store, 'entities')) {
      while (await this.#makeNext(id)) await this.#pause();
      if (isWhole) await this.#verify(id);
    }
  }

  /** Makes the next slice of an entity; false where none is due. */
  async #makeNext(entityId: string): Promise<boolean> {
    const { store, clock, markOf } = this.#deps;
    const equals = [entityId];
    const [last] = await store.findRange('paymentSlices', 'primary', { equals, descending: true, limit: 1 });
    const below = clock.nowMs() - SLICE_LIMITS.settledMs;
    const [first] = await store.findRange('payments', 'time', {
      ...{ equals, below, limit: 1 },
      ...(last && { from: last.toMs }),
    });
    if (!first) return false;
    const fromMs = Math.max(last?.toMs ?? 0, hourOf(first.createdAtMs));
    const hourEndMs = hourOf(first.createdAtMs) + HOUR_MS;
    const part = await this.#part(entityId, fromMs, Math.min(hourEndMs, below));
    if (!part || (part.toMs < hourEndMs && !part.isFull)) return false;
    const row = sliceOf({ entityId, fromMs, toMs: part.toMs }, part.rows, markOf);
    return this.#commit([{ op: 'insert', table: 'paymentSlices', row }]);
  }

  /** The first payments from a time on, as many as a slice may have, and where they end. */
  async #part(
    entityId: string,
    from: number,
    below: number,
  ): Promise<
    { readonly rows: readonly PaymentRow[]; readonly toMs: number; readonly isFull: boolean } | undefined
  > {
    const { store } = this.#deps;
    const equals = [entityId];
    const limit = SLICE_LIMITS.payments + 1;
    const rows = await store.findRange('payments', 'time', { equals, from, below, limit });
    const next = rows[SLICE_LIMITS.payments];
    if (!next) return { rows, toMs: below, isFull: false };
    const before = rows.filter(({ createdAtMs }) => createdAtMs < next.createdAtMs);
    if (before.length > 0) return { rows: before, toMs: next.createdAtMs, isFull: true };
    const toMs = next.createdAtMs + 1;
    const moment = { equals, from: next.createdAtMs, below: toMs, limit: SLICE_LIMITS.ofOneMoment };
    return { rows: await store.findRange('payments', 'time', moment), toMs, isFull: true };
  }

  /** Makes slices anew that a payment came too late for; the note on it goes some rounds later. */
  async #foldLate(): Promise<void> {
    const { store } = this.#deps;
    const late = await store.findAfter('latePayments', undefined, { limit: SLICE_LIMITS.late });
    for (const note of late) {
      const { paymentId, version } = note;
      // With each round the version goes up.
      const noted: Change =
        version > SLICE_LIMITS.noteRounds
          ? { op: 'delete', table: 'latePayments', key: [paymentId], version }
          : { op: 'update', table: 'latePayments', row: note };
      if (version > 1) {
        await this.#commit([noted]);
        continue;
      }
      const slice = await this.#sliceAt(note);
      await (slice ? this.#renew(slice, [noted]) : this.#commit([...(await this.#missing(note)), noted]));
    }
  }

  async #sliceAt({ entityId, atMs }: LatePaymentRow): Promise<PaymentSliceRow | undefined> {
    const [slice] = await this.#deps.store.findRange('paymentSlices', 'primary', {
      ...{ equals: [entityId], below: atMs + 1, descending: true, limit: 1 },
    });
    return slice && slice.toMs > atMs ? slice : undefined;
  }

  /** The slice of an hour that had no payments until now; none where the payment is newer than all slices. */
  async #missing({ entityId, atMs }: LatePaymentRow): Promise<readonly Change[]> {
    const { store, markOf } = this.#deps;
    const equals = [entityId];
    const [next] = await store.findRange('paymentSlices', 'primary', { equals, from: atMs + 1, limit: 1 });
    if (!next) return [];
    const [before] = await store.findRange('paymentSlices', 'primary', {
      ...{ equals, below: atMs + 1, descending: true, limit: 1 },
    });
    const fromMs = Math.max(before?.toMs ?? 0, hourOf(atMs));
    const toMs = Math.min(next.fromMs, hourOf(atMs) + HOUR_MS);
    const rows = await store.findRange('payments', 'time', {
      ...{ equals, from: fromMs, below: toMs, limit: SLICE_LIMITS.ofOneMoment },
    });
    const row = sliceOf({ entityId, fromMs, toMs }, rows, markOf);
    return [{ op: 'insert', table: 'paymentSlices', row }];
  }

  async #renew(slice: PaymentSliceRow, changes: readonly Change[] = []): Promise<boolean> {
    const { entityId, fromMs: from, toMs: below, version } = slice;
    const rows = await this.#deps.store.findRange('payments', 'time', {
      ...{ equals: [entityId], from, below, limit: SLICE_LIMITS.ofOneMoment },
    });
    const row = { ...sliceOf(slice, rows, this.#deps.markOf), version };
    return this.#commit([{ op: 'update', table: 'paymentSlices', row }, ...changes]);
  }

  /** Makes the newest slices anew that have another number of payments than there are: an older build notes no late ones. */
  async #verify(entityId: string): Promise<void> {
    const { store, clock } = this.#deps;
    const equals = [entityId];
    const slices = await store.findRange('paymentSlices', 'primary', {
      ...{ equals, from: clock.nowMs() - SLICE_LIMITS.verifiedMs },
    });
    for (const slice of slices) {
      const { fromMs: from, toMs: below, count } = slice;
      const there = await store.countRange('payments', 'time', { equals, from, below, limit: count + 1 });
      if (there !== count) await this.#renew(slice);
    }
  }

  /** False where another node was faster. */
  async #commit(changes: readonly Change[]): Promise<boolean> {
    try {
      await this.#deps.store.commit(changes);
      return true;
    } catch (error) {
      if (error instanceof CommitConflict) return false;
      throw error;
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => this.#deps.clock.setTimer(SLICE_LIMITS.pauseMs, resolve));
  }
}
