import { createHash } from 'node:crypto';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Journal, JournalRow, JsonObject } from '../../journal/journal.js';
import { SaleError } from '../../sale/service/sale-service.js';
import { SERVICE_ID_HOURS } from '../messages/header.js';

/** The kind of the row that maps a ServiceID to a sale. */
export const TILL_REQUEST_ROW = 'till-request';

/** Requests that move money: each is found again by its ServiceID. */
export type MoneyCategory = 'Payment' | 'Reversal';

/** Who speaks, and about which of its requests. */
interface RequestKey {
  readonly saleId: string;
  readonly terminalId: string;
  readonly serviceId: string;
}

/** A request of a till, as it is journaled before anything is done. */
export interface TillRequest extends RequestKey {
  readonly category: MoneyCategory;
  /** As the till wrote it. */
  readonly poiId: string;
  /** The sale that it begins, or the one that it reverses. */
  readonly reference: string;
  /** Of a reversal: the sale that is reversed. */
  readonly original?: string;
  /** Of a refund of a part: minor units. A reversal without it is of all, and begins no separate sale. */
  readonly minor?: number;
  /** What the till calls the transaction, and when it began there. */
  readonly transactionId: string;
  readonly timeStamp: string;
  readonly atMs: number;
}

/** What a till requests. */
export type NewTillRequest = Omit<TillRequest, 'atMs' | 'reference'>;

/** Requests kept in memory: those that run, and those that a till may ask for again soon. */
const MAX_RECENT = 2_000;
/** Requests that are looked through at once for the last one of a till. */
const PAGE = 500;
const SERVICE_ID_MS = SERVICE_ID_HOURS * 3_600_000;
/** It begins with a blank, as no reference of a till does: rows of a sale and of a ServiceID never mix. */
const ROW_PREFIX = ' nexo ';

/** The journaled requests of tills: which sale a ServiceID stands for. */
export class TillRequests {
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #recent = new Map<string, TillRequest>();
  readonly #begins = new Map<string, Promise<TillRequest>>();

  constructor(journal: Journal, clock: Clock) {
    this.#journal = journal;
    this.#clock = clock;
  }

  /**
   * The request as it is journaled: the one that the till sent before, or a new one.
   * @throws SaleError `reference-conflict` where the ServiceID belongs to another request, JournalUnavailable
   */
  begin(wish: NewTillRequest): Promise<TillRequest> {
    const name = rowReference(wish);
    // One after the other: of two calls with one ServiceID the first journals, the second finds.
    const before = this.#begins.get(name) ?? Promise.resolve(undefined);
    const mine = before.catch(() => undefined).then(() => this.#begin(wish));
    this.#begins.set(name, mine);
    const tidy = () => {
      if (this.#begins.get(name) === mine) this.#begins.delete(name);
    };
    mine.then(tidy, tidy);
    return mine;
  }

  /** The newest request of a ServiceID. @throws JournalUnavailable */
  async find(key: RequestKey, category: MoneyCategory): Promise<TillRequest | undefined> {
    const name = rowReference(key);
    // One that is journaled right now is known by then.
    await this.#begins.get(name)?.catch(() => undefined);
    const recent = this.#recent.get(name);
    if (recent?.category === category) return recent;
    return (await this.#journaled(key)).findLast((each) => each.category === category);
  }

  /** The request that a till began last on a terminal, within the time of a ServiceID. @throws JournalUnavailable */
  async last(
    { saleId, terminalId }: Omit<RequestKey, 'serviceId'>,
    category: MoneyCategory,
  ): Promise<TillRequest | undefined> {
    const fits = (each: TillRequest | undefined): each is TillRequest =>
      each?.saleId === saleId && each.terminalId === terminalId && each.category === category;
    const range = { sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER, newestFirst: true, limit: PAGE };
    const oldestMs = this.#clock.nowMs() - SERVICE_ID_MS;
    for (let afterRow = 0; ; ) {
      const rows = await this.#journal.rowsOfKind(TILL_REQUEST_ROW, { ...range, afterRow });
      const found = rows.map(requestOf).find(fits);
      const end = rows.at(-1);
      if (found || !end || rows.length < PAGE || end.atMs < oldestMs) return found;
      afterRow = end.row;
    }
  }

  /** The request that began a sale, while it is remembered. */
  ofSale(reference: string): TillRequest | undefined {
    return [...this.#recent.values()].findLast(
      (each) => each.reference === reference && !isReversalOfAll(each),
    );
  }

  async #begin(wish: NewTillRequest): Promise<TillRequest> {
    const name = rowReference(wish);
    const known = this.#recent.get(name) ?? (await this.#journaled(wish)).at(-1);
    if (known && isSame(known, wish)) return this.#remember(known);
    const nowMs = this.#clock.nowMs();
    if (known && nowMs - known.atMs < SERVICE_ID_MS) {
      const { serviceId, saleId } = wish;
      throw new SaleError(
        'reference-conflict',
        `ServiceID ${serviceId} of ${saleId} belongs to another request; it is free after ${SERVICE_ID_HOURS} hours`,
      );
    }
    const request = { ...wish, reference: isReversalOfAll(wish) ? wish.original : saleReference(wish) };
    await this.#journal.append({
      atMs: nowMs,
      rows: [
        {
          kind: TILL_REQUEST_ROW,
          reference: name,
          terminalId: wish.terminalId,
          data: { ...request } as JsonObject,
        },
      ],
    });
    return this.#remember({ ...request, atMs: nowMs });
  }

  async #journaled(key: RequestKey): Promise<readonly TillRequest[]> {
    const rows = await this.#journal.rowsOf(rowReference(key));
    return rows.map(requestOf).filter((each) => each !== undefined);
  }

  #remember(request: TillRequest): TillRequest {
    const name = rowReference(request);
    this.#recent.delete(name);
    this.#recent.set(name, request);
    for (const oldest of this.#recent.keys()) {
      if (this.#recent.size <= MAX_RECENT) break;
      this.#recent.delete(oldest);
    }
    return request;
  }
}

/** Whether it reverses all of a sale, and begins none. */
export function isReversalOfAll<R extends NewTillRequest>(
  request: R,
): request is R & { readonly original: string } {
  return request.original !== undefined && request.minor === undefined;
}

/** The reference of the sale that a request begins: the same for the same request, for ever. */
function saleReference(wish: NewTillRequest): string {
  const digest = createHash('sha256').update(JSON.stringify(SAME.map((name) => wish[name] ?? null)));
  return `nexo-${wish.serviceId}-${digest.digest('hex').slice(0, 16)}`;
}

/** What two calls of one request have in common. */
const SAME = [
  'category',
  'saleId',
  'terminalId',
  'serviceId',
  'transactionId',
  'timeStamp',
  'original',
  'minor',
] as const satisfies readonly (keyof NewTillRequest)[];

function isSame(known: TillRequest, wish: NewTillRequest): boolean {
  return SAME.every((name) => known[name] === wish[name]);
}

function rowReference({ terminalId, saleId, serviceId }: RequestKey): string {
  return `${ROW_PREFIX}${JSON.stringify([terminalId, saleId, serviceId])}`;
}

/** Only rows of this file are of its kind: the journal's hashes vouch for them. */
function requestOf({ kind, data, atMs }: JournalRow): TillRequest | undefined {
  return kind === TILL_REQUEST_ROW ? { ...(data as unknown as Omit<TillRequest, 'atMs'>), atMs } : undefined;
}
