// `npm run check`: types (prepare has built), lint and format, import arrows, generated files, API compatibility.
import { join } from 'node:path';
import { bin, ROOT, run } from './prepare.mjs';

/** A lock file that `npm ci` refuses keeps every new clone from installing; a checkout that is installed does not notice. */
const LOCK_FILE = ['ci', '--dry-run', '--ignore-scripts', '--offline', '--no-audit', '--no-fund'];
const npm = process.env.npm_execpath;

const CHECKS = [
  ['lock file', npm ? process.execPath : 'npm', npm ? [npm, ...LOCK_FILE] : LOCK_FILE],
  ['lint and format', bin('biome'), ['ci', '--error-on-warnings', '.']],
  ['import arrows', process.execPath, [join(ROOT, 'test', 'start', 'import-arrows.mjs')]],
  ['folders', process.execPath, [join(ROOT, 'test', 'start', 'folders.mjs')]],
  ['replaced words', process.execPath, [join(ROOT, 'test', 'start', 'words.mjs')]],
  [
    'generated files',
    process.execPath,
    [join(ROOT, 'protocol', 'wire', 'scripts', 'generate-bridge.mjs'), '--check'],
  ],
  [
    'page of the sale machine',
    process.execPath,
    [join(ROOT, 'agent', 'scripts', 'generate-machine.mjs'), '--check'],
  ],
  [
    'configuration pages',
    process.execPath,
    [join(ROOT, 'test', 'start', 'configuration-pages.mjs'), '--check'],
  ],
  ['method page', process.execPath, [join(ROOT, 'test', 'start', 'method-pages.mjs'), '--check']],
  ['role page', process.execPath, [join(ROOT, 'test', 'start', 'role-pages.mjs'), '--check']],
  ['error pages', process.execPath, [join(ROOT, 'test', 'start', 'error-pages.mjs'), '--check']],
  [
    'API compatibility',
    process.execPath,
    [join(ROOT, 'gateway', 'scripts', 'record-openapi.mjs'), '--check'],
  ],
];

const USAGE = `usage: npm run check

Runs, in this order: types, ${CHECKS.map(([name]) => name).join(', ')}. It takes no arguments.
Exit codes: 0 all good, 1 a check failed, 2 wrong usage.
`;

/** Runs every check, also after one failed, so that one run reports all; exit code 1 when any failed. */
export async function check(args) {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(USAGE);
    return 0;
  }
  if (args.length > 0) {
    process.stderr.write(`"${args[0]}" is not expected\n${USAGE}`);
    return 2;
  }
  const failed = [];
  for (const [name, command, args] of CHECKS) {
    process.stdout.write(`-- ${name}\n`);
    if ((await run(command, args)) !== 0) failed.push(name);
  }
  process.stdout.write(failed.length === 0 ? 'check: all good\n' : `check: failed: ${failed.join(', ')}\n`);
  return failed.length === 0 ? 0 : 1;
}
