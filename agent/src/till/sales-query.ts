import { type Static, Type } from '@tillbridge/platform/schema/type.js';
import type { SalesQuery } from '../sale/service/sale-service.js';
import { oneOf } from './bodies.js';
import { instantOf } from './store-time.js';
import { TillError } from './till-error.js';

/** Limits of lists, by name. */
export const LIST_LIMITS = { pageSize: 100, maxPageSize: 500 } as const;

const TIME = 'ISO 8601 with zone, or a date or local time in the zone of the store';

/** The query of everything that has a period. */
export const PERIOD_QUERY = {
  since: Type.Optional(Type.String({ description: `${TIME}; default: the start of today.` })),
  until: Type.Optional(Type.String({ description: `${TIME}; default: now.` })),
  terminalId: Type.Optional(Type.String({ description: 'Of this terminal alone.' })),
};

/** The query of `GET /v1/sales`. */
export const SALES_QUERY = Type.Object({
  ...PERIOD_QUERY,
  limit: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,3}$',
      description: `Sales of a page: 1 to ${LIST_LIMITS.maxPageSize}, default ${LIST_LIMITS.pageSize}.`,
      expected: 'a whole number',
    }),
  ),
  order: Type.Optional(
    oneOf(['oldest', 'newest'], 'Which stand first; default: oldest.', { expected: 'oldest or newest' }),
  ),
  after: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,15}$',
      description: '`next` of the page before.',
      expected: '`next` of the page before',
    }),
  ),
});

/**
 * The sales of a period.
 * @throws TillError for a time that cannot be read, and for a period that ends before it begins
 */
export function periodOf(
  {
    since,
    until,
    terminalId,
  }: { readonly since?: string; readonly until?: string; readonly terminalId?: string },
  { timeZone, nowMs }: { readonly timeZone: string; readonly nowMs: number },
): SalesQuery {
  const read = (field: string, text: string) => {
    const atMs = instantOf(text, timeZone, nowMs);
    if (atMs !== undefined) return atMs;
    throw new TillError('bad-request', `${field} must be ${TIME}, such as 2026-11-23`, field);
  };
  const sinceMs = read('since', since ?? 'today');
  const untilMs = until === undefined ? Math.max(nowMs + 1, sinceMs + 1) : read('until', until);
  if (untilMs <= sinceMs) throw new TillError('bad-request', 'until must be later than since', 'until');
  return { sinceMs, untilMs, ...(terminalId !== undefined && { terminalId }) };
}

/** The requested page of a list. @throws TillError */
export function pageOf({ limit, after }: Static<typeof SALES_QUERY>): {
  readonly after: number;
  readonly limit: number;
} {
  const size = limit === undefined ? LIST_LIMITS.pageSize : Number(limit);
  if (size >= 1 && size <= LIST_LIMITS.maxPageSize) return { after: Number(after ?? 0), limit: size };
  throw new TillError('bad-request', `limit must be 1 to ${LIST_LIMITS.maxPageSize}`, 'limit');
}
