import type { Readable } from 'node:stream';
import type { ChargebackOutcome, Chargebacks } from '../../../core/payments/chargebacks/chargebacks.js';
import { isChargeback } from '../../../core/payments/rules/chargeback.js';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import type { Store } from '../../../kernel/store/store.js';
import { closeSettlements } from '../close-settlements.js';
import type { SettlementAccount } from '../rules/account.js';
import { type ImportedRow, type ReadRow, readImportRow } from '../rules/import-row.js';
import { paymentDetail, type RecordDetail } from '../rules/record.js';
import { type CsvForm, readHeads } from './csv-form.js';
import { FileSettlements, type PreparedRow } from './file-settlements.js';
import type { HostLines } from './host-lines.js';
import {
  type FoundByAmount,
  findByAmount,
  isNameless,
  type Matched,
  matchRecords,
  NO_PAYMENT,
} from './match-records.js';
import { ofAcquirer } from './payments-of-acquirer.js';
import { readCsv } from './read-csv.js';
import { type RowAccountDeps, RowAccounts } from './row-accounts.js';
import { TransferReceipts } from './transfer-receipts.js';

export const IMPORT_LIMITS = {
  /** Rows that are looked up together: what is in memory of a file at once. */
  batch: 1_000,
  /** Rows without an id of a payment that are looked up together: each time, all payments of their days are walked through. */
  nameless: 10_000,
  /** Records of one commit: small enough to hold up no payment behind it. */
  commit: 200,
} as const;

/** What a file is checked with. */
interface CheckDeps extends RowAccountDeps {
  /** Called with a row that is wrong, or fits no payment or several: its line, and why. */
  readonly reportLine: (line: number, what: string) => void;
  /** Called again and again with what became of the rows so far. */
  readonly progress?: (report: ImportReport) => void;
}

/** What a file is imported with. */
export interface ImportDeps extends CheckDeps {
  readonly store: Store;
  readonly chargebacks: Pick<Chargebacks, 'book'>;
  /** The link whose host wrote the file; absent: a person has it from elsewhere. */
  readonly acquirer?: string;
  /** Stores the file's lines of a link's exchanges; absent: it is of no link. */
  readonly hostLines?: Pick<HostLines, 'add'>;
}

/** What became of the rows of a file. */
export interface ImportReport {
  rows: number;
  imported: number;
  /** Imported before. */
  known: number;
  wrong: number;
  matched: number;
  multipleMatches: number;
  notMatched: number;
  /** Chargebacks, and reversals of them, that were booked. */
  chargebacks: number;
}

/** A good row, its line, and whose it is. */
interface OwnedRow {
  readonly line: number;
  readonly row: ImportedRow;
  readonly account: SettlementAccount;
}

/**
 * Imports a settlement or chargeback file: each good row becomes a record of a settlement, and a chargeback what it is. What was imported
 * before changes nothing: after a crash the same call goes on where it ended. Reads the file as it goes.
 * @throws StoreUnavailableError; the error of the stream
 */
export async function importFile(deps: ImportDeps, bytes: Readable, form: CsvForm): Promise<ImportReport> {
  const report = { ...EMPTY };
  const accounts = new RowAccounts(deps);
  const files = new FileImport(deps, report, accounts);
  for await (const rows of goodRows(deps, report, accounts, bytes, form)) {
    await files.add(rows);
    await deps.hostLines?.add(rows.map(({ row }) => row));
    deps.progress?.(report);
  }
  await files.end();
  // A file is taken as a whole: what fails here fails the import.
  const faults = { during: <T>(_part: string, work: () => Promise<T>) => work() };
  await closeSettlements({ ...deps, faults }, ({ source }) => source === 'FILE');
  return report;
}

/** Reads a file and writes nothing: every row that could not be imported is reported. @throws StoreUnavailableError; the error of the stream */
export async function checkFile(
  deps: CheckDeps,
  bytes: Readable,
  form: CsvForm,
): Promise<Pick<ImportReport, 'rows' | 'wrong'>> {
  const report = { ...EMPTY };
  for await (const _ of goodRows(deps, report, new RowAccounts(deps), bytes, form)) deps.progress?.(report);
  return { rows: report.rows, wrong: report.wrong };
}

const EMPTY: ImportReport = {
  rows: 0,
  imported: 0,
  known: 0,
  wrong: 0,
  matched: 0,
  multipleMatches: 0,
  notMatched: 0,
  chargebacks: 0,
};

/** The good rows of a file, so many at once; the others are counted and reported. */
async function* goodRows(
  deps: CheckDeps,
  report: ImportReport,
  accounts: RowAccounts,
  bytes: Readable,
  form: CsvForm,
): AsyncGenerator<readonly OwnedRow[], void> {
  const refuse = (line: number, faults: readonly string[]): void => {
    report.wrong += 1;
    for (const fault of faults) deps.reportLine(line, fault);
  };
  let rows: OwnedRow[] = [];
  for await (const { line, ...read } of rowsOf(deps, bytes, form)) {
    report.rows += 1;
    const { row, faults } = { row: undefined, ...read };
    const account = row && (await accounts.of(row));
    if (row && account) rows.push({ line, row, account });
    else refuse(line, faults ?? ['no merchant has this MerchantAccountId or ClearingInstituteMerchantId']);
    if (report.rows % IMPORT_LIMITS.batch !== 0) continue;
    yield rows;
    rows = [];
  }
  yield rows;
}

type LinedRow = { readonly line: number } & ReadRow;

async function* rowsOf(
  { clock }: Pick<CheckDeps, 'clock'>,
  bytes: Readable,
  form: CsvForm,
): AsyncGenerator<LinedRow, void> {
  let heads: Exclude<ReturnType<typeof readHeads>, string> | undefined;
  let isRead = false;
  for await (const { line, fault, ...read } of readCsv(bytes, form)) {
    const values = 'values' in read ? read.values : [];
    if (fault !== undefined) yield { line, faults: [fault] };
    else if (!heads) {
      const known = readHeads(form, values);
      if (typeof known === 'string') {
        yield { line, faults: [known] };
        return;
      }
      heads = known;
    } else if (values.length !== heads.width)
      yield { line, faults: [`has ${values.length} values, and must have ${heads.width}`] };
    else yield { line, ...readImportRow(heads.of(values), clock.nowMs()) };
    isRead = true;
  }
  // A file that came half may have none of its bytes: only headings state that nothing was settled.
  if (!isRead) yield { line: 1, faults: ['the file has no headings'] };
}

/** The import of one file. */
class FileImport {
  readonly #deps: ImportDeps;
  readonly #report: ImportReport;
  readonly #accounts: RowAccounts;
  readonly #settlements: FileSettlements;
  readonly #transfers: TransferReceipts;
  /** Rows on their way to the database, by their ids: the next ones are looked up meanwhile. */
  #writing: ReadonlyMap<string, OwnedRow> = new Map();
  #written: Promise<unknown> = Promise.resolve();
  /** Rows of sales without an id of a payment, by their own, until there are enough of them. */
  #nameless = new Map<string, OwnedRow>();

  constructor(deps: ImportDeps, report: ImportReport, accounts: RowAccounts) {
    this.#deps = deps;
    this.#report = report;
    this.#accounts = accounts;
    this.#settlements = new FileSettlements(deps);
    this.#transfers = new TransferReceipts(deps.store, () => deps.clock.nowMs());
  }

  /** Imports rows, those that were not imported before. Their records may be on their way when it resolves. */
  async add(rows: readonly OwnedRow[]): Promise<void> {
    const fresh = await this.#freshOf(rows);
    const named = new Map<string, OwnedRow>();
    // The rows of a short file are looked up in their order.
    const isMore = this.#report.rows % IMPORT_LIMITS.batch === 0;
    for (const [id, each] of fresh) {
      // What a chargeback and its reversal do depends on their order.
      const mayWait = isMore && each.row.recordType === 'SETTLED' && isNameless(each.row);
      (mayWait ? this.#nameless : named).set(id, each);
    }
    await this.#import(named);
    if (this.#nameless.size >= IMPORT_LIMITS.nameless) await this.#importNameless();
  }

  /** Resolves when all records are written. @throws StoreUnavailableError */
  async end(): Promise<void> {
    await this.#importNameless();
    await this.#allWritten();
  }

  /** Finds the payments of all rows without an id, then imports the rows part by part: whole payments take much more memory than their ids. */
  async #importNameless(): Promise<void> {
    const rows = [...this.#nameless];
    const found = new Map<ImportedRow, NonNullable<ReturnType<FoundByAmount['get']>>>();
    await this.#byMerchant(
      rows.map(([, each]) => each),
      async (entityIds, own) => {
        const ofMerchant = await findByAmount(
          this.#deps.store,
          entityIds,
          own.map(({ row }) => row),
        );
        for (const [row, ids] of ofMerchant) found.set(row, ids);
      },
    );
    for (let from = 0; from < rows.length; from += IMPORT_LIMITS.batch)
      await this.#import(new Map(rows.slice(from, from + IMPORT_LIMITS.batch)), found);
    this.#nameless = new Map();
  }

  async #import(fresh: ReadonlyMap<string, OwnedRow>, found?: FoundByAmount): Promise<void> {
    const all = [...fresh.values()];
    const matched = await this.#match(all, found);
    const prepared: PreparedRow[] = [];
    for (const [at, each] of all.entries()) {
      const one = await this.#prepare(each, matched[at] ?? NO_PAYMENT);
      if (one) prepared.push(one);
    }
    await this.#allWritten();
    this.#writing = fresh;
    this.#written = this.#write(prepared).catch((error: unknown) => ({ error }));
  }

  async #allWritten(): Promise<void> {
    const failed = (await this.#written) as { readonly error: unknown } | undefined;
    if (failed) throw failed.error;
  }

  async #freshOf(rows: readonly OwnedRow[]): Promise<ReadonlyMap<string, OwnedRow>> {
    const byId = new Map(rows.map((each) => [each.row.id, each]));
    const { store } = this.#deps;
    for (const known of [this.#writing, this.#nameless]) for (const id of known.keys()) byId.delete(id);
    const stored = await Promise.all([...byId.keys()].map((id) => store.get('settlementRecords', [id])));
    for (const record of stored) if (record) byId.delete(record.id);
    this.#report.known += rows.length - byId.size;
    return byId;
  }

  /** What the rows fit, in their order. */
  async #match(rows: readonly OwnedRow[], known?: FoundByAmount): Promise<readonly Matched[]> {
    const found = new Map<OwnedRow, Matched>();
    await this.#byMerchant(rows, async (entityIds, own) => {
      const ownRows = own.map(({ row }) => row);
      const matched = await matchRecords(this.#deps.store, entityIds, ownRows, known);
      for (const [at, each] of own.entries())
        found.set(each, ofAcquirer(matched[at] ?? NO_PAYMENT, this.#deps.acquirer));
    });
    return rows.map((each) => found.get(each) ?? NO_PAYMENT);
  }

  /** Does the work for the rows of each merchant, whose payments are those of these entities. */
  async #byMerchant(
    rows: readonly OwnedRow[],
    work: (entityIds: readonly string[], own: readonly OwnedRow[]) => Promise<void>,
  ): Promise<void> {
    const byMerchant = new Map<string, OwnedRow[]>();
    for (const row of rows) {
      const { merchantId } = row.account;
      const own = byMerchant.get(merchantId);
      if (own) own.push(row);
      else byMerchant.set(merchantId, [row]);
    }
    const each = async ([merchantId, own]: readonly [string, readonly OwnedRow[]]): Promise<void> =>
      work(await this.#accounts.entitiesOf(merchantId), own);
    await Promise.all([...byMerchant].map(each));
  }

  /** A row as it is written; undefined for one that cannot be imported now. */
  async #prepare({ row, line, account }: OwnedRow, matched: Matched): Promise<PreparedRow | undefined> {
    const [payment] = matched.status === 'MATCHED' ? matched.payments : [];
    const charged = await this.#bookChargeback(row, payment);
    if (charged?.kind === 'later') {
      this.#report.wrong += 1;
      this.#deps.reportLine(line, 'a request on the payment runs: import the file again');
      return undefined;
    }
    const { booked, why } = chargebackOf(charged);
    if (charged?.kind === 'booked') this.#report.chargebacks += 1;
    const mismatch = matched.why ?? why ?? (await this.#transfers.count(row, payment));
    if (mismatch !== undefined) this.#deps.reportLine(line, `${matched.status ?? ''} ${mismatch}`.trim());
    const root = matched.root ?? payment;
    const detail: RecordDetail = {
      ...(root && paymentDetail(root, account.entityName)),
      ...(payment && { shortId: payment.shortId }),
      ...row.detail,
      matched: matched.payments.map(({ id }) => id),
      ...(mismatch !== undefined && { mismatch }),
      ...(booked && { chargebackId: booked.id }),
    };
    const { merchantId } = account;
    return { row, entityId: payment?.entityId ?? account.entityId, merchantId, matched, detail };
  }

  async #bookChargeback(
    row: ImportedRow,
    payment: PaymentRow | undefined,
  ): Promise<ChargebackOutcome | undefined> {
    const { chargebacks, store } = this.#deps;
    if (!payment?.acquirerReference || row.status !== 'SUCCESS') return undefined;
    const { recordType, amountMinor, requestedAtMs, currency, id, detail } = row;
    if (recordType !== 'CHARGEBACK' && recordType !== 'CHARGEBACK REVERSAL') return undefined;
    if (currency !== payment.currency) return { kind: 'refused', why: 'exceeds' };
    const reported = {
      reference: id,
      originalReference: payment.acquirerReference,
      reason: detail.resultCode ?? '',
      atMs: requestedAtMs,
      amountMinor,
      source: 'FILE',
    };
    if (recordType === 'CHARGEBACK') return chargebacks.book({ kind: 'chargeback', ...reported });
    const family = await store.find('payments', 'root', [payment.rootId ?? payment.id]);
    const standing = family.find(
      (each) => isChargeback(each) && each.state !== 'reversed' && each.amountMinor === amountMinor,
    );
    const chargeback = standing?.acquirerReference;
    if (!chargeback) return chargebacks.book({ kind: 'chargeback-reversal', ...reported, chargeback: '' });
    return chargebacks.book({ kind: 'chargeback-reversal', ...reported, chargeback });
  }

  async #write(rows: readonly PreparedRow[]): Promise<void> {
    for (let from = 0; from < rows.length; from += IMPORT_LIMITS.commit) {
      const part = rows.slice(from, from + IMPORT_LIMITS.commit);
      await this.#settlements.write(part);
      await this.#transfers.wake(
        new Set(part.flatMap(({ matched }) => matched.payments.map(({ id }) => id))),
      );
      this.#count(part);
    }
  }

  #count(rows: readonly PreparedRow[]): void {
    for (const { matched } of rows) {
      this.#report.imported += 1;
      if (matched.status === 'MATCHED') this.#report.matched += 1;
      if (matched.status === 'MULTIPLE_MATCHES') this.#report.multipleMatches += 1;
      if (matched.status === 'NOT_MATCHED') this.#report.notMatched += 1;
    }
  }
}

/** Why no chargeback was booked, in words. */
const REFUSED = {
  'too-late': 'the chargeback is later than the scheme allows',
  exceeds: 'the chargeback takes more than is left of the payment',
  'no-chargeback': 'no chargeback of this amount stands on the payment',
} as const;

function chargebackOf(outcome: ChargebackOutcome | undefined): {
  readonly booked?: PaymentRow;
  readonly why?: string;
} {
  if (outcome?.kind === 'refused') return { why: REFUSED[outcome.why] };
  return outcome?.kind === 'booked' || outcome?.kind === 'known' ? { booked: outcome.payment } : {};
}
