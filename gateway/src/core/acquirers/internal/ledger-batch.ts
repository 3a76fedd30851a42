import type { RowOf } from '@tillbridge/platform/sqlite/table.js';
import type { AcquirerAnswer } from '../acquirer.js';
import { decideGiftCard } from './gift-cards.js';
import { decideLedger, type LedgerDecision, type LedgerRequest, type LedgerView } from './ledger.js';
import type { LedgerRow } from './ledger-rows.js';
import type { TOMBSTONES } from './ledger-tables.js';

/** What a ledger holds for some references. */
export interface LedgerRows {
  readonly rows: readonly LedgerRow[];
  /** Those of the references that were reversed before their request came. */
  readonly tombstones: readonly string[];
}

/** What a batch adds to a ledger and replaces in it. */
export interface LedgerChanges {
  /** In the order they were decided. */
  readonly inserted: readonly LedgerRow[];
  readonly updated: readonly LedgerRow[];
  readonly tombstones: readonly RowOf<typeof TOMBSTONES>[];
}

/** The most steps from a follow-up to its root: a refund follows a capture, which follows an authorization. */
const MAX_STEPS = 2;

/**
 * The rows of the ledger that a batch of requests depends on, in memory: each request is decided on what the ones before it have left. No I/O.
 */
export class LedgerBatch {
  readonly #rows = new Map<string, LedgerRow>();
  readonly #tombstones = new Set<string>();
  readonly #inserted = new Set<string>();
  readonly #updated = new Set<string>();
  readonly #newTombstones: RowOf<typeof TOMBSTONES>[] = [];

  /** Decides on a request and keeps what it changes. */
  decide(request: LedgerRequest): AcquirerAnswer {
    const { giftCardAsk } = request;
    const decided = giftCardAsk
      ? { ...request, issuer: decideGiftCard(request, giftCardAsk, this.#ofGiftCard(request.giftCard)) }
      : request;
    const decision = decideLedger(decided, this.#view(request));
    this.#apply(decision);
    return decision.answer;
  }

  /** Makes stored rows known. */
  load({ rows, tombstones }: LedgerRows): void {
    for (const row of rows) this.#rows.set(row.acquirerReference, row);
    for (const reference of tombstones) this.#tombstones.add(reference);
  }

  /** What the decisions have changed. */
  changes(): LedgerChanges {
    const rowsOf = (references: ReadonlySet<string>): LedgerRow[] =>
      [...references].flatMap((reference) => this.#rows.get(reference) ?? []);
    return {
      inserted: rowsOf(this.#inserted),
      updated: rowsOf(this.#updated),
      tombstones: this.#newTombstones,
    };
  }

  #view({ acquirerReference, originalReference }: LedgerRequest): LedgerView {
    const existing = this.#rows.get(acquirerReference);
    const original = this.#rows.get(originalReference ?? '');
    const root = original && this.#rootOf(original);
    return {
      tombstoned: this.#tombstones.has(acquirerReference),
      ...(existing && { existing }),
      ...(original && { original }),
      ...(root && root !== original && { root }),
    };
  }

  #ofGiftCard(giftCard: string | null): readonly LedgerRow[] {
    return [...this.#rows.values()].filter((row) => row.giftCard === giftCard);
  }

  /** The transaction at the root. A receipt has money of its own: it is a root. */
  #rootOf(original: LedgerRow): LedgerRow | undefined {
    let row: LedgerRow | undefined = original;
    for (let step = 0; step < MAX_STEPS && row?.originalReference && row.kind !== 'receipt'; step += 1)
      row = this.#rows.get(row.originalReference);
    return row;
  }

  #apply({ insert, updates, tombstone }: LedgerDecision): void {
    if (insert) {
      this.#rows.set(insert.acquirerReference, insert);
      this.#inserted.add(insert.acquirerReference);
      if (tombstone !== undefined) this.#addTombstone(tombstone, insert);
    }
    for (const row of updates) {
      this.#rows.set(row.acquirerReference, row);
      if (!this.#inserted.has(row.acquirerReference)) this.#updated.add(row.acquirerReference);
    }
  }

  #addTombstone(acquirerReference: string, reversal: LedgerRow): void {
    if (this.#tombstones.has(acquirerReference)) return;
    this.#tombstones.add(acquirerReference);
    const { acquirerReference: reversalReference, atMs } = reversal;
    this.#newTombstones.push({ acquirerReference, reversalReference, atMs });
  }
}

/** What a batch reads of a ledger, in the transaction that records it. */
export interface LedgerReads {
  load(references: readonly string[]): Promise<LedgerRows>;
  /** What counts for the balances of these gift cards, and for the tries of their PINs; follow-ups are not among it. */
  ofGiftCards(giftCards: readonly string[]): Promise<readonly LedgerRow[]>;
}

/** A batch with all rows that the requests depend on: their own, those that they follow, the roots of these, and those of their gift cards. */
export async function loadBatch(
  { load, ofGiftCards }: LedgerReads,
  requests: readonly LedgerRequest[],
): Promise<LedgerBatch> {
  const batch = new LedgerBatch();
  const cards = requests.flatMap(({ giftCardAsk, giftCard }) => (giftCardAsk && giftCard) || []);
  if (cards.length > 0) batch.load({ rows: await ofGiftCards([...new Set(cards)]), tombstones: [] });
  const referenced = new Set<string>();
  let next = requests.flatMap(referencesOf);
  for (let step = 0; step <= MAX_STEPS && next.length > 0; step += 1) {
    for (const reference of next) referenced.add(reference);
    const found = await load([...new Set(next)]);
    batch.load(found);
    next = found.rows
      .flatMap(({ originalReference }) => originalReference ?? [])
      .filter((reference) => !referenced.has(reference));
  }
  return batch;
}

function referencesOf({ acquirerReference, originalReference }: LedgerRequest): readonly string[] {
  return originalReference === null ? [acquirerReference] : [acquirerReference, originalReference];
}
