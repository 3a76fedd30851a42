import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { type AcquirerRecord, isChargebackKind, type RecordEntry } from '../../core/acquirers/acquirer.js';
import { intentOfEntry } from '../../core/payments/lookup/intent-of-entry.js';
import { detailOf } from '../../core/payments/rules/intent-detail.js';
import { decideAgain } from '../../kernel/store/decide-again.js';
import { newTimeOrderedId } from '../../kernel/store/new-id.js';
import type {
  IntentRow,
  PaymentRow,
  SettlementCursorRow,
  SettlementRecordRow,
  SettlementRow,
} from '../../kernel/store/rows.js';
import type { Change, Store } from '../../kernel/store/store.js';
import { ExchangeRates } from './exchange-rates.js';
import { OpenSettlements } from './open-settlements.js';
import type { SettlementAccount } from './rules/account.js';
import { type Conversion, ONE_FOR_ONE, withUsedRate } from './rules/exchange.js';
import { feeTypeOf, lineOf } from './rules/ledger-line.js';
import { BEGINNING, INTERNAL_FORMAT, recordId, recordOfEntry, withRecord } from './rules/record.js';
import type { RunFaults } from './run-faults.js';
import { type AccountDeps, SettlementAccounts } from './settlement-accounts.js';

/** Limits of a settlement run. */
const SETTLEMENT_LIMITS = {
  /** Entries of one commit: small enough to hold up no payment behind it. */
  batch: 200,
  /** Entries that wait for their outcome at most: beyond it the ledger is read no further. */
  pending: 5_000,
  /** Open settlements that are looked at. */
  open: 1_000,
} as const;

/** What the ledger is settled with. */
interface SettleDeps extends AccountDeps {
  readonly store: Pick<Store, 'get' | 'find' | 'findRange' | 'commit'>;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'setTimer'>;
  readonly record: AcquirerRecord;
  /** Entries of one commit; absent: {@link SETTLEMENT_LIMITS}. */
  readonly batch?: number;
  /** Where an entry that cannot be settled is noted. */
  readonly faults: Pick<RunFaults, 'during' | 'note'>;
}

const SOURCE = 'INTERNAL';

/** An entry, and what the store knows of it. */
interface KnownEntry {
  readonly entry: RecordEntry;
  /** What it follows. */
  readonly original?: RecordEntry;
  readonly payment?: PaymentRow;
  readonly root?: PaymentRow;
  readonly account?: SettlementAccount;
  readonly conversion: Conversion;
  /** What it reverses was settled. */
  readonly isOriginalSettled: boolean;
  /** Its outcome, or its payment, is still to come. */
  readonly isOpen: boolean;
}

/**
 * Reads the acquirer's ledger from where the last run ended, and writes a record of each entry that moved money into the open settlement of
 * its merchant account and currency. Each page is one commit with the place that it ends at: a run that dies, or runs at the same time as another,
 * settles nothing twice and leaves nothing out. It ends at the end of the ledger, whatever the entries' times are: a clock may have jumped.
 * An entry that cannot be settled holds up no other one: it waits as those without an outcome do, and the next run tries it again.
 * @returns how many records were written
 * @throws StoreUnavailableError, AcquirerUnreachableError
 */
export async function settleLedger(deps: SettleDeps): Promise<number> {
  const known = { accounts: new SettlementAccounts(deps), rates: new ExchangeRates(deps) };
  // Another run may be faster, or a settlement be closed meanwhile: what it did is read again.
  const settled = (step: typeof settleWaiting) => decideAgain(deps, () => step(deps, known));
  let written = (await settled(settleWaiting)).records;
  for (;;) {
    const { records, isEnd } = await settled(settlePage);
    written += records;
    // What comes from now on is left for the next run.
    if (isEnd) return written;
  }
}

/** What a commit of a run did. */
interface Step {
  readonly records: number;
  readonly isEnd: boolean;
}

/** Settles what waited for its outcome when the last run ended. */
async function settleWaiting(deps: SettleDeps, known: Lookups): Promise<Step> {
  const cursor = await cursorOf(deps.store);
  const entries = await entriesOf(deps, waitingOf(cursor));
  const { position } = cursor;
  return settle(deps, known, { cursor, position, entries, waiting: [] });
}

/** Settles the next page of the ledger; none while too much waits. */
async function settlePage(deps: SettleDeps, known: Lookups): Promise<Step> {
  const cursor = await cursorOf(deps.store);
  const waiting = waitingOf(cursor);
  if (waiting.length >= SETTLEMENT_LIMITS.pending) return { records: 0, isEnd: true };
  const { position, entries } = await nextPage(deps, cursor);
  return settle(deps, known, { cursor, position, entries, waiting });
}

/** Commits the records of entries with the place that they end at, and with what waits from now on. */
async function settle(
  deps: SettleDeps,
  known: Lookups,
  at: Page & { readonly cursor: SettlementCursorRow; readonly waiting: readonly string[] },
): Promise<Step> {
  const { cursor, position, waiting } = at;
  const { entries, unknown } = await knownEntries(deps, known, at.entries);
  const plan = await planOf(deps, entries);
  const open = entries.filter(({ isOpen }) => isOpen).map(({ entry }) => entry.acquirerReference);
  const pending = JSON.stringify([...waiting, ...open, ...unknown, ...plan.failed]);
  if (plan.records > 0 || position !== cursor.position || pending !== cursor.pending)
    await deps.store.commit([cursorChange({ ...cursor, position, pending }), ...plan.changes]);
  return { records: plan.records, isEnd: at.entries.length < batchOf(deps) };
}

function batchOf({ batch = SETTLEMENT_LIMITS.batch }: SettleDeps): number {
  return batch;
}

function waitingOf({ pending }: SettlementCursorRow): readonly string[] {
  return JSON.parse(pending) as readonly string[];
}

async function cursorOf(store: SettleDeps['store']): Promise<SettlementCursorRow> {
  const stored = await store.get('settlementCursors', [SOURCE]);
  return stored ?? { source: SOURCE, position: 0, pending: '[]', version: 0 };
}

function cursorChange(row: SettlementCursorRow): Change {
  const table = 'settlementCursors';
  return row.version === 0
    ? { op: 'insert', table, row: { ...row, version: 1 } }
    : { op: 'update', table, row };
}

interface Page {
  /** The place of the last one. */
  readonly position: number;
  readonly entries: readonly RecordEntry[];
}

async function nextPage(deps: SettleDeps, { position }: SettlementCursorRow): Promise<Page> {
  const placed = await deps.record.entriesAfter(position, batchOf(deps));
  return { position: placed.at(-1)?.position ?? position, entries: placed.map(({ entry }) => entry) };
}

async function entriesOf(
  { record }: SettleDeps,
  references: readonly string[],
): Promise<readonly RecordEntry[]> {
  const found = await Promise.all(references.map((reference) => record.entry(reference)));
  return found.filter((entry) => entry !== undefined);
}

/** Entries with what the store knows of them, and the references of those of which that cannot be read. */
async function knownEntries(
  deps: SettleDeps,
  known: Lookups,
  entries: readonly RecordEntry[],
): Promise<{ readonly entries: readonly KnownEntry[]; readonly unknown: readonly string[] }> {
  const found = await Promise.all(
    entries.map((entry) => deps.faults.during(partOf(entry), () => knownOf(deps, known, entry))),
  );
  const isUnknown = (_: unknown, at: number): boolean => found[at] === undefined;
  return {
    entries: found.filter((each) => each !== undefined),
    unknown: entries.filter(isUnknown).map(({ acquirerReference }) => acquirerReference),
  };
}

/** How a failed entry is named to the operator. */
const partOf = ({ acquirerReference }: RecordEntry): string => `entry/${acquirerReference}`;

interface Lookups {
  readonly accounts: SettlementAccounts;
  readonly rates: ExchangeRates;
}

async function knownOf(
  deps: SettleDeps,
  { accounts, rates }: Lookups,
  entry: RecordEntry,
): Promise<KnownEntry> {
  const { store, record } = deps;
  const { originalReference } = entry;
  const intent = await intentOfEntry(store, record, entry);
  // A settled transaction without a request is a difference that the consistency check reports.
  if (!intent)
    return {
      entry,
      conversion: { currency: entry.currency, rate: ONE_FOR_ONE },
      isOriginalSettled: false,
      isOpen: false,
    };
  const [original, settled, account, named] = await Promise.all([
    originalReference === null ? undefined : record.entry(originalReference),
    originalReference === null ? undefined : store.get('settlementRecords', [recordIdOf(originalReference)]),
    accounts.of(intent.entityId),
    store.get('payments', [intent.paymentId]),
  ]);
  const root = named?.rootId ? await store.get('payments', [named.rootId]) : named;
  const payment = isChargebackKind(entry.kind) && root ? await chargebackOf(store, root, entry) : named;
  return {
    entry,
    ...(original && { original }),
    ...(payment && { payment }),
    ...(root && { root }),
    ...(account && { account }),
    conversion: await rates.conversionOf(currencyOf(entry, intent), account?.currency ?? null, entry.atMs),
    isOriginalSettled: settled !== undefined,
    isOpen: entry.isPending || (entry.approved && !payment),
  };
}

async function chargebackOf(
  store: Pick<Store, 'find'>,
  root: PaymentRow,
  { acquirerReference }: RecordEntry,
): Promise<PaymentRow | undefined> {
  const family = await store.find('payments', 'root', [root.id]);
  return family.find((payment) => payment.acquirerReference === acquirerReference);
}

function recordIdOf(reference: string): string {
  return recordId(SOURCE, reference);
}

/** What a commit writes of entries. */
interface Plan {
  readonly changes: readonly Change[];
  readonly records: number;
  /** References of entries that cannot be settled. */
  readonly failed: readonly string[];
}

/** The records of entries, and the settlements that they go to. */
async function planOf(deps: SettleDeps, known: readonly KnownEntry[]): Promise<Plan> {
  const nowMs = deps.clock.nowMs();
  const open = await deps.store.find('settlements', 'state', ['open'], { limit: SETTLEMENT_LIMITS.open });
  const own = open.filter(({ source }) => source === SOURCE);
  const begin = (account: SettlementAccount, currency: string): SettlementRow =>
    newSettlement(newTimeOrderedId(deps.random, nowMs), account, currency, nowMs);
  const batches = new OpenSettlements(own, begin);
  const records = new Map<string, SettlementRecordRow>();
  const failed: string[] = [];
  for (const each of known) {
    try {
      planEntry(each, { batches, records, nowMs });
    } catch (error) {
      deps.faults.note(partOf(each.entry), error);
      failed.push(each.entry.acquirerReference);
    }
  }
  const inserts = [...records.values()].map(
    (row): Change => ({ op: 'insert', table: 'settlementRecords', row }),
  );
  return { failed, records: records.size, changes: [...batches.changes(), ...inserts] };
}

/** Adds the record of an entry, and the operation that a fee is paid for, to the settlement that they go to. */
function planEntry(
  each: KnownEntry,
  {
    batches,
    records,
    nowMs,
  }: {
    readonly batches: OpenSettlements;
    readonly records: Map<string, SettlementRecordRow>;
    readonly nowMs: number;
  },
): void {
  const { entry, account, payment, root, original } = each;
  if (each.isOpen || !account) return;
  const { currency, rate, used } = each.conversion;
  const line = entry.approved && isStanding(each, records) ? lineOf(entry, original) : undefined;
  const feeType = feeTypeOf(entry);
  if (!line && !feeType) return;
  batches.add(account, currency, (begun) => {
    let settlement = begun;
    let record: SettlementRecordRow | undefined;
    if (line && payment && root) {
      const { clearingMerchantId, entityName, fees } = account;
      const shared = { settlement, rate, fees, clearingMerchantId, entityName, nowMs };
      record = recordOfEntry({ entry, line, payment, root, ...shared });
      settlement = withRecord(settlement, record);
      if (used) settlement = { ...settlement, rates: withUsedRate(settlement.rates, used) };
    }
    if (feeType) settlement = withOperation(settlement, feeType);
    if (record) records.set(record.id, record);
    return settlement;
  });
}

/** A reversal that reversed nothing has no currency of its own. */
function currencyOf({ amountMinor, currency }: RecordEntry, intent: IntentRow): string {
  return amountMinor === 0 ? detailOf(intent).draft.currency : currency;
}

/**
 * Whether an entry moves money between acquirer and merchant: one that was reversed before it was settled does not, nor does its reversal.
 */
function isStanding(
  { entry, isOriginalSettled }: KnownEntry,
  planned: ReadonlyMap<string, SettlementRecordRow>,
): boolean {
  const { kind, amountMinor, reversedMinor, originalReference } = entry;
  if (amountMinor === 0) return false;
  if (kind === 'reversal' || kind === 'chargeback-reversal')
    return isOriginalSettled || planned.has(recordIdOf(originalReference ?? ''));
  return reversedMinor < amountMinor;
}

function withOperation(settlement: SettlementRow, feeType: string): SettlementRow {
  const counted = JSON.parse(settlement.operations) as Readonly<Record<string, number>>;
  const operations = { ...counted, [feeType]: (counted[feeType] ?? 0) + 1 };
  return { ...settlement, operations: JSON.stringify(operations) };
}

function newSettlement(
  id: string,
  { entityId, merchantId }: SettlementAccount,
  currency: string,
  nowMs: number,
): SettlementRow {
  return {
    ...BEGINNING,
    id,
    entityId,
    merchantId,
    source: SOURCE,
    format: INTERNAL_FORMAT.format,
    currency,
    settledAtMs: nowMs,
    createdAtMs: nowMs,
  };
}
