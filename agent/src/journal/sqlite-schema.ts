import { JournalUnavailable } from './journal.js';
import type { SqliteDatabase } from './sqlite-database.js';

/**
 * Migrations in order; the file's `user_version` counts those applied. One that was released is never changed.
 * `rows` is the record, `kept` what compaction leaves of it. `open_sales` says where a boot has to look; `blobs` can be wiped.
 */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE rows (
     row         INTEGER PRIMARY KEY,
     at_ms       INTEGER NOT NULL,
     kind        TEXT NOT NULL,
     reference   TEXT NOT NULL,
     terminal_id TEXT NOT NULL,
     message_id  TEXT,
     sequence    INTEGER NOT NULL,
     settles     TEXT,
     data        TEXT NOT NULL,
     hash        BLOB NOT NULL
   ) STRICT;
   CREATE UNIQUE INDEX rows_first ON rows (reference) WHERE kind = 'accepted';
   CREATE UNIQUE INDEX rows_message ON rows (message_id) WHERE message_id IS NOT NULL;
   CREATE UNIQUE INDEX rows_stream ON rows (terminal_id, sequence) WHERE sequence > 0;
   CREATE INDEX rows_reference ON rows (reference);
   CREATE INDEX rows_settles ON rows (settles) WHERE settles IS NOT NULL;
   CREATE INDEX rows_kind ON rows (kind, row);
   CREATE INDEX rows_at ON rows (at_ms);
   CREATE TRIGGER rows_never_change BEFORE UPDATE ON rows
     BEGIN SELECT RAISE(FAIL, 'the journal is append-only'); END;
   CREATE TRIGGER rows_never_go BEFORE DELETE ON rows
     BEGIN SELECT RAISE(FAIL, 'the journal is append-only'); END;
   CREATE TABLE open_sales (reference TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
   CREATE TABLE blobs (message_id TEXT PRIMARY KEY, sealed BLOB NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE probe (filler BLOB NOT NULL) STRICT;`,
  // Blobs under the chain; compaction: rows up to `removed` may go, and what is kept of their sales never does.
  `ALTER TABLE rows ADD COLUMN blob_hash BLOB;
   CREATE TABLE kept (
     position    INTEGER PRIMARY KEY,
     reference   TEXT NOT NULL,
     message_ids TEXT NOT NULL,
     data        TEXT NOT NULL,
     hash        BLOB NOT NULL
   ) STRICT;
   CREATE INDEX kept_reference ON kept (reference, position);
   CREATE TABLE kept_messages (message_id TEXT PRIMARY KEY, reference TEXT NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE removed (to_row INTEGER NOT NULL) STRICT;
   INSERT INTO removed VALUES (0);
   CREATE TRIGGER removed_only_grows BEFORE UPDATE ON removed WHEN NEW.to_row < OLD.to_row
     BEGIN SELECT RAISE(FAIL, 'removed rows do not come back'); END;
   DROP TRIGGER rows_never_go;
   CREATE TRIGGER rows_never_go BEFORE DELETE ON rows WHEN OLD.row > (SELECT to_row FROM removed)
     BEGIN SELECT RAISE(FAIL, 'the journal is append-only'); END;
   CREATE TRIGGER kept_never_changes BEFORE UPDATE ON kept
     BEGIN SELECT RAISE(FAIL, 'what is kept is append-only'); END;
   CREATE TRIGGER kept_never_goes BEFORE DELETE ON kept
     BEGIN SELECT RAISE(FAIL, 'what is kept is append-only'); END;
   CREATE TRIGGER rows_first_for_ever BEFORE INSERT ON rows
     WHEN NEW.kind = 'accepted' AND EXISTS (SELECT 1 FROM kept WHERE reference = NEW.reference)
     BEGIN SELECT RAISE(ABORT, 'reference is already journaled'); END;
   CREATE TRIGGER rows_message_for_ever BEFORE INSERT ON rows
     WHEN NEW.message_id IS NOT NULL AND EXISTS (SELECT 1 FROM kept_messages WHERE message_id = NEW.message_id)
     BEGIN SELECT RAISE(ABORT, 'message id is already journaled'); END;`,
];

/** Bytes a probe writes and takes away again: room for a few batches. */
const PROBE_BYTES = 64 * 1_024;

/**
 * Sets the durability the promises rest on (P1: WAL, synchronous=FULL), checks the file and brings its schema up to date.
 * @throws JournalUnavailable
 */
export async function prepareDatabase(database: SqliteDatabase, maxFileBytes: number): Promise<void> {
  await database.run('PRAGMA busy_timeout = 1000');
  await database.run('PRAGMA journal_mode = WAL');
  await database.run('PRAGMA synchronous = FULL');
  await database.run('PRAGMA secure_delete = ON');
  await database.run('PRAGMA foreign_keys = ON');
  await limitSize(database, maxFileBytes);
  const check = await database.get('PRAGMA quick_check(1)');
  if (check?.quick_check !== 'ok') throw new JournalUnavailable('corrupt', String(check?.quick_check));
  await migrate(database);
}

/** Writes and removes a piece as large as a few batches, synced: only a disk that takes it is ready. */
export async function probeDatabase(database: SqliteDatabase): Promise<void> {
  await database.run('INSERT INTO probe (filler) VALUES (zeroblob(?))', PROBE_BYTES);
  await database.run('DELETE FROM probe');
}

async function limitSize(database: SqliteDatabase, maxFileBytes: number): Promise<void> {
  const page = await database.get('PRAGMA page_size');
  await database.all(
    `PRAGMA max_page_count = ${Math.floor(maxFileBytes / Number(page?.page_size ?? 4_096))}`,
  );
}

async function migrate(database: SqliteDatabase): Promise<void> {
  const version = Number((await database.get('PRAGMA user_version'))?.user_version ?? 0);
  if (version > MIGRATIONS.length) {
    throw new JournalUnavailable(
      'cannot-open',
      `the file has schema ${version}, this build knows ${MIGRATIONS.length}: a newer agent wrote it`,
    );
  }
  for (let next = version; next < MIGRATIONS.length; next += 1) {
    await database.exec(`BEGIN IMMEDIATE; ${MIGRATIONS[next]}; PRAGMA user_version = ${next + 1}; COMMIT;`);
  }
}
