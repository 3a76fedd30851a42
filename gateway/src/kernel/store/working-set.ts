import { claimedAgreement } from './claim-agreement.js';
import type { AgreementRow, Rows, TableName } from './rows.js';
import type {
  AdvanceStream,
  AppendDelivery,
  Change,
  ClaimAgreement,
  ClearAlert,
  Conflict,
  Key,
  RaiseAlert,
  RaiseCounter,
  Scalar,
} from './store.js';
import { indexColumns, PRIMARY, uniqueIndexes } from './tables.js';

/** A row of any table, by column. */
export type AnyRow = Readonly<Record<string, Scalar>>;

/** Rows of several tables. */
type RowsByTable = Map<TableName, AnyRow[]>;

interface DirtyRow {
  readonly table: TableName;
  readonly row: AnyRow;
  readonly gone: boolean;
}

/** A row that is needed to judge a commit. */
export interface Probe {
  readonly table: TableName;
  /** A unique index or `primary`. */
  readonly index: string;
  readonly values: Key;
}

/** What is looked for in one unique index. */
interface ProbeGroup {
  readonly table: TableName;
  readonly index: string;
  readonly keys: readonly Key[];
}

/** The probes of each index together. */
export function groupProbes(probes: readonly Probe[]): readonly ProbeGroup[] {
  const groups = new Map<string, ProbeGroup & { readonly keys: Key[] }>();
  for (const { table, index, values } of probes) {
    const group = groups.get(`${table}/${index}`);
    if (group) group.keys.push(values);
    else groups.set(`${table}/${index}`, { table, index, keys: [values] });
  }
  return [...groups.values()];
}

/** The rows that a commit depends on. */
export function probesOf(changes: readonly Change[]): Probe[] {
  return changes.flatMap(probesOfChange);
}

function probesOfChange(change: Change): Probe[] {
  switch (change.op) {
    case 'insert':
    case 'update':
      return uniqueProbes(change.table, asRow(change.row));
    case 'require-absent':
      return [{ table: change.table, index: change.index, values: change.values }];
    case 'require-field':
    case 'delete':
      return [{ table: change.table, index: PRIMARY, values: change.key }];
    case 'advance-stream':
      return [streamProbe(change)];
    case 'raise-alert':
      return [alertProbe(change.row.id)];
    case 'clear-alert':
      return [alertProbe(change.id)];
    case 'append-delivery':
      return [counterProbe(change)];
    case 'raise-counter':
      return [deviceProbe(change)];
    case 'claim-agreement':
      return [agreementProbe(change)];
  }
}

/**
 * The rows that a batch of commits touches, in memory: judges each commit against them, in order, and keeps what the accepted ones
 * changed. No I/O: the SQLite engine loads the probed rows into it, the memory engine keeps all its rows in one.
 */
export class WorkingSet {
  readonly #byIndex = new Map<string, AnyRow>();
  readonly #dirty = new Map<string, DirtyRow>();

  /** Makes a stored row known. */
  load(table: TableName, row: AnyRow): void {
    this.#place(table, row);
  }

  /** The known row under a unique index. */
  get(probe: Probe): AnyRow | undefined {
    return this.#byIndex.get(nameOf(probe));
  }

  /** Carries out all changes, or none: returns the first conflict. */
  tryApply(changes: readonly Change[]): Conflict | undefined {
    const rollback: (() => void)[] = [];
    for (const change of changes) {
      const conflict = this.#apply(change, rollback);
      if (conflict) {
        for (const step of rollback.reverse()) step();
        return conflict;
      }
    }
    return undefined;
  }

  /** The rows that differ from what was loaded, by table: as they are now, and those that are gone; forgets them. */
  takeDirty(): { readonly written: RowsByTable; readonly deleted: RowsByTable } {
    const written: RowsByTable = new Map();
    const deleted: RowsByTable = new Map();
    for (const { table, row, gone } of this.#dirty.values()) {
      const tables = gone ? deleted : written;
      const rows = tables.get(table);
      if (rows) rows.push(row);
      else tables.set(table, [row]);
    }
    this.#dirty.clear();
    return { written, deleted };
  }

  #apply(change: Change, rollback: (() => void)[]): Conflict | undefined {
    switch (change.op) {
      case 'insert':
        return this.#insert(change.table, asRow(change.row), rollback);
      case 'update':
        return this.#update(change.table, asRow(change.row), rollback);
      case 'delete':
        return this.#delete(change.table, change.key, change.version, rollback);
      case 'require-absent':
        return this.get(change) ? { kind: 'present', table: change.table, on: change.index } : undefined;
      case 'require-field': {
        const row = this.get({ table: change.table, index: PRIMARY, values: change.key });
        return row?.[change.column] === change.equals
          ? undefined
          : { kind: 'field', table: change.table, on: change.column };
      }
      case 'advance-stream':
        return this.#advance(change, rollback);
      case 'raise-alert':
        return this.#raiseAlert(change, rollback);
      case 'clear-alert':
        return this.#clear(change, rollback);
      case 'append-delivery':
        return this.#append(change, rollback);
      case 'raise-counter':
        return this.#raiseCounter(change, rollback);
      case 'claim-agreement':
        return this.#claimAgreement(change, rollback);
    }
  }

  #insert(table: TableName, row: AnyRow, rollback: (() => void)[]): Conflict | undefined {
    if (row.version !== 1) throw new RangeError(`a new row of ${table} must have version 1`);
    for (const probe of uniqueProbes(table, row)) {
      if (this.get(probe)) return { kind: 'unique', table, on: probe.index };
    }
    // A separate row: the caller keeps the one it gave.
    this.#write(table, undefined, { ...row }, rollback);
    return undefined;
  }

  #update(table: TableName, row: AnyRow, rollback: (() => void)[]): Conflict | undefined {
    const stored = this.get({ table, index: PRIMARY, values: keyOf(table, row) });
    if (!stored || stored.version !== row.version) return { kind: 'version', table, on: PRIMARY };
    for (const probe of uniqueProbes(table, row)) {
      const holder = this.get(probe);
      if (holder && holder !== stored) return { kind: 'unique', table, on: probe.index };
    }
    this.#write(table, stored, { ...row, version: Number(row.version) + 1 }, rollback);
    return undefined;
  }

  #delete(table: TableName, key: Key, version: number, rollback: (() => void)[]): Conflict | undefined {
    const stored = this.get({ table, index: PRIMARY, values: key });
    if (!stored || stored.version !== version) return { kind: 'version', table, on: PRIMARY };
    this.#write(table, stored, undefined, rollback);
    return undefined;
  }

  #advance(change: AdvanceStream, rollback: (() => void)[]): undefined {
    const stored = this.get(streamProbe(change));
    if (stored && Number(stored.nextSequence) >= change.nextSequence) return;
    const { agentId, terminalId, nextSequence } = change;
    const version = Number(stored?.version ?? 0) + 1;
    this.#write('streams', stored, { agentId, terminalId, nextSequence, version }, rollback);
  }

  #raiseAlert({ row }: RaiseAlert, rollback: (() => void)[]): undefined {
    const stored = this.get(alertProbe(row.id));
    if (stored && stored.endedAtMs === null) return;
    this.#write('alerts', stored, { ...row, version: Number(stored?.version ?? 0) + 1 }, rollback);
  }

  #clear({ id, atMs }: ClearAlert, rollback: (() => void)[]): undefined {
    const stored = this.get(alertProbe(id));
    if (stored?.endedAtMs !== null) return;
    const row = { ...stored, state: 'cleared', endedAtMs: atMs, version: Number(stored.version) + 1 };
    this.#write('alerts', stored, row, rollback);
  }

  #append({ row }: AppendDelivery, rollback: (() => void)[]): undefined {
    const stored = this.get(counterProbe({ row }));
    if (!stored) return;
    const sequence = Number(stored.lastSequence) + 1;
    const counted = { ...stored, lastSequence: sequence, version: Number(stored.version) + 1 };
    this.#write('deliveryCounters', stored, counted, rollback);
    this.#write('deliveries', undefined, { ...row, sequence }, rollback);
  }

  #raiseCounter(change: RaiseCounter, rollback: (() => void)[]): undefined {
    const { column, to } = change;
    const stored = this.get(deviceProbe(change));
    if (!stored || Number(stored[column]) >= to) return;
    const raised = { ...stored, [column]: to, version: Number(stored.version) + 1 };
    this.#write('devices', stored, raised, rollback);
  }

  #claimAgreement(change: ClaimAgreement, rollback: (() => void)[]): Conflict | undefined {
    const stored = this.get(agreementProbe(change));
    const claimed = claimedAgreement(stored as AgreementRow | undefined, change);
    if (claimed === 'conflict') return { kind: 'field', table: 'agreements', on: 'card' };
    const version = Number(stored?.version ?? 0) + 1;
    if (claimed) this.#write('agreements', stored, { ...claimed, version }, rollback);
    return undefined;
  }

  #write(
    table: TableName,
    before: AnyRow | undefined,
    after: AnyRow | undefined,
    rollback: (() => void)[],
  ): void {
    const row = after ?? before;
    if (!row) return;
    const id = nameOf({ table, index: PRIMARY, values: keyOf(table, row) });
    const dirtyBefore = this.#dirty.get(id);
    if (before) this.#remove(table, before);
    if (after) this.#place(table, after);
    this.#dirty.set(id, { table, row, gone: after === undefined });
    rollback.push(() => {
      if (after) this.#remove(table, after);
      if (before) this.#place(table, before);
      if (dirtyBefore) this.#dirty.set(id, dirtyBefore);
      else this.#dirty.delete(id);
    });
  }

  #place(table: TableName, row: AnyRow): void {
    for (const probe of uniqueProbes(table, row)) this.#byIndex.set(nameOf(probe), row);
  }

  #remove(table: TableName, row: AnyRow): void {
    for (const probe of uniqueProbes(table, row)) this.#byIndex.delete(nameOf(probe));
  }
}

/** Values of the primary key columns. */
export function keyOf(table: TableName, row: AnyRow): Key {
  return valuesOf(table, PRIMARY, row);
}

function valuesOf(table: TableName, index: string, row: AnyRow): Key {
  return indexColumns(table, index).map((column) => row[column] ?? null);
}

/** A typed row seen by column. */
export function asRow(row: Rows[TableName]): AnyRow {
  return row as unknown as AnyRow;
}

function uniqueProbes(table: TableName, row: AnyRow): Probe[] {
  return uniqueIndexes(table)
    .map((index) => ({ table, index, values: valuesOf(table, index, row) }))
    .filter((probe) => !probe.values.includes(null));
}

function streamProbe(change: AdvanceStream): Probe {
  return { table: 'streams', index: PRIMARY, values: [change.agentId, change.terminalId] };
}

function alertProbe(id: string): Probe {
  return { table: 'alerts', index: PRIMARY, values: [id] };
}

function counterProbe({ row }: Pick<AppendDelivery, 'row'>): Probe {
  return { table: 'deliveryCounters', index: PRIMARY, values: [row.endpointId] };
}

function agreementProbe({ row }: Pick<ClaimAgreement, 'row'>): Probe {
  return { table: 'agreements', index: PRIMARY, values: [row.merchantId, row.reference] };
}

function deviceProbe({ serial }: RaiseCounter): Probe {
  return { table: 'devices', index: PRIMARY, values: [serial] };
}

/** A name that no other probe has. */
export function nameOf(probe: Probe): string {
  return `${probe.table}/${probe.index}/${JSON.stringify(probe.values)}`;
}
