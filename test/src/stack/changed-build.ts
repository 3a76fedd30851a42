import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PROGRAMS, ROOT } from './layout.js';

/** A build of the gateway. */
export interface Build {
  readonly program: string;
  remove(): void;
}

const ALL_MIGRATIONS = /const STORE_MIGRATIONS = (\[[^\]]*\]);/;

/** A column that this build knows nothing of, in the table that is written most. */
const DRILL = `{
  id: 1000,
  name: 'drill',
  readableFrom: 1,
  sqlite: 'ALTER TABLE payments ADD COLUMN drill TEXT',
  postgres: 'ALTER TABLE payments ADD COLUMN "drill" text',
}`;

/** The text of a module with one more migration of the store, where it has them. */
export function withStoreMigration(text: string): string {
  return text.replace(ALL_MIGRATIONS, (_, before) => `const STORE_MIGRATIONS = [...${before}, ${DRILL}];`);
}

/** The gateway's program with one more migration of the store. */
export function nextBuild(): Build {
  return changedBuild(withStoreMigration);
}

const STORE_CLASS = /^(?:var )?(?:SqliteStore = )?class SqliteStore\b/m;

/** The gateway's program with statements behind those of the module that has the class `SqliteStore`. */
export function buildWithStore(statements: string): Build {
  return changedBuild((text) => (STORE_CLASS.test(text) ? `${text}\n${statements}\n` : text));
}

/** Inside the gateway's package, so that a program there finds its libraries, and outside of what npm packs. */
const CHANGED = join(ROOT, 'gateway', '.local');

/** A copy of the gateway's program, changed. */
function changedBuild(change: (text: string) => string): Build {
  const current = dirname(PROGRAMS.gateway);
  mkdirSync(CHANGED, { recursive: true });
  const folder = mkdtempSync(join(CHANGED, 'changed-'));
  cpSync(current, folder, { recursive: true });
  let changed = 0;
  for (const file of readdirSync(folder, { withFileTypes: true })
    .filter((each) => each.isFile())
    .map(({ name }) => join(folder, name))) {
    const text = readFileSync(file, 'utf8');
    const next = change(text);
    if (next === text) continue;
    writeFileSync(file, next);
    changed += 1;
  }
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  if (changed === 0) {
    remove();
    throw new Error('the program has not what this test would change: write the test anew');
  }
  return { program: join(folder, basename(PROGRAMS.gateway)), remove };
}
