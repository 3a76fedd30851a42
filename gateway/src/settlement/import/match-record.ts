import { paymentsByTime } from '../../payments/find/find-by-time.js';
import type { PaymentRow, SettlementRecordRow } from '../../store/rows.js';
import type { Store } from '../../store/store.js';
import type { ImportedRow } from '../decide/import-row.js';

export const MATCH_LIMITS = {
  /** A payment without an id is looked for so long before and after, in milliseconds. */
  windowMs: 3 * 24 * 3_600_000,
  /** Payments of one amount that are looked at. */
  candidates: 1_000,
  /** Payments that a record names at most. */
  matches: 10,
} as const;

/** The payments that a record fits, and why there is not exactly one. */
export interface Matched {
  readonly status: SettlementRecordRow['matching'];
  readonly payments: readonly PaymentRow[];
  readonly why?: string;
}

/** Types of payments by the transaction type of a record. */
const TYPES: Readonly<Record<string, readonly PaymentRow['type'][]>> = {
  DEBIT: ['DB', 'PA', 'CP', 'RB', 'RC'],
  REFUND: ['RF', 'RV'],
  CREDIT: ['CD'],
};

/**
 * The payments of these entities that a record is about: by the ids that it has; without one by amount, currency, last four digits and time.
 * @throws StoreUnavailableError
 */
export async function matchRecord(
  store: Pick<Store, 'get' | 'find' | 'findRange'>,
  entityIds: readonly string[],
  row: ImportedRow,
): Promise<Matched> {
  const named = await byIds(store, entityIds, row);
  if (named) return named;
  // A fee that names no payment is about none.
  if (row.recordType === 'FEE') return { status: null, payments: [] };
  const { last4Digits } = row.detail;
  if (last4Digits === undefined) return none('it has neither an id of a payment nor last four digits');
  const found = await byAmount(store, entityIds, row, last4Digits);
  const what = 'this amount, currency and last four digits within three days';
  return verdictOf(found, `no payment has ${what}`, `several payments have ${what}`);
}

/** By the first of its ids that somebody knows; undefined where it has none. */
async function byIds(
  store: Pick<Store, 'get' | 'find'>,
  entityIds: readonly string[],
  row: ImportedRow,
): Promise<Matched | undefined> {
  const { paymentId, detail } = row;
  const { connectorTxIds = [], merchantTransactionId } = detail;
  const tried: string[] = [];
  const own = (payment: PaymentRow | undefined) =>
    payment && entityIds.includes(payment.entityId) ? payment : undefined;
  if (paymentId !== undefined) {
    tried.push(`UniqueID ${paymentId}`);
    const payment = own(await store.get('payments', [paymentId]));
    if (payment) return one(payment);
  }
  for (const reference of connectorTxIds) {
    tried.push(`ConnectorTxId ${reference}`);
    const intent = await store.get('intents', [reference]);
    const payment = intent && own(await store.get('payments', [intent.paymentId]));
    if (payment) return one(payment);
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

async function byAmount(
  store: Pick<Store, 'get' | 'findRange'>,
  entityIds: readonly string[],
  row: ImportedRow,
  last4Digits: string,
): Promise<readonly PaymentRow[]> {
  const { requestedAtMs, amountMinor, currency } = row;
  const { windowMs, candidates, matches } = MATCH_LIMITS;
  const frame = { fromMs: requestedAtMs - windowMs, toMs: requestedAtMs + windowMs + 1 };
  const among = { amountMinor: [amountMinor], currency: [currency] };
  const found: PaymentRow[] = [];
  let seen = 0;
  for await (const payment of paymentsByTime(store, entityIds, { ...frame, among })) {
    seen += 1;
    if (fits(row, payment) && (await last4Of(store, payment)) === last4Digits) found.push(payment);
    if (seen === candidates || found.length === matches) break;
  }
  return found;
}

/** Whether a payment can be what a record says it was. */
function fits({ transactionType, amountMinor, currency }: ImportedRow, payment: PaymentRow): boolean {
  const { type, state, capturedMinor } = payment;
  const isPaid = type !== 'PA' || capturedMinor > 0;
  const isKind = TYPES[transactionType]?.includes(type) ?? true;
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
