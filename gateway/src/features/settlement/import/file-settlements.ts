import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { newTimeOrderedId } from '../../../kernel/store/new-id.js';
import type { SettlementRecordRow, SettlementRow } from '../../../kernel/store/rows.js';
import { type Change, CommitConflict, type Store } from '../../../kernel/store/store.js';
import type { ImportedRow } from '../rules/import-row.js';
import { BEGINNING, type RecordDetail, withRecord } from '../rules/record.js';
import type { Matched } from './match-records.js';

/** Settlements that one file adds to at once. */
const MAX_OPEN = 5_000;

/** A row, whose it is, and what it fits. */
export interface PreparedRow {
  readonly row: ImportedRow;
  readonly entityId: string;
  readonly merchantId: string;
  readonly matched: Matched;
  readonly detail: RecordDetail;
}

/** What records are written with. */
interface FileSettlementDeps {
  readonly store: Pick<Store, 'commit'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly random: Random;
}

/** The settlements that a file makes, and the writer of their records. */
export class FileSettlements {
  readonly #deps: FileSettlementDeps;
  /** Open ones, by what their records have in common. */
  #open = new Map<string, SettlementRow>();

  constructor(deps: FileSettlementDeps) {
    this.#deps = deps;
  }

  /** Writes the records of rows with their settlements, in one commit. @throws StoreUnavailableError, CommitConflict where a record is there */
  async write(rows: readonly PreparedRow[]): Promise<void> {
    for (let isSecond = false; ; isSecond = true) {
      const { changes, settlements } = this.#planOf(rows);
      try {
        await this.#deps.store.commit(changes);
        this.#open = settlements;
        return;
      } catch (error) {
        if (!(error instanceof CommitConflict) || isSecond) throw error;
        // Another process has closed a settlement: what is left goes to other ones.
        this.#open.clear();
      }
    }
  }

  #planOf(rows: readonly PreparedRow[]): {
    readonly changes: readonly Change[];
    readonly settlements: Map<string, SettlementRow>;
  } {
    const { clock, random } = this.#deps;
    const isFull = this.#open.size > MAX_OPEN;
    const settlements = new Map(isFull ? [] : this.#open);
    const touched = new Set<string>();
    const records: SettlementRecordRow[] = [];
    const nowMs = clock.nowMs();
    for (const each of rows) {
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
      const isNew = isFull || !this.#open.has(key);
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

function keyOf({ entityId, row }: PreparedRow): string {
  return JSON.stringify([entityId, row.settlementCurrency, row.settledAtMs, row.detail.format]);
}

function newSettlement({ entityId, merchantId, row }: PreparedRow, id: string, nowMs: number): SettlementRow {
  return {
    ...BEGINNING,
    id,
    entityId,
    merchantId,
    source: 'FILE',
    format: row.detail.format,
    currency: row.settlementCurrency,
    settledAtMs: row.settledAtMs,
    createdAtMs: nowMs,
  };
}

function recordOf(
  { row, entityId, matched, detail }: PreparedRow,
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
