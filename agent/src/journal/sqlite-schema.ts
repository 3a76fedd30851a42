import { type BatchView, batchViewSql } from '@tillbridge/platform/sqlite/batch-view.js';
import type { SqliteConnection } from '@tillbridge/platform/sqlite/connection.js';
import {
  migrate,
  type Schema,
  type SchemaSpan,
  SchemaTooNewError,
  schemaSpan,
} from '@tillbridge/platform/sqlite/migrate.js';
import { columnNames, createSql } from '@tillbridge/platform/sqlite/table-sql.js';
import { JournalUnavailable } from './journal.js';
import { openDatabase } from './open-database.js';
import {
  BLOBS,
  JOURNAL_MIGRATIONS,
  KEPT,
  KEPT_MESSAGES,
  OPEN_SALES,
  PROBE,
  REMOVED,
  ROWS,
} from './tables.js';

/** What keeps the record append-only: rows up to `removed` may go, and what is kept of their sales never does. */
const RULES = `
CREATE UNIQUE INDEX rows_first ON rows (reference) WHERE kind = 'accepted';
CREATE UNIQUE INDEX rows_stream ON rows (terminalId, sequence) WHERE sequence > 0;
INSERT INTO removed VALUES (0);
CREATE TRIGGER rows_never_change BEFORE UPDATE ON rows
  BEGIN SELECT RAISE(FAIL, 'the journal is append-only'); END;
CREATE TRIGGER rows_never_go BEFORE DELETE ON rows WHEN OLD.row > (SELECT toRow FROM removed)
  BEGIN SELECT RAISE(FAIL, 'the journal is append-only'); END;
CREATE TRIGGER rows_first_for_ever BEFORE INSERT ON rows
  WHEN NEW.kind = 'accepted' AND EXISTS (SELECT 1 FROM kept WHERE reference = NEW.reference)
  BEGIN SELECT RAISE(ABORT, 'reference is already journaled'); END;
CREATE TRIGGER rows_message_for_ever BEFORE INSERT ON rows
  WHEN NEW.messageId IS NOT NULL AND EXISTS (SELECT 1 FROM keptMessages WHERE messageId = NEW.messageId)
  BEGIN SELECT RAISE(ABORT, 'message id is already journaled'); END;
CREATE TRIGGER removed_only_grows BEFORE UPDATE ON removed WHEN NEW.toRow < OLD.toRow
  BEGIN SELECT RAISE(FAIL, 'removed rows do not come back'); END;
CREATE TRIGGER kept_never_changes BEFORE UPDATE ON kept
  BEGIN SELECT RAISE(FAIL, 'what is kept is append-only'); END;
CREATE TRIGGER kept_never_goes BEFORE DELETE ON kept
  BEGIN SELECT RAISE(FAIL, 'what is kept is append-only'); END;`;

const ROW_VALUES = Object.values(ROWS.columns).map(({ type }, at) =>
  type === 'BLOB' ? `unhex(value ->> ${at})` : `value ->> ${at}`,
);

/** An append, one statement: what becomes of the rows, each an array in the order of its columns, and of the other tables. Bytes as hex. */
export const APPENDS: BatchView = {
  name: 'appends',
  isTemporary: false,
  parts: [
    {
      name: 'rows',
      statements: [
        `INSERT INTO rows (${columnNames(ROWS).join(', ')}) SELECT ${ROW_VALUES.join(', ')} FROM json_each(NEW.rows) ORDER BY key`,
      ],
    },
    {
      name: 'opened',
      statements: ['INSERT OR IGNORE INTO openSales SELECT value FROM json_each(NEW.opened)'],
    },
    {
      name: 'closed',
      statements: ['DELETE FROM openSales WHERE reference IN (SELECT value FROM json_each(NEW.closed))'],
    },
    {
      name: 'wiped',
      statements: ['DELETE FROM blobs WHERE messageId IN (SELECT value FROM json_each(NEW.wiped))'],
    },
    {
      name: 'blobs',
      statements: ['INSERT INTO blobs SELECT value ->> 0, unhex(value ->> 1) FROM json_each(NEW.blobs)'],
    },
  ],
};

/** The schema of the journal. A migration that only adds keeps `readableFrom`: agents of the release before go on with the journal. */
export const JOURNAL_SCHEMA: Schema = {
  create:
    createSql([ROWS, KEPT, KEPT_MESSAGES, REMOVED, OPEN_SALES, BLOBS, PROBE]) + RULES + batchViewSql(APPENDS),
  migrations: JOURNAL_MIGRATIONS,
};

/** Which journals this build writes, and which builds read them. */
export const JOURNAL_SPAN: SchemaSpan = schemaSpan(JOURNAL_SCHEMA);

/** Bytes a probe writes and takes away again: room for a few batches. */
const PROBE_BYTES = 64 * 1_024;

/**
 * Opens a journal file to write, or makes it (P1: WAL, synchronous=FULL), checks it and brings its schema up to date.
 * @throws JournalUnavailable
 */
export async function openJournalDatabase(path: string, maxBytes: number): Promise<SqliteConnection> {
  const database = await openDatabase(path, { maxBytes });
  try {
    const check = await database.get('PRAGMA quick_check(1)');
    if (check?.quick_check !== 'ok') throw new JournalUnavailable('corrupt', String(check?.quick_check));
    await migrate(database, JOURNAL_SCHEMA);
    return database;
  } catch (error) {
    await database.close();
    if (error instanceof SchemaTooNewError) throw new JournalUnavailable('cannot-open', error.message);
    throw error;
  }
}

/** Writes and removes a piece as large as a few batches, synced: only a disk that takes it is ready. */
export async function probeDatabase(database: SqliteConnection): Promise<void> {
  await database.run('INSERT INTO probe (filler) VALUES (zeroblob(?))', PROBE_BYTES);
  await database.run('DELETE FROM probe');
}
