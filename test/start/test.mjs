// `npm test`: Vitest over every workspace; the last line is `N passed, N failed`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { bin, run } from './prepare.mjs';

/** Files that `--costs` lists. */
const DEAREST = 40;

/**
 * Runs the tests and prints the closing line. `--costs` lists the files that took most of the processor; other arguments go to Vitest: a path or
 * `-t name` narrows them.
 */
export async function test(given) {
  const args = given.filter((arg) => arg !== '--costs');
  const folder = mkdtempSync(join(tmpdir(), 'tillbridge-test-'));
  const report = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const costs = args.length < given.length ? join(folder, 'costs') : '';
  const env = { ...process.env, TILLBRIDGE_TEST_COSTS: costs };
  const code = await run(bin('vitest'), ['run', ...reporters, ...args], { env });
  if (costs) printCosts(costs);
  const { passed, failed, skipped, unfinished } = counts(report);
  rmSync(folder, { recursive: true });
  // A run that ended badly without a failed test (a crash, an unhandled error) must not look green.
  const shown = code !== 0 && failed === 0 ? 1 : failed;
  for (const name of unfinished) process.stdout.write(`had not ended: ${name}\n`);
  if (skipped > 0) process.stdout.write(`${skipped} skipped, for the reasons above\n`);
  process.stdout.write(`${passed} passed, ${shown} failed\n`);
  return code;
}

/** Seconds of processor of the tests themselves and of the processes that they started, and of a clock on the wall. */
function printCosts(file) {
  const rows = readFileSync(file, 'utf8').trim().split('\n').map(JSON.parse);
  const sum = (name) => rows.reduce((total, row) => total + row[name], 0);
  const column = (ms) => (ms / 1_000).toFixed(1).padStart(8);
  const line = ({ ownMs, childrenMs, wallMs }, name) =>
    `${column(ownMs)}${column(childrenMs)}${column(wallMs)}  ${name}\n`;
  process.stdout.write(`${'tests'.padStart(8)}${'children'.padStart(8)}${'wall'.padStart(8)}  s\n`);
  const total = { ownMs: sum('ownMs'), childrenMs: sum('childrenMs'), wallMs: sum('wallMs') };
  process.stdout.write(line(total, `all ${rows.length} files`));
  const dear = rows.toSorted((a, b) => b.ownMs + b.childrenMs - a.ownMs - a.childrenMs);
  for (const row of dear.slice(0, DEAREST)) process.stdout.write(line(row, row.file));
}

function counts(report) {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
    // Where the process of a file has ended, nothing else names the test that ran in it.
    const unfinished = testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === 'pending')
        .map(({ fullName }) => `${relative(process.cwd(), name)}: ${fullName}`),
    );
    const skipped = testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === 'skipped' || status === 'todo').length;
    return { passed: numPassedTests, failed: numFailedTests, skipped, unfinished };
  } catch {
    return { passed: 0, failed: 1, skipped: 0, unfinished: [] };
  }
}
