import { createHash } from 'node:crypto';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Journal, JournalRow, JsonObject } from '../../journal/journal.js';
import { ZvtError } from '../messages/zvt-error.js';

/** The kind of the row that maps a request of a till to a sale. */
export const ZVT_REQUEST_ROW = 'zvt-request';
/** The kind of the row that records that the till has acknowledged how a request ended. */
export const ZVT_ACKNOWLEDGED_ROW = 'zvt-acknowledged';

/** Requests that move money. */
export type ZvtCategory = 'sale' | 'refund' | 'reservation' | 'booking' | 'reversal';

/** The origin of a request: the till, and the terminal that it is bound to. */
export interface ZvtLine {
  readonly till: string;
  readonly terminalId: string;
}

/** What a till requests. */
export interface NewZvtRequest extends ZvtLine {
  readonly category: ZvtCategory;
  /** Minor units; of a reversal those of the sale, of a booking what is booked. */
  readonly minor: number;
  readonly currency: string;
  /** The till's own reference, where it sent one. */
  readonly tillReference?: string;
  /** Of a reversal or a booking: the sale that it is about. */
  readonly original?: string;
}

/** A request of a till, as it is journaled before anything is done. */
export interface ZvtRequest extends NewZvtRequest {
  /** Receipt number, 1 to 9,999: of its terminal, one after the other. */
  readonly receipt: number;
  /** Of the sale that it begins, or that it is about. */
  readonly reference: string;
  readonly atMs: number;
}

/** A request, and whether the till sent it before. */
export interface BegunRequest {
  readonly request: ZvtRequest;
  readonly isRepeated: boolean;
}

/** Limits of what is kept and looked through. */
export const REQUEST_LIMITS = {
  /** Requests in memory. */
  recent: 2_000,
  /** Rows that are read at once. */
  page: 500,
  /** For so long a reference of a till stands for its request. */
  referenceMs: 48 * 3_600_000,
  maxReceipt: 9_999,
  /** Reservations of a till that are looked through for an open one. */
  reservations: 200,
} as const;

/** It begins with a blank, as no reference of a till does: rows of a sale and of a request never mix. */
const ROW_PREFIX = ' zvt ';

/** How far the journal is looked through; to its beginning where nothing is given. */
interface SearchRange {
  readonly maxAgeMs?: number;
  readonly terminalId?: string;
  /** Requests of that terminal. */
  readonly most?: number;
}

/** The newest request of a till, and since when it is known here. */
interface Last {
  readonly request: ZvtRequest;
  readonly isAcknowledged: boolean;
  /** Age when it was recorded here: a clock that jumps later changes nothing. */
  readonly ageMs: number;
  readonly sinceMs: number;
}

interface RequestsDeps {
  readonly journal: Journal;
  readonly clock: Clock;
  /** For so long a request that the till has not acknowledged stands for the same request again, milliseconds. */
  readonly repeatMs: number;
  /** Whether a sale runs, or its outcome is being found out. */
  isOpen(reference: string): Promise<boolean>;
}

/** The journaled requests of tills. ZVT has no message id: this decides whether a request is a new one. */
export class ZvtRequests {
  readonly #deps: RequestsDeps;
  readonly #last = new Map<string, Last>();
  readonly #receipts = new Map<string, number>();
  #recent: readonly ZvtRequest[] = [];
  /** The journal has no request that is older than those in memory. */
  #hasAll = true;
  #loaded: Promise<void> | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(deps: RequestsDeps) {
    this.#deps = deps;
  }

  /**
   * The request that this one stands for: the one that the till sent before, or a new one, which is on disk then.
   * @throws ZvtError `reference-conflict` where the till's reference belongs to another request, JournalUnavailable
   */
  begin(wish: NewZvtRequest): Promise<BegunRequest> {
    return this.#inTurn(async () => {
      const known = await this.#repeated(wish);
      return known
        ? { request: known, isRepeated: true }
        : { request: await this.#journal(wish), isRepeated: false };
    });
  }

  /** The request that {@link begin} would find again; nothing is journaled. @throws as begin */
  known(wish: NewZvtRequest): Promise<ZvtRequest | undefined> {
    return this.#inTurn(() => this.#repeated(wish));
  }

  /** Records that the till knows how its request ended. @throws JournalUnavailable */
  acknowledge(request: ZvtRequest): Promise<void> {
    return this.#inTurn(async () => {
      const last = this.#last.get(lineName(request));
      if (!last || last.isAcknowledged || last.request.receipt !== request.receipt) return;
      const { terminalId, till, receipt, reference } = request;
      await this.#append(ZVT_ACKNOWLEDGED_ROW, { terminalId, till, receipt, reference });
      this.#last.set(lineName(request), { ...last, isAcknowledged: true });
    });
  }

  /** The request that the till sent last. @throws JournalUnavailable */
  last(line: ZvtLine): Promise<ZvtRequest | undefined> {
    return this.#inTurn(async () => this.#last.get(lineName(line))?.request);
  }

  /** The newest request of a terminal under this receipt number, a reversal aside. @throws JournalUnavailable */
  async ofReceipt(terminalId: string, receipt: number): Promise<ZvtRequest | undefined> {
    const fits = (each: ZvtRequest) =>
      each.terminalId === terminalId && each.receipt === receipt && each.category !== 'reversal';
    return this.#inTurn(async () => {
      const newest = this.#receipts.get(terminalId) ?? 0;
      // Receipt numbers begin anew: beyond so many requests of its terminal none is the newest of its number.
      const most = newest < receipt ? newest + REQUEST_LIMITS.maxReceipt - receipt : newest - receipt;
      return this.#recent.findLast(fits) ?? (await this.#search(fits, { terminalId, most }));
    });
  }

  /** The newest reservations of a till, as far as memory has them; the oldest first. @throws JournalUnavailable */
  reservations(line: ZvtLine): Promise<readonly ZvtRequest[]> {
    const fits = (each: ZvtRequest) => each.category === 'reservation' && lineName(each) === lineName(line);
    return this.#inTurn(async () => this.#recent.filter(fits).slice(-REQUEST_LIMITS.reservations));
  }

  async #repeated(wish: NewZvtRequest): Promise<ZvtRequest | undefined> {
    if (wish.tillReference !== undefined) return this.#ofReference(wish, wish.tillReference);
    const last = this.#last.get(lineName(wish));
    if (!last || last.isAcknowledged || !isSame(last.request, wish)) return undefined;
    const ageMs = last.ageMs + this.#deps.clock.monotonicMs() - last.sinceMs;
    const isKnown = ageMs < this.#deps.repeatMs || (await this.#deps.isOpen(last.request.reference));
    if (!isKnown) return undefined;
    // A till that sends it again still waits for its answer.
    this.#last.set(lineName(wish), { ...last, ageMs: 0, sinceMs: this.#deps.clock.monotonicMs() });
    return last.request;
  }

  async #ofReference(wish: NewZvtRequest, reference: string): Promise<ZvtRequest | undefined> {
    const fits = (each: ZvtRequest) =>
      lineName(each) === lineName(wish) && each.tillReference === reference && this.#isYoung(each);
    const known =
      this.#recent.findLast(fits) ?? (await this.#search(fits, { maxAgeMs: REQUEST_LIMITS.referenceMs }));
    if (!known || isSame(known, wish)) return known;
    throw new ZvtError('reference-conflict', 'TLV 1F63 belongs to another request; send a new reference');
  }

  #isYoung({ atMs }: ZvtRequest): boolean {
    return this.#deps.clock.nowMs() - atMs < REQUEST_LIMITS.referenceMs;
  }

  async #journal(wish: NewZvtRequest): Promise<ZvtRequest> {
    const former = await this.#newestReceipt(wish.terminalId);
    const receipt = (former % REQUEST_LIMITS.maxReceipt) + 1;
    const atMs = this.#deps.clock.nowMs();
    const reference = wish.original ?? saleReference(wish, receipt, atMs);
    const request = { ...wish, receipt, reference };
    await this.#append(ZVT_REQUEST_ROW, request);
    return this.#remember({ ...request, atMs }, false, 0);
  }

  async #newestReceipt(terminalId: string): Promise<number> {
    const known = this.#receipts.get(terminalId);
    return known ?? (await this.#search((each) => each.terminalId === terminalId))?.receipt ?? 0;
  }

  async #append(kind: string, data: ZvtLine & Pick<ZvtRequest, 'receipt' | 'reference'>): Promise<void> {
    const { terminalId, till, receipt } = data;
    const reference = `${ROW_PREFIX}${JSON.stringify([terminalId, till, receipt])}`;
    const row = { kind, reference, terminalId, data: { ...data } as JsonObject };
    await this.#deps.journal.append({ atMs: this.#deps.clock.nowMs(), rows: [row] });
  }

  #remember(request: ZvtRequest, isAcknowledged: boolean, ageMs: number): ZvtRequest {
    const sinceMs = this.#deps.clock.monotonicMs();
    this.#last.set(lineName(request), { request, isAcknowledged, ageMs: Math.max(0, ageMs), sinceMs });
    this.#receipts.set(request.terminalId, request.receipt);
    if (this.#recent.length >= REQUEST_LIMITS.recent) this.#hasAll = false;
    this.#recent = [...this.#recent, request].slice(-REQUEST_LIMITS.recent);
    return request;
  }

  /** One after the other: of two equal requests the first journals, the second finds. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn
      .catch(() => undefined)
      .then(() => this.#load())
      .then(work);
    this.#turn = mine;
    return mine;
  }

  /** Reads the newest requests once; one that failed is tried again by the next call. */
  #load(): Promise<void> {
    this.#loaded ??= this.#read().catch((error: unknown) => {
      this.#loaded = undefined;
      throw error;
    });
    return this.#loaded;
  }

  async #read(): Promise<void> {
    const requests = (await this.#newest(ZVT_REQUEST_ROW)).flatMap((row) => requestOf(row) ?? []);
    this.#hasAll = requests.length < REQUEST_LIMITS.recent;
    const acknowledged = new Set(
      (await this.#newest(ZVT_ACKNOWLEDGED_ROW)).map((row) => acknowledgedKey(row.data)),
    );
    const nowMs = this.#deps.clock.nowMs();
    for (const request of requests.reverse())
      this.#remember(request, acknowledged.has(acknowledgedKey(request)), nowMs - request.atMs);
  }

  #newest(kind: string): Promise<readonly JournalRow[]> {
    return this.#deps.journal.rowsOfKind(kind, { ...ALL_TIMES, afterRow: 0, limit: REQUEST_LIMITS.recent });
  }

  /** Looks through the journal, newest first, back to an age or over so many requests of a terminal: not where memory reaches as far. */
  async #search(
    fits: (request: ZvtRequest) => boolean,
    { maxAgeMs, terminalId, most = Number.POSITIVE_INFINITY }: SearchRange = {},
  ): Promise<ZvtRequest | undefined> {
    const oldestMs = maxAgeMs === undefined ? 0 : this.#deps.clock.nowMs() - maxAgeMs;
    if (this.#hasAll || (this.#recent[0]?.atMs ?? oldestMs) < oldestMs) return undefined;
    let passed = 0;
    for (let afterRow = 0; ; ) {
      const range = { ...ALL_TIMES, afterRow, limit: REQUEST_LIMITS.page };
      const rows = await this.#deps.journal.rowsOfKind(ZVT_REQUEST_ROW, range);
      const requests = rows.flatMap((row) => requestOf(row) ?? []);
      const found = requests.find(fits);
      const end = rows.at(-1);
      if (found || !end || rows.length < REQUEST_LIMITS.page || end.atMs < oldestMs) return found;
      passed += requests.filter((each) => each.terminalId === terminalId).length;
      if (passed > most) return undefined;
      afterRow = end.row;
    }
  }
}

const ALL_TIMES = { sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER, newestFirst: true } as const;

/** What two calls of one request have in common. */
const SAME = [
  'category',
  'minor',
  'currency',
  'tillReference',
  'original',
] as const satisfies readonly (keyof NewZvtRequest)[];

function isSame(known: ZvtRequest, wish: NewZvtRequest): boolean {
  return SAME.every((name) => known[name] === wish[name]);
}

function lineName({ terminalId, till }: ZvtLine): string {
  return JSON.stringify([terminalId, till]);
}

function acknowledgedKey({ terminalId, till, receipt, reference }: JsonObject | ZvtRequest): string {
  return JSON.stringify([terminalId, till, receipt, reference]);
}

/** The reference of a sale: unique for ever, also after the receipt numbers begin anew. */
function saleReference({ till, terminalId }: ZvtLine, receipt: number, atMs: number): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([terminalId, till, receipt, atMs]))
    .digest('hex');
  return `zvt-${terminalId}-${receipt}-${digest.slice(0, 16)}`.slice(0, 64);
}

/** Only rows of this file are of its kind: the journal's hashes vouch for them. */
function requestOf({ kind, data, atMs }: JournalRow): ZvtRequest | undefined {
  return kind === ZVT_REQUEST_ROW ? { ...(data as unknown as Omit<ZvtRequest, 'atMs'>), atMs } : undefined;
}
