#!/usr/bin/env node
// `npm run mutations`: Stryker changes the deciding code one expression at a time and runs the tests of its module; what no test notices survives.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { globSync } from 'tinyglobby';
import { type CommandSpec, misuse, runCommand } from '../command-line/command-line.js';
import { ROOT } from '../stack/layout.js';
import { changedLines, type LineRange } from './changed-lines.js';
import { MODULES, type MutatedModule } from './modules.js';
import { mutateModule, NOT_TESTS } from './mutate.js';
import { countOf, mutationPage } from './mutation-page.js';
import { readRecord, writeRecord } from './record.js';
import { newSurvivors, survivorsOf } from './survivors.js';

const PAGE = 'test/docs/mutations.md';

const MUTATION_COMMAND: CommandSpec = {
  call: 'npm run mutations --',
  forms: ['[--changed | --since BASE] [--record] [NAME…]', '--page'],
  summary:
    'Changes the code that decides one expression at a time and runs its tests. Fails where a change that survives is new, or too few were noticed.',
  operands: {
    title: 'Modules, by a part of their name (default: all)',
    rows: MODULES.map(({ name, minimum }) => [name, `${minimum} %`]),
  },
  options: {
    '--changed': { help: 'only lines that differ from the last commit' },
    '--since': { value: 'BASE', help: 'only lines that differ from that commit' },
    '--record': { help: `keep figures and survivors in test/mutation/survivors, and write ${PAGE}` },
    '--page': { help: `only write ${PAGE} from what is kept` },
  },
};

/** Lines that differ from a commit, those of new files among them. */
function changesSince(base: string): readonly LineRange[] {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  const added = git('ls-files', '--others', '--exclude-standard', '*.ts').split('\n').filter(Boolean);
  return [
    ...changedLines(git('diff', '--unified=0', '--no-color', base, '--', '*.ts')),
    ...added.map((file) => ({ file, from: 1, to: Number.MAX_SAFE_INTEGER })),
  ];
}

/** What of a module is to be mutated, where only changed lines are. */
function changedPart({ mutate }: MutatedModule, changes: readonly LineRange[]): readonly string[] {
  const files = new Set(globSync([...mutate, ...NOT_TESTS], { cwd: ROOT }));
  return changes
    .filter(({ file }) => files.has(file))
    .map(({ file, from, to }) => (to === Number.MAX_SAFE_INTEGER ? file : `${file}:${from}-${to}`));
}

/** Mutates one module; returns its line of the summary, and whether it kept what is demanded. */
async function mutated(
  module: MutatedModule,
  part: readonly string[] | undefined,
  isRecorded: boolean,
): Promise<{ readonly line: string; readonly isKept: boolean }> {
  const { name, mutate, minimum } = module;
  const { results, timeouts, seconds } = await mutateModule(module, part ?? mutate, ROOT);
  const known = readRecord(ROOT, name);
  const survivors = survivorsOf(results, known?.survivors ?? []);
  const found = results.filter(({ isFound }) => isFound).length;
  const isEnough = part !== undefined || found >= (results.length * minimum) / 100;
  const fresh = known || part ? newSurvivors(survivors, known?.survivors ?? []) : [];
  for (const { file, line, change } of fresh) process.stdout.write(`NEW: ${file}\n  ${line}\n  ${change}\n`);
  if (isRecorded && part === undefined)
    writeRecord(ROOT, name, { mutations: results.length, found, survivors });
  const score = results.length === 0 ? '100' : ((100 * found) / results.length).toFixed(1);
  const line = `${name}: ${results.length} changes, ${found} noticed, of these ${timeouts} by timeout: ${score} %, at least ${minimum} %; ${countOf(fresh)} new survivors; ${seconds} s`;
  return { line, isKept: isEnough && (isRecorded || fresh.length === 0) };
}

function writePage(): void {
  const path = join(ROOT, PAGE);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(
    path,
    mutationPage(MODULES, (name) => readRecord(ROOT, name)),
  );
}

await runCommand(MUTATION_COMMAND, async ({ options, operands }) => {
  if (options.has('--page')) {
    writePage();
    return 0;
  }
  const strange = operands.find((text) => !MODULES.some(({ name }) => name.includes(text)));
  if (strange !== undefined) throw misuse(MUTATION_COMMAND, `"${strange}" is in the name of no module`);
  // Stryker works in the current folder.
  process.chdir(ROOT);
  const base = options.get('--since') ?? (options.has('--changed') ? 'HEAD' : undefined);
  const changes = base === undefined ? undefined : changesSince(base);
  const lines: string[] = [];
  let isKept = true;
  for (const module of MODULES) {
    if (operands.length > 0 && !operands.some((text) => module.name.includes(text))) continue;
    const part = changes && changedPart(module, changes);
    if (part?.length === 0) continue;
    const done = await mutated(module, part, options.has('--record'));
    isKept &&= done.isKept;
    lines.push(done.line);
    process.stdout.write(`${done.line}\n`);
  }
  if (options.has('--record')) writePage();
  process.stdout.write(
    lines.length === 0 ? 'No line of these modules differs.\n' : `\n${lines.join('\n')}\n`,
  );
  return isKept ? 0 : 1;
});
