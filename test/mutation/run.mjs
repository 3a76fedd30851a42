// `npm run mutations`: Stryker changes the guards one expression at a time and runs the tests of each guard; a mutation that no test notices has
// survived. `npm run mutations -- throttle` mutates the guards of that name alone. The exit code says whether each guard kept its minimum.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Stryker } from '@stryker-mutator/core';
import { GUARDS } from './guards.mjs';

const FOLDER = 'test/mutation';
process.chdir(fileURLToPath(new URL('../..', import.meta.url)));

const NAMES = GUARDS.map(({ name }) => name).join(', ');
const USAGE = `npm run mutations [-- NAME]

Mutates the guards one expression at a time and runs their tests. Exit code 1: fewer mutations were found than must be.
NAME is a part of the name of a guard: ${NAMES}.
`;

const wanted = process.argv.slice(2).join(' ');
if (wanted === '--help') {
  process.stdout.write(USAGE);
  process.exit(0);
}
const guards = GUARDS.filter(({ name }) => name.includes(wanted));
if (guards.length === 0) {
  process.stderr.write(`no guard is named "${wanted}"; there are ${NAMES}\n`);
  process.exit(2);
}

const rows = [];
for (const guard of guards) rows.push(await mutated(guard));
for (const row of rows) process.stdout.write(`${row}\n`);

/** Mutates one guard; returns its line of the summary. */
async function mutated({ name, mutate, tests, minimum }) {
  const begunMs = Date.now();
  const results = await new Stryker({
    mutate,
    testFiles: tests,
    testRunner: 'vitest',
    vitest: { configFile: join(FOLDER, 'vitest.config.ts'), related: false },
    plugins: ['@stryker-mutator/vitest-runner'],
    coverageAnalysis: 'perTest',
    // No file: Stryker would change tsconfig.json by an interface that TypeScript 7 does not have.
    tsconfigFile: 'none',
    concurrency: 2,
    timeoutMS: 10_000,
    dryRunTimeoutMinutes: 10,
    reporters: ['clear-text', 'html'],
    clearTextReporter: { allowColor: false, reportTests: false, logTests: false, reportScoreTable: false },
    htmlReporter: { fileName: join(FOLDER, 'report', `${name.replaceAll(' ', '-')}.html`) },
    tempDirName: join(FOLDER, 'sandbox'),
    ignorePatterns: ['**/dist', '**/*.tsbuildinfo', '.local', `${FOLDER}/report`],
    ignoreStatic: true,
    // The texts of messages are no guards.
    mutator: { excludedMutations: ['StringLiteral'] },
    thresholds: { high: 100, low: minimum, break: minimum },
  }).runMutationTest();
  const count = (...statuses) => results.filter(({ status }) => statuses.includes(status)).length;
  const killed = count('Killed', 'Timeout');
  const alive = count('Survived', 'NoCoverage');
  const seconds = Math.round((Date.now() - begunMs) / 1_000);
  const score = ((100 * killed) / (killed + alive)).toFixed(1);
  return `${name}: ${killed + alive} mutations, ${killed} found, ${alive} survived: ${score} %, at least ${minimum} %; ${seconds} s`;
}
