import { findAll } from '../../../kernel/store/all-rows.js';
import type {
  ApprovalReviewRow,
  ClaimRow,
  DecisionRow,
  EventRow,
  InboxRow,
  IntentRow,
  LinkExchangeRow,
  PaymentRow,
  Rows,
  WaitRow,
} from '../../../kernel/store/rows.js';
import type { Store } from '../../../kernel/store/store.js';
import { recordOf } from '../../acquirers/iso8583/journal/store-link-journal.js';
import { MAX_PARTS, mayHaveParts, partReference } from '../../acquirers/iso8583/rules/parts.js';
import { linkedPayments } from '../lookup/linked-payments.js';
import { referencesOfIntent, referencesOfPayment } from './references.js';

/** What the database has of a payment and of those that are linked with it. */
export interface PaymentRows {
  /** The payment that was named. */
  readonly paymentId: string;
  /** It, what it follows, what follows it, and other payments of the same till reference. */
  readonly payments: readonly PaymentRow[];
  readonly intents: readonly IntentRow[];
  readonly claims: readonly ClaimRow[];
  readonly tombstones: readonly Rows['tombstones'][];
  readonly inbox: readonly InboxRow[];
  readonly decisions: readonly DecisionRow[];
  readonly waits: readonly WaitRow[];
  readonly reviews: readonly ApprovalReviewRow[];
  /** What links to acquirers journaled: requests, answers, reversals. */
  readonly exchanges: readonly LinkExchangeRow[];
  readonly events: readonly EventRow[];
}

type Reader = Pick<Store, 'get' | 'find' | 'findAfter'>;

/** How long before and after an outcome its events are looked for, in milliseconds. */
const EVENTS_AROUND_MS = 2_000;
/** Events of one outcome's time that are looked at: a busy gateway makes more, of which the first count. */
const MAX_EVENTS_LOOKED_AT = 20_000;

/**
 * Reads what the database has of a payment: by its id, or by the id of one that has no outcome yet.
 * @returns undefined where there is none
 * @throws StoreUnavailableError
 */
export async function readPaymentRows(store: Reader, paymentId: string): Promise<PaymentRows | undefined> {
  const payments = await paymentsOf(store, paymentId);
  const ids = [...new Set([paymentId, ...payments.map(({ id }) => id)])];
  const intents = await intentsOf(store, ids);
  if (payments.length === 0 && intents.length === 0) return undefined;
  const messages = messagesOf(payments, intents);
  const all = [...new Set([...ids, ...intents.map((intent) => intent.paymentId)])];
  const [claims, tombstones, inbox, decisions, waits, reviews, exchanges, events] = await Promise.all([
    each(claimKeysOf(payments, intents), (key) => store.get('claims', key)),
    each(messages, (key) => store.get('tombstones', key)),
    each(messages, (key) => store.get('inbox', key)),
    every(all, (id) => findAll(store, 'decisions', 'payment', [id])),
    each(all, (id) => store.get('waits', [id])),
    each(all, (id) => store.get('approvalReviews', [id])),
    exchangesOf(store, payments, intents),
    eventsOf(store, payments),
  ]);
  return {
    ...{
      paymentId,
      payments,
      intents,
      claims,
      tombstones,
      inbox,
      decisions,
      waits,
      reviews,
      exchanges,
      events,
    },
  };
}

/** Payments with an outcome: the family, and what else a till sent under its reference. */
async function paymentsOf(store: Reader, paymentId: string): Promise<readonly PaymentRow[]> {
  const payment = await store.get('payments', [paymentId]);
  if (!payment) return [];
  const found = new Map<string, PaymentRow>();
  const { entityId, reference, agentId } = payment;
  const same =
    agentId === null || reference === null
      ? []
      : await findAll(store, 'payments', 'reference', [entityId, reference]);
  for (const row of [payment, ...same.filter((other) => other.agentId === agentId)])
    for (const linked of await linkedPayments(store, row)) found.set(linked.id, linked);
  return [...found.values()].filter(({ state }) => state !== 'pending').sort(byTime);
}

async function intentsOf(store: Reader, ids: readonly string[]): Promise<readonly IntentRow[]> {
  const own = await every(ids, (id) => findAll(store, 'intents', 'payment', [id]));
  const following = await every(ids, (id) => findAll(store, 'intents', 'root', [id]));
  return [...new Map([...own, ...following].map((row) => [row.id, row])).values()].sort(byTime);
}

function messagesOf(
  payments: readonly PaymentRow[],
  intents: readonly IntentRow[],
): readonly (readonly [string, string])[] {
  const keys = [...payments, ...intents].flatMap(({ agentId, messageId }) =>
    agentId === null || messageId === null ? [] : [[agentId, messageId] as const],
  );
  return [...new Map(keys.map((key) => [key.join(' '), key])).values()];
}

function claimKeysOf(
  payments: readonly PaymentRow[],
  intents: readonly IntentRow[],
): readonly (readonly [string, string])[] {
  const keys = [...payments, ...intents].flatMap(({ agentId, reference }) =>
    agentId === null || reference === null ? [] : [[agentId, reference] as const],
  );
  return [...new Map(keys.map((key) => [key.join(' '), key])).values()];
}

/** Exchanges of a link: of each reference that went to an acquirer, with its parts and what follows it. */
async function exchangesOf(
  store: Reader,
  payments: readonly PaymentRow[],
  intents: readonly IntentRow[],
): Promise<readonly LinkExchangeRow[]> {
  const references = new Set([
    ...payments.flatMap(referencesOfPayment),
    ...intents.flatMap(referencesOfIntent),
  ]);
  const found = new Map<string, LinkExchangeRow>();
  for (const reference of references) {
    const row = await store.get('linkExchanges', [reference]);
    const rows = row ? [row, ...(await partsOf(store, row))] : [];
    const following = await findAll(store, 'linkExchanges', 'original', [reference]);
    for (const each of [...rows, ...following]) found.set(each.reference, each);
  }
  return [...found.values()].sort(byTime);
}

async function partsOf(store: Reader, first: LinkExchangeRow): Promise<readonly LinkExchangeRow[]> {
  if (!mayHaveParts(recordOf(first))) return [];
  const parts: LinkExchangeRow[] = [];
  for (let part = 1; part < MAX_PARTS; part += 1) {
    const row = await store.get('linkExchanges', [partReference(first.reference, part)]);
    if (!row) break;
    parts.push(row);
  }
  return parts;
}

/** Events have no index by payment, and ids that sort by time: those around each outcome are looked at. */
async function eventsOf(store: Reader, payments: readonly PaymentRow[]): Promise<readonly EventRow[]> {
  const ids = new Set(payments.map(({ id }) => id));
  const found = new Map<string, EventRow>();
  for (const { createdAtMs } of payments) {
    let after = idAt(createdAtMs - EVENTS_AROUND_MS);
    const end = idAt(createdAtMs + EVENTS_AROUND_MS);
    for (let looked = 0; looked < MAX_EVENTS_LOOKED_AT && after < end; ) {
      const page = await store.findAfter('events', [after]);
      for (const event of page)
        if (event.paymentId !== null && ids.has(event.paymentId)) found.set(event.id, event);
      looked += page.length;
      after = page.at(-1)?.id ?? end;
    }
  }
  return [...found.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** The least id that was made at a time, or later (kernel/store/new-id.ts). */
function idAt(atMs: number): string {
  return Math.max(0, atMs).toString(16).padStart(12, '0');
}

async function each<K, T>(keys: readonly K[], get: (key: K) => Promise<T | undefined>): Promise<T[]> {
  const found: T[] = [];
  for (const key of keys) {
    const row = await get(key);
    if (row !== undefined) found.push(row);
  }
  return found;
}

async function every<K, T>(keys: readonly K[], find: (key: K) => Promise<readonly T[]>): Promise<T[]> {
  const found: T[] = [];
  for (const key of keys) found.push(...(await find(key)));
  return found;
}

function byTime(one: { readonly createdAtMs: number }, other: { readonly createdAtMs: number }): number {
  return one.createdAtMs - other.createdAtMs;
}
