import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import type { MutatedModule } from './modules.js';
import { isByTimeout, type MutationResult } from './survivors.js';

/** Where the configuration, the reports and the sandbox of mutations are, from the root. */
const FOLDER = 'test/mutation';

/**
 * How much longer than without it the tests of a change may take, in milliseconds, before it counts as noticed: only a loop that has no end
 * takes so long. On a busy machine less is reached by changes that no test notices, which makes the share of a module look better than it is.
 */
const MUTATION_TIMEOUT_MS = 60_000;

/** Globs that leave tests out of what is mutated. */
export const NOT_TESTS = ['!**/*.test.ts', '!**/*.test.support.ts'];

/** What a run over one module gave. */
export interface MutationRun {
  readonly results: readonly MutationResult[];
  /** How many of them were noticed by a timeout alone, which a busy machine reaches as well. */
  readonly timeouts: number;
  readonly seconds: number;
}

/**
 * Changes the code of a module one expression at a time and runs its tests for each change. Prints the changes that no test noticed.
 * @param mutate globs from the root; `file:from-to` takes lines alone
 * @param root folder of the repository, which is also the working folder of the process
 */
export async function mutateModule(
  { name, tests }: MutatedModule,
  mutate: readonly string[],
  root: string,
): Promise<MutationRun> {
  const begunMs = performance.now();
  const results = await new Stryker({
    mutate: [...mutate, ...NOT_TESTS],
    testFiles: [...tests],
    testRunner: 'vitest',
    vitest: { configFile: `${FOLDER}/vitest.config.ts`, related: false },
    plugins: ['@stryker-mutator/vitest-runner'],
    coverageAnalysis: 'perTest',
    // No file: Stryker would change tsconfig.json by an interface that TypeScript 7 does not have.
    tsconfigFile: 'none',
    concurrency: 2,
    timeoutMS: MUTATION_TIMEOUT_MS,
    dryRunTimeoutMinutes: 10,
    reporters: ['clear-text', 'html', 'progress-append-only'],
    clearTextReporter: { allowColor: false, reportTests: false, logTests: false, reportScoreTable: false },
    htmlReporter: { fileName: `${FOLDER}/report/${fileNameOf(name)}.html` },
    tempDirName: `${FOLDER}/sandbox`,
    ignorePatterns: ['**/dist', '**/*.tsbuildinfo', '.local', `${FOLDER}/report`],
    // What runs once when a module is loaded: a change of it needs every test again.
    ignoreStatic: true,
    // The texts of messages decide nothing.
    mutator: { excludedMutations: ['StringLiteral'] },
  }).runMutationTest();
  const sources = new Map<string, string>();
  const sourceOf = (file: string) => {
    const source = sources.get(file) ?? readFileSync(join(root, file), 'utf8');
    sources.set(file, source);
    return source;
  };
  const counted = results.filter(({ status }) => COUNTED.has(status));
  return {
    results: counted.map(({ fileName, location, replacement = '', status }) => {
      const file = relative(root, fileName);
      return { file, source: sourceOf(file), location, replacement, isFound: FOUND.has(status) };
    }),
    timeouts: counted.filter(isByTimeout).length,
    seconds: Math.round((performance.now() - begunMs) / 1_000),
  };
}

const FOUND: ReadonlySet<string> = new Set(['Killed', 'Timeout']);
/** What is not among them could not be compiled, or was left out. */
const COUNTED: ReadonlySet<string> = new Set([...FOUND, 'Survived', 'NoCoverage']);

/** `card-tries` of `card tries`: the name of a module's files. Pure. */
export function fileNameOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}
