import type { Readable } from 'node:stream';
import { MAX_CHANNELS } from '../../entities/entities.js';
import type { ChargebackOutcome, Chargebacks } from '../../payments/chargebacks/chargebacks.js';
import { newTimeOrderedId } from '../../store/new-id.js';
import type { PaymentRow, SettlementRecordRow, SettlementRow } from '../../store/rows.js';
import { type Change, CommitConflict, type Store } from '../../store/store.js';
import { closeSettlements } from '../close-settlements.js';
import { type ImportedRow, readImportRow } from '../decide/import-row.js';
import { paymentDetail, type RecordDetail, withRecord } from '../decide/record.js';
import { type AccountParts, SettlementAccounts } from '../settlement-accounts.js';
import { type CsvForm, readHeads } from './csv-form.js';
import { type Matched, matchRecord } from './match-record.js';
import { readCsv } from './read-csv.js';

export const IMPORT_LIMITS = {
  /** Records of one commit: small enough to hold up no payment behind it. */
  batch: 200,
  /** Settlements that one file adds to at once. */
  settlements: 5_000,
} as const;

/** What a file is imported with. */
export interface ImportParts extends AccountParts {
  readonly store: Store;
  readonly chargebacks: Pick<Chargebacks, 'book'>;
  /** Called with a row that is wrong, or fits no payment or several: its line, and why. */
  readonly tell: (line: number, what: string) => void;
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

/** A row, whose it is, and what it fits. */
interface Prepared {
  readonly row: ImportedRow;
  readonly line: number;
  readonly entityId: string;
  readonly merchantId: string;
  readonly matched: Matched;
  readonly detail: RecordDetail;
}

/**
 * Imports a settlement or chargeback file: each good row becomes a record of a settlement, and a chargeback what it is. What was imported
 * before changes nothing. Reads the file as it goes.
 * @throws StoreUnavailableError; the error of the stream
 */
export async function importFile(parts: ImportParts, bytes: Readable, form: CsvForm): Promise<ImportReport> {
  const report = { ...EMPTY };
  const files = new FileImport(parts, report);
  for await (const read of rowsOf(parts, bytes, form)) {
    report.rows += 1;
    if (read.faults) {
      report.wrong += 1;
      for (const fault of read.faults) parts.tell(read.line, fault);
    } else await files.add(read.row, read.line);
  }
  await files.end();
  return report;
}

/** Reads a file and writes nothing. @throws StoreUnavailableError; the error of the stream */
export async function checkFile(
  parts: Pick<ImportParts, 'clock' | 'tell'>,
  bytes: Readable,
  form: CsvForm,
): Promise<Pick<ImportReport, 'rows' | 'wrong'>> {
  const report = { rows: 0, wrong: 0 };
  for await (const { line, faults } of rowsOf(parts, bytes, form)) {
    report.rows += 1;
    if (!faults) continue;
    report.wrong += 1;
    for (const fault of faults) parts.tell(line, fault);
  }
  return report;
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

type LinedRow = { readonly line: number } & (
  | { readonly row: ImportedRow; readonly faults?: undefined }
  | { readonly faults: readonly string[] }
);

async function* rowsOf(
  { clock }: Pick<ImportParts, 'clock'>,
  bytes: Readable,
  form: CsvForm,
): AsyncGenerator<LinedRow, void> {
  let heads: Exclude<ReturnType<typeof readHeads>, string> | undefined;
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
  }
}

/** The import of one file. */
class FileImport {
  readonly #parts: ImportParts;
  readonly #report: ImportReport;
  readonly #accounts: SettlementAccounts;
  /** Open settlements that this import has made, by what they have in common. */
  #settlements = new Map<string, SettlementRow>();
  readonly #waiting = new Map<string, Prepared>();

  constructor(parts: ImportParts, report: ImportReport) {
    this.#parts = parts;
    this.#report = report;
    this.#accounts = new SettlementAccounts(parts);
  }

  async add(row: ImportedRow, line: number): Promise<void> {
    if (this.#waiting.has(row.id) || (await this.#parts.store.get('settlementRecords', [row.id]))) {
      this.#report.known += 1;
      return;
    }
    const prepared = await this.#prepare(row, line);
    if (!prepared) return;
    this.#waiting.set(row.id, prepared);
    if (this.#waiting.size >= IMPORT_LIMITS.batch) await this.#write();
  }

  /** Writes what waits, and closes the settlements. */
  async end(): Promise<void> {
    await this.#write();
    await closeSettlements(this.#parts, 'FILE');
  }

  /** Whose the row is, and what it fits; undefined for one that cannot be imported. */
  async #prepare(row: ImportedRow, line: number): Promise<Prepared | undefined> {
    const account = await this.#accountOf(row);
    if (!account) {
      this.#refuse(line, 'no merchant has this MerchantAccountId or ClearingInstituteMerchantId');
      return undefined;
    }
    const { merchantId } = account;
    const channels = await this.#parts.store.find('entities', 'parent', [merchantId], {
      limit: MAX_CHANNELS,
    });
    const matched = await matchRecord(this.#parts.store, [merchantId, ...channels.map(({ id }) => id)], row);
    const [payment] = matched.status === 'MATCHED' ? matched.payments : [];
    const charged = await this.#bookChargeback(row, payment);
    if (charged?.kind === 'later') {
      this.#refuse(line, 'a request on the payment runs: import the file again');
      return undefined;
    }
    const entityId = payment?.entityId ?? account.entityId;
    const { booked, why } = chargebackOf(charged);
    if (charged?.kind === 'booked') this.#report.chargebacks += 1;
    const mismatch = matched.why ?? why;
    if (mismatch !== undefined) this.#parts.tell(line, `${matched.status ?? ''} ${mismatch}`.trim());
    const root = payment?.rootId ? await this.#parts.store.get('payments', [payment.rootId]) : payment;
    const detail: RecordDetail = {
      ...(root && paymentDetail(root, account.entityName)),
      ...(payment && { shortId: payment.shortId }),
      ...row.detail,
      matched: matched.payments.map(({ id }) => id),
      ...(mismatch !== undefined && { mismatch }),
      ...(booked && { chargebackId: booked.id }),
    };
    return { row, line, entityId, merchantId, matched, detail };
  }

  #refuse(line: number, why: string): void {
    this.#report.wrong += 1;
    this.#parts.tell(line, why);
  }

  /** By the account's own id, else by the merchant's number at the clearing institute, where one merchant alone has it. */
  async #accountOf({ accountId, detail }: ImportedRow) {
    if (accountId !== undefined) return this.#accounts.of(accountId);
    const numbers = [detail.clearingMerchantId];
    const [row, ...more] = await this.#parts.store.find('settlementAccounts', 'clearing', numbers, {
      limit: 2,
    });
    return row && more.length === 0 ? this.#accounts.of(row.entityId) : undefined;
  }

  async #bookChargeback(
    row: ImportedRow,
    payment: PaymentRow | undefined,
  ): Promise<ChargebackOutcome | undefined> {
    const { chargebacks, store } = this.#parts;
    if (!payment?.acquirerReference || row.status !== 'SUCCESS') return undefined;
    const { recordType, amountMinor, requestedAtMs, currency, id, detail } = row;
    if (recordType !== 'CHARGEBACK' && recordType !== 'CHARGEBACK REVERSAL') return undefined;
    if (currency !== payment.currency) return { kind: 'refused', why: 'exceeds' };
    const told = {
      reference: id,
      originalReference: payment.acquirerReference,
      reason: detail.resultCode ?? '',
      atMs: requestedAtMs,
      amountMinor,
      source: 'FILE',
    };
    if (recordType === 'CHARGEBACK') return chargebacks.book({ kind: 'chargeback', ...told });
    const family = await store.find('payments', 'root', [payment.rootId ?? payment.id]);
    const standing = family.find(
      (each) => each.type === 'CB' && each.state !== 'reversed' && each.amountMinor === amountMinor,
    );
    const chargeback = standing?.acquirerReference;
    if (!chargeback) return chargebacks.book({ kind: 'chargeback-reversal', ...told, chargeback: '' });
    return chargebacks.book({ kind: 'chargeback-reversal', ...told, chargeback });
  }

  async #write(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const waiting = [...this.#waiting.values()];
    for (let isSecond = false; ; isSecond = true) {
      const { changes, settlements } = this.#planOf(waiting);
      try {
        await this.#parts.store.commit(changes);
        this.#settlements = settlements;
        break;
      } catch (error) {
        if (!(error instanceof CommitConflict) || isSecond) throw error;
        // Somebody has closed a settlement: what is left goes to other ones.
        this.#settlements.clear();
      }
    }
    this.#waiting.clear();
    for (const { matched } of waiting) {
      this.#report.imported += 1;
      if (matched.status === 'MATCHED') this.#report.matched += 1;
      if (matched.status === 'MULTIPLE_MATCHES') this.#report.multipleMatches += 1;
      if (matched.status === 'NOT_MATCHED') this.#report.notMatched += 1;
    }
  }

  #planOf(waiting: readonly Prepared[]): {
    readonly changes: readonly Change[];
    readonly settlements: Map<string, SettlementRow>;
  } {
    const { clock, random } = this.#parts;
    const isFull = this.#settlements.size > IMPORT_LIMITS.settlements;
    const settlements = new Map(isFull ? [] : this.#settlements);
    const touched = new Set<string>();
    const records: SettlementRecordRow[] = [];
    const nowMs = clock.nowMs();
    for (const each of waiting) {
      const key = keyOf(each);
      const known = settlements.get(key) ?? newSettlement(each, newTimeOrderedId(random, nowMs), nowMs);
      const record = recordOf(each, known, nowMs);
      records.push(record);
      touched.add(key);
      settlements.set(key, withRecord(known, record));
    }
    const changes: Change[] = [];
    for (const key of touched) {
      const row = settlements.get(key);
      if (!row) continue;
      const isNew = isFull || !this.#settlements.has(key);
      changes.push({ op: isNew ? 'insert' : 'update', table: 'settlements', row });
      // The commit raises the version of what it updates.
      if (!isNew) settlements.set(key, { ...row, version: row.version + 1 });
    }
    return {
      changes: [
        ...changes,
        ...records.map((row): Change => ({ op: 'insert', table: 'settlementRecords', row })),
      ],
      settlements,
    };
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

function keyOf({ entityId, row }: Prepared): string {
  return JSON.stringify([entityId, row.settlementCurrency, row.settledAtMs, row.detail.format]);
}

function newSettlement({ entityId, merchantId, row }: Prepared, id: string, nowMs: number): SettlementRow {
  return {
    id,
    entityId,
    merchantId,
    source: 'FILE',
    format: row.detail.format,
    currency: row.settlementCurrency,
    settledAtMs: row.settledAtMs,
    state: 'open',
    recordCount: 0,
    creditMinor: 0,
    debitMinor: 0,
    feeMinor: 0,
    operations: '{}',
    fileName: '',
    createdAtMs: nowMs,
    version: 1,
  };
}

function recordOf(
  { row, entityId, matched, detail }: Prepared,
  settlement: SettlementRow,
  nowMs: number,
): SettlementRecordRow {
  const { accountId: _, paymentId: __, detail: ___, ...columns } = row;
  return {
    ...columns,
    settlementId: settlement.id,
    position: settlement.recordCount,
    entityId,
    paymentId: matched.payments[0]?.id ?? null,
    matching: matched.status,
    detail: JSON.stringify(detail),
    createdAtMs: nowMs,
    version: 1,
  };
}
