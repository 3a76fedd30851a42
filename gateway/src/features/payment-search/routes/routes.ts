import { present } from '@tillbridge/wire/present.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PaymentRouteDeps } from '../../../core/payment-api/payment-deps.js';
import { paymentBody } from '../../../core/payment-api/routes.js';
import { findByReference } from '../../../core/payments/lookup/find-by-reference.js';
import {
  PAYMENT_EXPORT_PARAMETERS,
  PAYMENT_LIST_PARAMETERS,
  PAYMENT_TOTALS_PARAMETERS,
} from '../../../kernel/api/catalogue/payment-search.js';
import { callerOf } from '../../../kernel/http/request/authenticate.js';
import { done, invalidParameters } from '../../../kernel/http/request/envelope.js';
import { queryForm } from '../../../kernel/http/request/form.js';
import { frameFaults, frameOf } from '../../../kernel/http/request/time-frame.js';
import { needed, validValues } from '../../../kernel/http/request/valid-values.js';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import { type FoundPage, findPage } from '../find.js';
import { findById } from '../find-by-id.js';
import type { KnownSlices } from '../known-slices.js';
import { CSV_HEAD, csvLine } from '../rules/csv.js';
import { fits } from '../rules/search.js';
import type { EmailMark } from '../rules/slice.js';
import { TOTALS_LIMITS, totalsOfTime, totalsView } from '../totals.js';
import { cursorText, placeOfCursor, readSearch } from './read-search.js';

/** What the routes work with. */
interface SearchDeps extends PaymentRouteDeps {
  readonly slices: KnownSlices;
  readonly markOf: EmailMark;
}

const SEARCH = { config: { right: 'read', throttle: 'query' } } as const;

/** Payments of an answer, and of a file, without `limit`. */
const LIMITS = { list: 100, export: 10_000 } as const;
/** How much more than a list a file may look at. */
const EXPORT_SCALE = 10;
/** Types that are added up where none are named. */
const TOTALLED_TYPES = 'PA,PA.CP,DB';

/** Additions of ours: payments as a list, as a file, and added up (docs/search.md). */
export function searchRoutes(server: FastifyInstance, deps: SearchDeps): void {
  server.get('/v1/payments', SEARCH, async (request) => {
    const values = validValues(queryForm(request), PAYMENT_LIST_PARAMETERS);
    const { payments, next } = await found(deps, request, values, LIMITS.list);
    const records = payments.map(async (payment) => ({
      ...(await paymentBody(deps, payment)),
      // `timestamp` is that of the answer.
      at: new Date(payment.createdAtMs).toISOString(),
      state: payment.state,
      ...present({
        referencedId: payment.referencedId ?? undefined,
        agentId: payment.agentId ?? undefined,
        terminalId: payment.terminalId ?? undefined,
        // Of a till; others have it as merchantTransactionId.
        reference: payment.reference ?? undefined,
      }),
    }));
    return done(deps, {
      payments: await Promise.all(records),
      ...present({ next: next && cursorText(next) }),
    });
  });
  server.get('/v1/payments/export', SEARCH, async (request, reply) => {
    const values = validValues(queryForm(request), PAYMENT_EXPORT_PARAMETERS);
    const { payments, next } = await found(deps, request, values, LIMITS.export, EXPORT_SCALE);
    if (next) reply.header('x-next-cursor', cursorText(next));
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="payments.csv"')
      .send(CSV_HEAD + payments.map(csvLine).join(''));
  });
  server.get('/v1/payments/totals', SEARCH, async (request) => {
    const values = validValues(queryForm(request), PAYMENT_TOTALS_PARAMETERS);
    const owners = await callerOf(request).readableEntities(values.get('entityId'));
    const wanted = totalsRequest(values);
    return done(deps, totalsView(await totalsOfTime(deps.store, owners, wanted), wanted));
  });
}

/** The payments that are looked for: by an id or a reference those that it leads to, else page by page. */
async function found(
  { store, service, slices, markOf }: SearchDeps,
  request: FastifyRequest,
  values: ReadonlyMap<string, string>,
  standardLimit: number,
  scale = 1,
): Promise<FoundPage> {
  const owners = await callerOf(request).readableEntities(values.get('entityId'));
  const search = readSearch(values);
  const limit = Number(values.get('limit') ?? standardLimit);
  const after = placeOfCursor(values.get('cursor'));
  const id = values.get('id');
  if (id !== undefined) {
    const byId = SHORT_ID.test(id)
      ? await findPage(
          { store, slices, markOf },
          owners,
          { ...search, columns: { ...search.columns, shortId: [id] } },
          { limit },
        )
      : { payments: await findById({ store, service }, owners, id) };
    return { ...byId, payments: byId.payments.filter((payment) => fits(payment, search)) };
  }
  if (search.reference === undefined)
    return findPage({ store, slices, markOf }, owners, search, { limit, scale, ...present({ after }) });
  const named: PaymentRow[] = [];
  for (const each of await findByReference(store, owners, search.reference)) {
    const payment = await service.lookUp(each.id, each.entityId);
    if (payment && fits(payment, search)) named.push(payment);
  }
  return { payments: named.slice(0, limit) };
}

/** The number of a payment for people. */
const SHORT_ID = /^\d{4}\.\d{4}\.\d{4}$/;

function totalsRequest(values: ReadonlyMap<string, string>) {
  needed(values, 'date.from');
  const to = needed(values, 'date.to');
  const faults = frameFaults(values);
  if (faults.length > 0) throw invalidParameters(faults);
  const interval = values.get('interval') === 'hour' ? 'hour' : 'day';
  const frame = frameOf(values) ?? { fromMs: 0, toMs: 0 };
  const days = TOTALS_LIMITS.frameMs[interval] / 86_400_000;
  if (frame.toMs - frame.fromMs > TOTALS_LIMITS.frameMs[interval])
    throw invalidParameters([
      { name: 'date.to', value: to, message: `must be ${days} days after date.from at most, by ${interval}` },
    ]);
  const types = (values.get('paymentTypes') ?? TOTALLED_TYPES).split(',');
  return { ...frame, interval, types, ...present({ currency: values.get('currency') }) } as const;
}
