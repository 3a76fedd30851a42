// `npm test`: Vitest over every workspace; the last line is `N passed, N failed`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { bin, run } from './prepare.mjs';

/** Runs the tests (arguments go to Vitest: a path or `-t name` narrows them) and prints the closing line. */
export async function test(args) {
  const folder = mkdtempSync(join(tmpdir(), 'tillbridge-test-'));
  const report = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const code = await run(bin('vitest'), ['run', ...reporters, ...args]);
  const { passed, failed, skipped, unfinished } = counts(report);
  rmSync(folder, { recursive: true });
  // A run that ended badly without a failed test (a crash, an unhandled error) must not look green.
  const shown = code !== 0 && failed === 0 ? 1 : failed;
  for (const name of unfinished) process.stdout.write(`had not ended: ${name}\n`);
  if (skipped > 0) process.stdout.write(`${skipped} skipped, for the reasons above\n`);
  process.stdout.write(`${passed} passed, ${shown} failed\n`);
  return code;
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
