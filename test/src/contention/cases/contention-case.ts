import type { LedgerRow } from '@tillbridge/gateway/core/acquirers/internal/ledger-rows.js';
import type { TableName } from '@tillbridge/gateway/kernel/store/rows.js';
import type { Store } from '@tillbridge/gateway/kernel/store/store.js';
import type { RestRequest } from '../../tenants/rest-client.js';
import type { Stranger } from '../../tenants/stranger.js';

/** What a case prepares with: a new merchant without any data. */
export interface Stage {
  readonly own: Stranger;
  /** How many requests go out at once. */
  readonly atOnce: number;
  readonly store: Store;
  /** Where a shop answers every call. */
  readonly shopUrl: string;
  /** Sends a request that prepares. @throws Error unless it is answered 200 */
  send(request: RestRequest): Promise<Readonly<Record<string, unknown>>>;
}

/** How many: a number, all that go out at once, or one between two bounds. */
export type Count = number | 'all' | readonly [from: number, to: number | 'all'];

/** The request of each place, made before any goes out. */
export type RequestAt = (at: number) => RestRequest;

/** Requests that go out at once, and what they may bring about. */
export interface ContentionCase {
  readonly what: string;
  /** Prepares what they need. */
  readonly requests: (stage: Stage) => RequestAt | Promise<RequestAt>;
  /** Statuses that are answers here, in addition to 200. */
  readonly refused?: readonly number[];
  /** Answers 200; absent: one at least. */
  readonly accepted?: Count;
  /** Different values of members of the answers 200, such as `id`. */
  readonly different?: Readonly<Record<string, Count>>;
  /** Approved transactions in the acquirer's record; a kind that is not named has none. */
  readonly money?: Readonly<Partial<Record<LedgerRow['kind'], Count>>>;
  /** Rows that there are more, or fewer, by their table. */
  readonly rows?: Readonly<Partial<Record<TableName, Count>>>;
  /** The answers are not those of the payments that are made: these are not compared. */
  readonly answersOther?: true;
  /** What else is wrong in the end, in words. */
  readonly check?: (stage: Stage) => Promise<readonly string[]>;
}

/** Of a route: the same request many times, and requests that cannot all be carried out, or that change the same. */
interface RouteContention {
  readonly equal: readonly [ContentionCase, ...ContentionCase[]];
  readonly conflicting: readonly [ContentionCase, ...ContentionCase[]];
}

/** By the name of the route, such as `POST /v1/payments`. */
export type ContentionTable = Readonly<Record<string, RouteContention>>;

/** The bounds of a count. */
export function boundsOf(count: Count, atOnce: number): readonly [from: number, to: number] {
  const number = (value: number | 'all') => (value === 'all' ? atOnce : value);
  return typeof count === 'object' ? [count[0], number(count[1])] : [number(count), number(count)];
}
