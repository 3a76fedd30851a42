import { transferReferencesIn } from '@tillbridge/wire/payment/creditor-reference.js';
import { wholeReference } from '../../../core/acquirers/iso8583/rules/parts.js';
import { paymentsByTime } from '../../../core/payments/lookup/find-by-time.js';
import { awaitedTransfer } from '../../../core/payments/lookup/transfers.js';
import { isSettledAs, ROWS_BY_TYPE } from '../../../core/payments/rules/follow-up-rows.js';
import type { PaymentRow, SettlementRecordRow } from '../../../kernel/store/rows.js';
import type { Store } from '../../../kernel/store/store.js';
import type { ImportedRow } from '../rules/import-row.js';

const MATCH_LIMITS = {
  /** A payment without an id is looked for so long before and after, in milliseconds. */
  windowMs: 3 * 24 * 3_600_000,
  /** Payments that are looked at for rows without an id that come together: so many, and so many for each of them. */
  candidates: 200_000,
  candidatesPerRow: 100,
  /** Payments that a record names at most. */
  matches: 10,
} as const;

/** The payments that a record fits, and why there is not exactly one. */
export interface Matched {
  readonly status: SettlementRecordRow['matching'];
  readonly payments: readonly PaymentRow[];
  readonly why?: string;
  /** The payment with the card, where the one that fits is a capture or refund of it. */
  readonly root?: PaymentRow;
}

/** What of the store is read. */
type Reads = Pick<Store, 'get' | 'find' | 'findRange'>;

/** The payments that records without an id fit, by their ids, and whether all that may fit were looked at. */
export type FoundByAmount = ReadonlyMap<
  ImportedRow,
  { readonly ids: readonly string[]; readonly isWhole: boolean }
>;

/**
 * The payments of these entities that records are about, in the order of the records: by the ids that they have; without one by amount,
 * currency, last four digits and time.
 * @param known what {@link findByAmount} has found for those without an id; absent: they are looked for
 * @throws StoreUnavailableError
 */
export async function matchRecords(
  store: Reads,
  entityIds: readonly string[],
  rows: readonly ImportedRow[],
  known?: FoundByAmount,
): Promise<readonly Matched[]> {
  // Reads that come together are one query.
  const named = await Promise.all(rows.map((row) => byIds(store, entityIds, row)));
  const nameless = rows.filter((_, at) => !named[at]);
  const found = known ?? (await findByAmount(store, entityIds, nameless));
  return Promise.all(
    rows.map(async (row, at) => {
      const matched = named[at] ?? (await byAmount(store, row, found.get(row)));
      const [payment] = matched.status === 'MATCHED' ? matched.payments : [];
      const root = payment?.rootId == null ? undefined : await store.get('payments', [payment.rootId]);
      return root ? { ...matched, root } : matched;
    }),
  );
}

/** Whether a payment can be found by amount, currency, last four digits and time alone. Pure. */
export function isNameless({ paymentId, detail }: ImportedRow): boolean {
  const { connectorTxIds = [], merchantTransactionId, descriptor = '' } = detail;
  const isNamed = paymentId !== undefined || connectorTxIds.length > 0 || merchantTransactionId !== undefined;
  return !isNamed && transferReferencesIn(descriptor).length === 0;
}

/** By the first of its ids that is known; undefined where it has none. */
async function byIds(
  store: Reads,
  entityIds: readonly string[],
  row: ImportedRow,
): Promise<Matched | undefined> {
  const { paymentId, detail } = row;
  const { connectorTxIds = [], merchantTransactionId, descriptor = '' } = detail;
  const tried: string[] = [];
  const own = (payment: PaymentRow | undefined) =>
    payment && entityIds.includes(payment.entityId) ? payment : undefined;
  const ofReference = async (reference: string) => {
    const intent = await store.get('intents', [reference]);
    return intent && own(await paymentOf(store, intent.paymentId));
  };
  if (paymentId !== undefined) {
    tried.push(`UniqueID ${paymentId}`);
    const payment = own(await paymentOf(store, paymentId));
    if (payment) return one(payment);
  }
  for (const reference of [...connectorTxIds, descriptor].flatMap(transferReferencesIn)) {
    tried.push(`the transfer reference ${reference}`);
    const known = await store.get('transferReferences', [reference]);
    const payment = known && own(await paymentOf(store, known.paymentId));
    if (payment) return one(payment);
  }
  for (const id of connectorTxIds) {
    tried.push(`ConnectorTxId ${id}`);
    const direct = await ofReference(id);
    if (direct) return one(direct);
    // Acquirers know a message by its retrieval reference number.
    for (const { reference } of await store.find('linkExchanges', 'rrn', [id], {
      limit: MATCH_LIMITS.matches,
    })) {
      const linked = await ofReference(wholeReference(reference));
      if (linked) return one(linked);
    }
  }
  if (merchantTransactionId !== undefined) {
    tried.push(`TransactionId ${merchantTransactionId}`);
    const limit = MATCH_LIMITS.candidates;
    const found = await Promise.all(
      entityIds.map((id) => store.find('payments', 'reference', [id, merchantTransactionId], { limit })),
    );
    const fitting = found.flat().filter((payment) => fits(row, payment));
    if (fitting.length > 0)
      return verdictOf(fitting, '', `several payments have the TransactionId ${merchantTransactionId}`);
  }
  return tried.length > 0 ? none(`this merchant has no payment with ${tried.join(' or ')}`) : undefined;
}

/** The payment of an id, also while it waits for its transfer. */
async function paymentOf(store: Reads, id: string): Promise<PaymentRow | undefined> {
  return (await store.get('payments', [id])) ?? (await awaitedTransfer(store, id))?.payment;
}

/** A record without an id, and the payments that fit so far. */
interface Search {
  readonly row: ImportedRow;
  readonly last4Digits: string;
  readonly ids: string[];
}

/**
 * Finds the payments of records without an id: one walk through the payments of their time and their amounts finds those of all. What is read
 * does not grow with the records that come together.
 * @throws StoreUnavailableError
 */
export async function findByAmount(
  store: Reads,
  entityIds: readonly string[],
  rows: readonly ImportedRow[],
): Promise<FoundByAmount> {
  const searches = new Map<string, Search[]>();
  for (const row of rows) {
    const { last4Digits } = row.detail;
    // A fee that names no payment is about none.
    if (row.recordType === 'FEE' || last4Digits === undefined) continue;
    const key = keyOf(row, last4Digits);
    const search = { row, last4Digits, ids: [] };
    const alike = searches.get(key);
    if (alike) alike.push(search);
    else searches.set(key, [search]);
  }
  const all = [...searches.values()].flat();
  const isWhole = all.length === 0 || (await search(store, entityIds, searches, all));
  return new Map(all.map(({ row, ids }) => [row, { ids, isWhole }]));
}

/** The verdict on a record without an id. */
async function byAmount(
  store: Reads,
  row: ImportedRow,
  found: { readonly ids: readonly string[]; readonly isWhole: boolean } | undefined,
): Promise<Matched> {
  if (row.recordType === 'FEE') return NO_PAYMENT;
  if (!found) return none('it has neither an id of a payment nor last four digits');
  const payments = await Promise.all(found.ids.map((id) => store.get('payments', [id])));
  const what = 'this amount, currency and last four digits within three days';
  const whyNone = found.isWhole
    ? `no payment has ${what}`
    : `too many payments have these amounts: none of those looked at has ${what}`;
  return verdictOf(
    payments.filter((payment) => payment !== undefined),
    whyNone,
    `several payments have ${what}`,
  );
}

/** Finds the payments of searches. @returns false where there are too many to look at all */
async function search(
  store: Reads,
  entityIds: readonly string[],
  searches: ReadonlyMap<string, readonly Search[]>,
  all: readonly Search[],
): Promise<boolean> {
  const { windowMs, candidates, candidatesPerRow, matches } = MATCH_LIMITS;
  const most = Math.max(candidates, candidatesPerRow * all.length);
  const among = {
    amountMinor: [...new Set(all.map(({ row }) => row.amountMinor))],
    currency: [...new Set(all.map(({ row }) => row.currency))],
  };
  let open = all.length;
  let seen = 0;
  for (const frame of framesOf(all.map(({ row }) => row.requestedAtMs))) {
    for await (const payment of paymentsByTime(store, entityIds, { ...frame, among })) {
      seen += 1;
      if (seen > most) return false;
      const last4Digits = await last4Of(store, payment);
      if (last4Digits === null) continue;
      for (const { row, ids } of searches.get(keyOf(payment, last4Digits)) ?? []) {
        const isNear = Math.abs(payment.createdAtMs - row.requestedAtMs) <= windowMs;
        if (ids.length === matches || !isNear || !fits(row, payment)) continue;
        ids.push(payment.id);
        if (ids.length === matches) open -= 1;
      }
      if (open === 0) return true;
    }
  }
  return true;
}

/** The times around these, those that touch as one. */
function framesOf(timesMs: readonly number[]): readonly { readonly fromMs: number; readonly toMs: number }[] {
  const { windowMs } = MATCH_LIMITS;
  const frames: { readonly fromMs: number; toMs: number }[] = [];
  for (const timeMs of [...timesMs].sort((a, b) => a - b)) {
    const [fromMs, toMs] = [timeMs - windowMs, timeMs + windowMs + 1];
    const last = frames.at(-1);
    if (last && fromMs <= last.toMs) last.toMs = toMs;
    else frames.push({ fromMs, toMs });
  }
  return frames;
}

function keyOf(
  { amountMinor, currency }: Pick<PaymentRow, 'amountMinor' | 'currency'>,
  last4Digits: string,
): string {
  return `${amountMinor} ${currency} ${last4Digits}`;
}

/** Whether a record can be of this payment. */
function fits({ transactionType, amountMinor, currency }: ImportedRow, payment: PaymentRow): boolean {
  const { type, state, capturedMinor } = payment;
  const isPaid = type !== 'PA' || capturedMinor > 0;
  const isKind = !isSettledAs(transactionType) || ROWS_BY_TYPE.get(type)?.settledAs === transactionType;
  return (
    isKind &&
    isPaid &&
    state !== 'declined' &&
    payment.amountMinor === amountMinor &&
    payment.currency === currency
  );
}

/** A capture or refund has the card of its root. */
async function last4Of(
  store: Pick<Store, 'get'>,
  { last4Digits, rootId }: PaymentRow,
): Promise<string | null> {
  if (last4Digits !== null || rootId === null) return last4Digits;
  return (await store.get('payments', [rootId]))?.last4Digits ?? null;
}

function verdictOf(payments: readonly PaymentRow[], whyNone: string, whySeveral: string): Matched {
  const [first, ...more] = payments;
  if (!first) return none(whyNone);
  if (more.length === 0) return one(first);
  return { status: 'MULTIPLE_MATCHES', payments: payments.slice(0, MATCH_LIMITS.matches), why: whySeveral };
}

const one = (payment: PaymentRow): Matched => ({ status: 'MATCHED', payments: [payment] });
const none = (why: string): Matched => ({ status: 'NOT_MATCHED', payments: [], why });
/** What is about no payment. */
export const NO_PAYMENT: Matched = { status: null, payments: [] };
