import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  REPORT_DETAIL_PARAMETERS,
  REPORT_LIST_PARAMETERS,
  REPORT_PAGE_PARAMETERS,
} from '../../../kernel/api/catalogue/reporting.js';
import { checkRequest, rowsOf } from '../../../kernel/api/check/check-request.js';
import type { ParameterError } from '../../../kernel/api/validate.js';
import { callerOf } from '../../../kernel/http/request/authenticate.js';
import type { HttpDeps } from '../../../kernel/http/request/deps.js';
import { envelope, invalidParameters, RequestRefused } from '../../../kernel/http/request/envelope.js';
import { queryForm } from '../../../kernel/http/request/form.js';
import { frameFaults } from '../../../kernel/http/request/time-frame.js';
import { validValues } from '../../../kernel/http/request/valid-values.js';
import type { SettlementRecordRow, SettlementRow } from '../../../kernel/store/rows.js';
import { rowsByTime } from '../../../kernel/store/rows-by-time.js';
import type { Range } from '../../../kernel/store/store.js';
import { recordJson, viewOf } from '../rules/columns.js';
import { SettlementAccounts } from '../settlement-accounts.js';
import { settlementView } from '../settlement-view.js';

export const REPORT_LIMITS = {
  /** Settlements, or records, of a page (docs/reports.md). */
  page: 100,
  /** Records of a settlement that are given at once at most. */
  whole: 1_000,
} as const;

const REPORTS = { config: { right: 'reports', throttle: 'query' } } as const;
const FOUND = '000.000.100';
const LIST_ROWS = [...rowsOf('report'), ...REPORT_LIST_PARAMETERS];
const DAY_MS = 24 * 3_600_000;
const ROOT = '/reports/v1/reconciliations/aggregations';

interface WithId {
  Params: { id: string };
}

type Values = ReadonlyMap<string, string>;

/** The settlements of a merchant, and their records (docs/reports.md). */
export function reportRoutes(server: FastifyInstance, deps: HttpDeps): void {
  server.get(ROOT, REPORTS, async (request) => {
    const values = listValues(request);
    const owners = await callerOf(request).readableEntities(values.get('entityId'));
    const { rows, hasMore } = await listed(deps, owners, values);
    return {
      ...found(deps, rows.length),
      aggregations: rows.map(settlementView),
      pages: pagesOf(values, hasMore),
    };
  });
  server.get<WithId>(`${ROOT}/:id`, REPORTS, async (request) => {
    const values = validValues(queryForm(request), REPORT_DETAIL_PARAMETERS);
    const settlement = await settlementOf(deps, request, values);
    if (settlement.recordCount > REPORT_LIMITS.whole) throw tooMany(request.params.id);
    const records = await recordsOf(deps, settlement, values, { limit: REPORT_LIMITS.whole });
    return { ...(await answer(deps, settlement, records)), pages: 1 };
  });
  server.get<WithId>('/reports/v2/reconciliations/aggregations/:id', REPORTS, async (request) => {
    const values = validValues(queryForm(request), REPORT_PAGE_PARAMETERS);
    const settlement = await settlementOf(deps, request, values);
    const { page } = REPORT_LIMITS;
    const type = values.get('reconciliationType');
    const records = await recordsOf(deps, settlement, values, {
      skip: (pageOf(values) - 1) * page,
      limit: page + 1,
      // The row of the parameter lists the types.
      ...(type !== undefined && { among: { recordType: [type as SettlementRecordRow['recordType']] } }),
    });
    const hasMore = records.length > page;
    return { ...(await answer(deps, settlement, records.slice(0, page))), pages: pagesOf(values, hasMore) };
  });
}

function listValues(request: FastifyRequest): Values {
  const form = queryForm(request);
  const { values, errors } = checkRequest(form.parameters, { operation: 'report' }, LIST_ROWS);
  const faults: ParameterError[] = [...form.errors, ...errors, ...frameFaults(values)];
  if (faults.length > 0) throw invalidParameters(faults);
  return values;
}

async function listed(
  { store }: HttpDeps,
  owners: readonly string[],
  values: Values,
): Promise<{ readonly rows: readonly SettlementRow[]; readonly hasMore: boolean }> {
  const currency = values.get('currency');
  const source = sourceOf(values);
  const by = { index: 'owner', timeOf: ({ settledAtMs }: SettlementRow) => settledAtMs };
  const wanted = rowsByTime(store, 'settlements', by, owners, {
    from: dayOf(values.get('date.from')),
    below: dayOf(values.get('date.to')) + DAY_MS,
    among: {
      state: ['closed'],
      ...(currency !== undefined && { currency: [currency] }),
      ...(source !== undefined && { source: [source] }),
    },
  });
  const first = (pageOf(values) - 1) * REPORT_LIMITS.page;
  const rows: SettlementRow[] = [];
  let at = 0;
  for await (const row of wanted) {
    if (rows.length === REPORT_LIMITS.page) return { rows, hasMore: true };
    if (at >= first) rows.push(row);
    at += 1;
  }
  return { rows, hasMore: false };
}

/** Where the settlements of a test mode come from; undefined where none is named: all are shown. */
function sourceOf(values: Values): SettlementRow['source'] | undefined {
  const testMode = values.get('testMode');
  if (testMode === undefined) return undefined;
  return testMode === 'INTERNAL' ? 'INTERNAL' : 'FILE';
}

/** A settlement that the caller may read. @throws RequestRefused for one that is unknown or another's: both give the same answer */
async function settlementOf(
  { store }: HttpDeps,
  request: FastifyRequest<WithId>,
  values: Values,
): Promise<SettlementRow> {
  const owners = await callerOf(request).readableEntities(values.get('entityId'));
  const settlement = await store.get('settlements', [request.params.id]);
  const source = sourceOf(values);
  const isOfMode = source === undefined || settlement?.source === source;
  if (settlement?.state !== 'closed' || !owners.includes(settlement.entityId) || !isOfMode)
    throw new RequestRefused('nothing-found');
  return settlement;
}

/** Records by the time of their transactions, by default the oldest first (`sortOrder`). */
function recordsOf(
  { store }: HttpDeps,
  { id }: SettlementRow,
  values: Values,
  range: Pick<Range<'settlementRecords'>, 'skip' | 'limit' | 'among'>,
): Promise<readonly SettlementRecordRow[]> {
  const descending = values.get('sortOrder')?.toUpperCase() === 'DESC';
  return store.findRange('settlementRecords', 'time', { equals: [id], descending, ...range });
}

async function answer(
  deps: HttpDeps,
  settlement: SettlementRow,
  records: readonly SettlementRecordRow[],
): Promise<object> {
  const account = await new SettlementAccounts(deps).of(settlement.entityId);
  if (!account) throw new RequestRefused('nothing-found');
  return {
    ...found(deps, records.length),
    aggregation: settlementView(settlement),
    records: records.map((record) => recordJson(viewOf(record, account))),
  };
}

/** @throws RequestRefused where there is nothing */
function found(deps: HttpDeps, count: number): object {
  if (count === 0) throw new RequestRefused('nothing-found');
  return envelope(deps, FOUND);
}

function pageOf(values: Values): number {
  return Number(values.get('pageNo') ?? 1);
}

/** How many pages are known. */
function pagesOf(values: Values, hasMore: boolean): number {
  return pageOf(values) + (hasMore ? 1 : 0);
}

/** Start of a day in UTC. */
function dayOf(date: string | undefined): number {
  return Date.parse(`${date ?? ''}T00:00:00Z`);
}

function tooMany(id: string): RequestRefused {
  const message = `has more than ${REPORT_LIMITS.whole} records: read it page by page at /reports/v2/…`;
  return invalidParameters([{ name: 'id', value: id, message }]);
}
