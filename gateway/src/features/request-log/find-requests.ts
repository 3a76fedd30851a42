import { present } from '@tillbridge/wire/present.js';
import type { Values } from '../../kernel/http/request/administration.js';
import { frameOf } from '../../kernel/http/request/time-frame.js';
import type { RequestLogRow } from '../../kernel/store/rows.js';
import { rowsByTime } from '../../kernel/store/rows-by-time.js';
import { FIND_LIMIT, type Range, type Store } from '../../kernel/store/store.js';

/** A page of requests, and the id that the next page comes after. */
interface RequestPage {
  readonly rows: readonly RequestLogRow[];
  readonly next?: string;
}

type Among = NonNullable<Range<'requestLog'>['among']>;

/** Hex digits of the time in an id (kernel/store/new-id.ts). */
const TIME_DIGITS = 12;

/** A page of the requests of entities, the newest first. @throws StoreUnavailableError */
export async function findRequests(
  store: Pick<Store, 'get' | 'findRange'>,
  owners: readonly string[],
  values: Values,
  limit: number,
): Promise<RequestPage> {
  const after = values.get('after');
  const paymentId = values.get('paymentId');
  const range = { ...timesOf(values, after), among: amongOf(values) };
  const found =
    paymentId === undefined
      ? rowsByTime(store, 'requestLog', BY_TIME, owners, range, limit + 1)
      : ofPayment(store, owners, paymentId, range);
  const rows: RequestLogRow[] = [];
  for await (const row of found) {
    // Of the same millisecond as the last one of the page before.
    if (after !== undefined && row.id >= after) continue;
    rows.push(row);
    if (rows.length > limit) break;
  }
  const page = rows.slice(0, limit);
  return { rows: page, ...present({ next: rows.length > limit ? page.at(-1)?.id : undefined }) };
}

const BY_TIME = {
  index: 'entity',
  timeOf: ({ createdAtMs }: RequestLogRow): number => createdAtMs,
} as const;

/** From and below, of the frame and of the page before. */
function timesOf(
  values: Values,
  after: string | undefined,
): { readonly from?: number; readonly below?: number } {
  const frame = frameOf(values);
  const belowOfPage = after === undefined ? undefined : Number.parseInt(after.slice(0, TIME_DIGITS), 16) + 1;
  const belows = [frame?.toMs, belowOfPage].filter((below) => below !== undefined);
  return {
    ...(frame && { from: frame.fromMs }),
    ...(belows.length > 0 && { below: Math.min(...belows) }),
  };
}

function amongOf(values: Values): Among {
  const limited = ['outcome', 'resultCode', 'path'].flatMap((name) => {
    const value = values.get(name);
    return value === undefined ? [] : [[name, [value]] as const];
  });
  return Object.fromEntries(limited);
}

/** Requests of a payment: those that name it, and the one that made it, which may have named the payment that it follows. */
async function* ofPayment(
  store: Pick<Store, 'get' | 'findRange'>,
  owners: readonly string[],
  paymentId: string,
  range: Pick<Range<'requestLog'>, 'from' | 'below' | 'among'>,
): AsyncGenerator<RequestLogRow, void> {
  const payment = await store.get('payments', [paymentId]);
  const followed = payment && owners.includes(payment.entityId) ? payment.referencedId : null;
  const read = (id: string) =>
    store.findRange('requestLog', 'payment', { ...range, equals: [id], descending: true, limit: FIND_LIMIT });
  const [own, ofFollowed] = [await read(paymentId), followed === null ? [] : await read(followed)];
  const rows = [...own, ...ofFollowed.filter(({ madeId }) => madeId === paymentId)];
  yield* rows.filter(({ entityId }) => owners.includes(entityId)).sort((a, b) => (a.id > b.id ? -1 : 1));
}
