import { backoffMs } from '@tillbridge/platform/backoff.js';
import { equalConstantTime } from '@tillbridge/wire/bytes.js';
import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';
import { Listeners } from '@tillbridge/wire/seams/listeners.js';
import { CHAIN_START } from '../hash-chain.js';
import { type Journal, type JournalPart, type JournalRow, JournalUnavailable } from '../journal.js';
import type { CopyCipher } from './copy-cipher.js';
import {
  decodeHome,
  decodePlace,
  encodeHome,
  encodeKept,
  encodePlace,
  encodeRow,
  type HomeRecord,
  type PlaceRecord,
} from './copy-records.js';
import { COPY_LIMITS, type CopyEntry, type CopyTarget } from './copy-target.js';
import { CopyUnavailable } from './copy-unavailable.js';

/** What a copy is worth to its owner: `required` holds up new sales while it is behind, `best-effort` never does. */
export type CopyMode = 'required' | 'best-effort';

/** Where the copy stands. */
export type CopyState =
  | { readonly kind: 'in-sync' }
  /** Rows are on their way; `sinceMs` is when the first of them was committed. */
  | { readonly kind: 'behind'; readonly sinceMs: number }
  /** It cannot be reached or written; it is tried again. */
  | { readonly kind: 'failed'; readonly sinceMs: number; readonly detail: string }
  /** A later generation of this agent writes it: this journal was restored elsewhere. */
  | { readonly kind: 'taken'; readonly sinceMs: number; readonly generation: number };

/** What a copier works with. */
interface CopierDeps {
  readonly journal: Journal;
  readonly mode: CopyMode;
  readonly cipher: CopyCipher;
  /** What a restored home needs. */
  readonly home: HomeRecord;
  /** @throws CopyUnavailable */
  readonly open: () => Promise<CopyTarget>;
  readonly clock: Clock;
  /** Called at every change of the state. */
  readonly onState?: (state: CopyState) => void;
}

function isPlace(found: PlaceRecord | 'too-old' | 'beyond'): found is PlaceRecord {
  return typeof found === 'object';
}

/**
 * How many entries a batch may have that ends with a whole write: a copy that is all that is left must not have what was decided at once by
 * half. The rows of a write stand together, and have one reference and one time.
 */
function wholeWrites(rows: JournalPart['rows'], limit: number): number {
  const last = rows.at(-1);
  if (!last || rows.length < limit) return limit;
  const isOther = ({ reference, atMs }: JournalRow) => reference !== last.reference || atMs !== last.atMs;
  // One write fills a batch at most.
  return rows.findLastIndex(isOther) + 1 || limit;
}

const START: PlaceRecord = { head: CHAIN_START, kept: 0, base: CHAIN_START };

/**
 * Keeps an encrypted copy of the journal up to date. It reads what stands behind the copy's own place, so that a first copy, a gap
 * after an outage and the next row are one and the same to it.
 */
export class JournalCopier {
  readonly #deps: CopierDeps;
  #target: CopyTarget | undefined;
  #place: PlaceRecord = START;
  #state: CopyState;
  #running: Promise<void> | undefined;
  #again = false;
  #retry: Timer | undefined;
  #failures = 0;
  #closed = false;
  readonly #waiters = new Listeners<[]>();

  constructor(deps: CopierDeps) {
    this.#deps = deps;
    this.#state = { kind: 'behind', sinceMs: deps.clock.nowMs() };
  }

  get state(): CopyState {
    return this.#state;
  }

  get mode(): CopyMode {
    return this.#deps.mode;
  }

  /** Rows of the journal that the copy does not have. */
  get rowsBehind(): number {
    return Math.max(0, this.#deps.journal.head.row - this.#place.head.row);
  }

  /** The journal has new rows, or is there again: the copy follows. */
  wake(): void {
    if (this.#closed) return;
    if (this.#state.kind === 'in-sync' && this.rowsBehind > 0) {
      this.#set({ kind: 'behind', sinceMs: this.#deps.clock.nowMs() });
    }
    this.#again = true;
    if (!this.#retry) this.#start();
  }

  /** Resolves when the copy has the row, or after {@link COPY_LIMITS.waitMs}, or at once while the copy is not to be had. */
  async reached(row: number): Promise<void> {
    this.wake();
    const isReached = (): boolean =>
      this.#place.head.row >= row ||
      this.#closed ||
      this.#state.kind === 'failed' ||
      this.#state.kind === 'taken';
    if (isReached()) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        stop();
        timer.cancel();
        resolve();
      };
      const look = (): void => {
        if (isReached()) end();
      };
      const timer = this.#deps.clock.setTimer(COPY_LIMITS.waitMs, end);
      const stop = this.#waiters.add(look);
    });
  }

  /** Lets the batch under way end, then closes the copy. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#retry?.cancel();
    this.#waiters.tell();
    await this.#running;
    await this.#target?.close();
    this.#target = undefined;
  }

  #start(): void {
    this.#running ??= this.#follow().finally(() => {
      this.#running = undefined;
      if (this.#again && !this.#closed && !this.#retry) this.#start();
    });
  }

  async #follow(): Promise<void> {
    this.#again = false;
    try {
      if (!this.#target) await this.#attach();
      while (!this.#closed && this.#target && (await this.#ship(this.#target)));
      if (this.#closed || this.#state.kind === 'taken') return;
      this.#failures = 0;
      this.#set({ kind: 'in-sync' });
    } catch (error) {
      await this.#failed(error);
    }
  }

  /** Opens the copy and finds out up to where it follows this journal. */
  async #attach(): Promise<void> {
    const target = await this.#deps.open();
    this.#target = target;
    const { cipher, home, clock } = this.#deps;
    let copied = 0;
    const written = await target.get('home', 0);
    if (written) {
      const { agentId, generation } = decodeHome(cipher.open({ kind: 'home', number: 0, name: '' }, written));
      if (agentId !== home.agentId)
        throw new CopyUnavailable(
          `the copy belongs to agent ${agentId}, this one is ${home.agentId}: choose another place`,
        );
      copied = generation;
      if (generation > home.generation) {
        this.#set({ kind: 'taken', sinceMs: clock.nowMs(), generation });
        throw new CopyUnavailable(
          `the copy is written by generation ${generation}, this one is ${home.generation}`,
        );
      }
    }
    const place = await this.#placeOf(target);
    if (place === 'beyond' && copied === home.generation) {
      throw new CopyUnavailable(
        'the copy has rows that this journal has not: bring them back with "tillbridge-agent restore --from … --replace", or give them up with "tillbridge-agent restore --as-is"',
      );
    }
    if (written && !isPlace(place)) await target.beginAnew();
    await this.#begin(target, isPlace(place) ? place : START);
  }

  /** The copy's place on this chain: `too-old` where compaction has passed it, `beyond` where its rows are not this journal's. */
  async #placeOf(target: CopyTarget): Promise<PlaceRecord | 'too-old' | 'beyond'> {
    const { cipher, journal } = this.#deps;
    const sealed = await target.get('place', 0);
    if (!sealed) return 'too-old';
    const place = decodePlace(cipher.open({ kind: 'place', number: 0, name: '' }, sealed));
    if (place.head.row === 0) return place;
    const hash = await journal.hashAt(place.head.row);
    if (hash) return equalConstantTime(hash, place.head.hash) ? place : 'beyond';
    return place.head.row > journal.head.row ? 'beyond' : 'too-old';
  }

  /** Takes one batch over; false when the copy has everything. */
  async #ship(target: CopyTarget): Promise<boolean> {
    const { journal, cipher } = this.#deps;
    const { head, kept, base } = this.#place;
    const most = await journal.part(head.row, kept, COPY_LIMITS.maxEntriesPerBatch);
    const limit = wholeWrites(most.rows, COPY_LIMITS.maxEntriesPerBatch);
    const part = limit < most.rows.length ? await journal.part(head.row, kept, limit) : most;
    // What is kept goes before the rows: a checkpoint in the copy then always finds its entries there.
    const rows = part.kept.length < limit ? part.rows : [];
    const [first] = rows;
    if (first && first.row !== head.row + 1) return this.#startAgain(target);
    const last = rows.at(-1);
    const isLast = rows.length < limit && part.rows.length === rows.length;
    const drop = isLast && part.base.row > base.row && (last?.row ?? head.row) >= journal.head.row;
    if (rows.length === 0 && part.kept.length === 0 && !drop) return false;
    const place: PlaceRecord = {
      head: last ? { row: last.row, hash: last.hash } : head,
      kept: part.kept.at(-1)?.position ?? kept,
      base: drop ? part.base : base,
    };
    const put: CopyEntry[] = [
      ...part.kept.map((entry) =>
        cipher.seal({ kind: 'kept', number: entry.position, name: '' }, encodeKept(entry)),
      ),
      ...rows.map((row) => cipher.seal({ kind: 'row', number: row.row, name: '' }, encodeRow(row))),
      ...(rows.length === 0 ? [] : part.blobs).map(({ messageId, sealed }) =>
        cipher.seal({ kind: 'blob', number: 0, name: messageId }, sealed),
      ),
      this.#sealedPlace(place),
    ];
    const dropBlobs = rows.length === 0 ? [] : part.wiped;
    await target.write({ put, dropBlobs, dropRowsTo: drop ? part.base.row : 0 });
    this.#place = place;
    if (this.rowsBehind === 0) this.#set({ kind: 'in-sync' });
    this.#waiters.tell();
    return true;
  }

  /** The journal has dropped rows that the copy never got: a copy with a hole restores nothing. */
  async #startAgain(target: CopyTarget): Promise<boolean> {
    const { journal } = this.#deps;
    const { base } = await journal.part(journal.head.row, Number.MAX_SAFE_INTEGER, 1);
    await target.beginAnew();
    await this.#begin(target, { head: base, kept: 0, base });
    return true;
  }

  /** Writes the home, and the place from which the copy follows. */
  async #begin(target: CopyTarget, place: PlaceRecord): Promise<void> {
    const { cipher, home } = this.#deps;
    this.#place = place;
    const first = cipher.seal({ kind: 'home', number: 0, name: '' }, encodeHome(home));
    await target.write({ put: [first, this.#sealedPlace(place)], dropBlobs: [], dropRowsTo: 0 });
  }

  #sealedPlace(place: PlaceRecord): CopyEntry {
    return this.#deps.cipher.seal({ kind: 'place', number: 0, name: '' }, encodePlace(place));
  }

  async #failed(error: unknown): Promise<void> {
    // A journal that is away comes back by itself, and wakes the copier then.
    const journalAway = error instanceof JournalUnavailable;
    const detail = error instanceof Error ? error.message : String(error);
    const { clock } = this.#deps;
    const sinceMs = this.#state.kind === 'in-sync' ? clock.nowMs() : this.#state.sinceMs;
    if (this.#state.kind !== 'taken' && !journalAway) this.#set({ kind: 'failed', sinceMs, detail });
    const target = this.#target;
    this.#target = undefined;
    await target?.close().catch(() => undefined);
    if (this.#closed) return;
    this.#failures += 1;
    const delayMs = backoffMs(this.#failures, COPY_LIMITS.retryMinMs, COPY_LIMITS.retryMaxMs);
    this.#retry = clock.setTimer(delayMs, () => {
      this.#retry = undefined;
      this.#again = true;
      this.#start();
    });
  }

  #set(state: CopyState): void {
    const same = state.kind === this.#state.kind && state.kind !== 'failed';
    this.#state = state;
    this.#waiters.tell();
    if (!same) this.#deps.onState?.(state);
  }
}
