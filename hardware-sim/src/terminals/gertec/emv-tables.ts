import { decodeTableRecord, type TableRecord } from '@tillbridge/wire/terminals/abecs/tables.js';
import type { StateSlot } from '../../state/state-slot.js';
import { decoded } from '../core/decoded.js';

/** What the device keeps of its tables: the records as they came, and their versions. */
export interface StoredTables {
  /** Version by acquirer index; `00` when all were loaded at once (ABECS 2.12 §4.2). */
  readonly versions: Readonly<Record<string, string>>;
  readonly records: readonly string[];
}

/** Version text of tables that are not there (ABECS 2.12 §3.5.1). */
export const NO_VERSION = '0000000000';
/** Records that the device has room for; the specification requires 240 (§6.1.2). */
const MAX_TABLE_RECORDS = 1000;
const ALL = '00';
const EMPTY: StoredTables = { versions: {}, records: [] };

/** Checks what a state file holds. @throws TypeError */
export function parseStoredTables(json: unknown): StoredTables {
  const { versions, records } = (json ?? {}) as Partial<StoredTables>;
  const isText = (value: unknown) => typeof value === 'string';
  if (typeof versions !== 'object' || versions === null || !Object.values(versions).every(isText)) {
    throw new TypeError('versions must be texts by acquirer');
  }
  if (!Array.isArray(records) || !records.every(isText)) throw new TypeError('records must be texts');
  return { versions, records };
}

/** Every transaction looks at the records; their texts are never changed, a load makes others. */
const RECORDS_OF_TEXTS = new WeakMap<readonly string[], readonly TableRecord[]>();

/** The EMV tables: loaded aside, made current at the end, kept on disk (ABECS 2.12 §6.7). */
export class EmvTables {
  readonly #slot: StateSlot<StoredTables>;
  #load: { readonly acquirer: string; readonly version: string; readonly records: string[] } | undefined;

  constructor(slot: StateSlot<StoredTables>) {
    this.#slot = slot;
  }

  /** Version of an acquirer's tables, or of all (`00`). @throws StateError */
  version(acquirer: string): string {
    const { versions } = this.#stored;
    const general = versions[ALL];
    return versions[acquirer] ?? (acquirer === ALL ? NO_VERSION : (general ?? NO_VERSION));
  }

  /** The valid records; invalid ones were not stored (§6.7.3). @throws StateError */
  get records(): readonly TableRecord[] {
    const { records: texts } = this.#stored;
    const known = RECORDS_OF_TEXTS.get(texts);
    if (known) return known;
    const records = texts.flatMap((text) => readRecord(Buffer.from(text, 'latin1')) ?? []);
    RECORDS_OF_TEXTS.set(texts, records);
    return records;
  }

  /** TLI: begins a load; false when the version is another than the current one. */
  begin(acquirer: string, version: string): boolean {
    this.#load = { acquirer, version, records: [] };
    return this.version(acquirer) === version;
  }

  /** TLR: takes records aside; false when no load has begun. Records of other acquirers are dropped. */
  add(records: readonly Uint8Array[]): boolean {
    const load = this.#load;
    if (!load) return false;
    for (const bytes of records) {
      const record = readRecord(bytes);
      const wanted = record && (load.acquirer === ALL || record.acquirer === load.acquirer);
      if (wanted && load.records.length < MAX_TABLE_RECORDS)
        load.records.push(Buffer.from(bytes).toString('latin1'));
    }
    return true;
  }

  /** TLE: makes the load current; false when none has begun. @throws StateError when it cannot be kept */
  end(): boolean {
    const load = this.#load;
    if (!load) return false;
    this.#load = undefined;
    const { versions, records } = this.#stored;
    if (load.acquirer === ALL) {
      this.#slot.write({ versions: { [ALL]: load.version }, records: load.records });
      return true;
    }
    const kept = records.filter(
      (text) => readRecord(Buffer.from(text, 'latin1'))?.acquirer !== load.acquirer,
    );
    // Once one acquirer's tables stand alone there is no common version any more (§4.2.2).
    const others = Object.fromEntries(Object.entries(versions).filter(([acquirer]) => acquirer !== ALL));
    this.#slot.write({
      versions: { ...others, [load.acquirer]: load.version },
      records: [...kept, ...load.records],
    });
    return true;
  }

  get #stored(): StoredTables {
    return this.#slot.read() ?? EMPTY;
  }
}

function readRecord(bytes: Uint8Array): TableRecord | undefined {
  return decoded(() => decodeTableRecord(bytes));
}
