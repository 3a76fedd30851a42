import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PROGRAMS } from '../stack/layout.js';

/** A build of the gateway. */
export interface Build {
  readonly program: string;
  remove(): void;
}

const NO_MIGRATIONS = 'const STORE_MIGRATIONS = [];';

/** A column that this build knows nothing of, in the table that is written most. */
const MIGRATIONS = `const STORE_MIGRATIONS = [{
  id: 2,
  name: 'drill',
  sqlite: 'ALTER TABLE payments ADD COLUMN drill TEXT',
  postgres: 'ALTER TABLE payments ADD COLUMN "drill" text',
}];`;

/** A copy of the gateway's program with one more migration of the store, beside the program: it finds its libraries as that does. */
export function nextBuild(): Build {
  const current = dirname(PROGRAMS.gateway);
  const folder = mkdtempSync(join(dirname(current), 'next-'));
  cpSync(current, folder, { recursive: true });
  const files = readdirSync(folder).map((name) => join(folder, name));
  let changed = 0;
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    if (!text.includes(NO_MIGRATIONS)) continue;
    writeFileSync(file, text.replace(NO_MIGRATIONS, MIGRATIONS));
    changed += 1;
  }
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  if (changed === 0) {
    remove();
    throw new Error('the build has other migrations than the drill knows: write the drill anew');
  }
  return { program: join(folder, basename(PROGRAMS.gateway)), remove };
}
