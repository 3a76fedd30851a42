import { existsSync } from 'node:fs';
import { lockHome } from '@tillbridge/platform/home-lock.js';
import { systemCode } from '@tillbridge/platform/system-code.js';
import type { Command } from 'commander';
import { addCommand, type ConfigOption } from '../../../kernel/commands/command.js';
import { gatewayFiles } from '../../../kernel/data-folder/gateway-files.js';
import { OperatorError } from '../../../kernel/errors/operator-error.js';
import type { DataSet } from '../../../kernel/store/transfer/data-set.js';
import type { Sums } from '../../../kernel/store/transfer/summing.js';
import { backup } from './backup.js';

/** `export`, `import`: the rows of a database, into a PostgreSQL database. `backup`: a copy of SQLite files. */
export function addTransferCommands(program: Command): void {
  addCommand(
    program,
    'export <file>',
    'Write all rows into a new file: of DATABASE_URL as they are at one moment, or of the SQLite files of a home whose gateway does not run.',
  ).action(exportFile);
  addCommand(
    program,
    'import <file>',
    'Bring exported rows into the empty database of DATABASE_URL; the same call again goes on where one ended.',
  ).action(importFile);
  addCommand(
    program,
    'backup <folder>',
    'Copy the SQLite files of the home into a new folder; the gateway may run meanwhile. Keys are not copied.',
  ).action(backup);
}

async function exportFile(file: string, options: ConfigOption): Promise<void> {
  const { home, databaseUrl } = options.readConfig();
  try {
    if (databaseUrl === undefined) await exportHome(file, home);
    else {
      const { exportRows, postgresReaders } = await exporting();
      print('exported', await exportRows(postgresReaders(await dataSets(home), databaseUrl), file));
    }
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    const code = systemCode(error);
    if (code === 'EEXIST') throw new OperatorError(`${file} is there already: name a new file`);
    throw new OperatorError(
      `${file} cannot be written (${code}): name a new file in a folder that is there, on a disk with room`,
    );
  }
}

async function exporting() {
  const [{ exportRows }, readers] = await Promise.all([
    import('../../../kernel/store/transfer/export-rows.js'),
    import('../../../kernel/store/transfer/row-readers.js'),
  ]);
  return { exportRows, ...readers };
}

async function exportHome(file: string, home: string): Promise<void> {
  const sets = (await dataSets(home)).filter((set) => existsSync(set.file));
  if (sets.length === 0) throw new OperatorError(`${home} has no gateway database yet`);
  const { exportRows, sqliteReaders } = await exporting();
  const lock = await lockHome({ home, program: 'gateway', variable: 'GATEWAY_HOME' });
  try {
    print('exported', await exportRows(sqliteReaders(sets), file));
  } finally {
    await lock.release();
  }
}

async function importFile(file: string, options: ConfigOption): Promise<void> {
  const { home, databaseUrl } = options.readConfig();
  if (databaseUrl === undefined)
    throw new OperatorError('DATABASE_URL is not set: name the database to import into');
  if (!existsSync(file)) throw new OperatorError(`${file} is not there`);
  const { importRows } = await import('../../../kernel/store/transfer/import-rows.js');
  print('imported', await importRows(await dataSets(home), file, databaseUrl));
}

/** The store, and in test mode the ledger of the INTERNAL acquirer. Loaded where they are needed alone. */
async function dataSets(home: string): Promise<readonly DataSet[]> {
  const { POSTGRES_STORE_SCHEMA, STORE_SCHEMA_NAME } = await import(
    '../../../kernel/store/postgres/postgres-store.js'
  );
  const { TABLES } = await import('../../../kernel/store/tables.js');
  const ledger = await import('../../../core/acquirers/internal/postgres-ledger.js');
  const { database, acquirerDatabase } = gatewayFiles(home);
  return [
    {
      name: STORE_SCHEMA_NAME,
      tables: Object.values(TABLES),
      file: database,
      schema: POSTGRES_STORE_SCHEMA,
    },
    {
      name: ledger.LEDGER_SCHEMA_NAME,
      tables: ledger.LEDGER_TABLES,
      file: acquirerDatabase,
      schema: ledger.LEDGER_SCHEMA,
    },
  ];
}

function print(done: string, sums: Sums): void {
  for (const [name, { rows, sha256 }] of Object.entries(sums))
    process.stdout.write(`${done} ${name}: ${rows} rows, ${sha256}\n`);
}
