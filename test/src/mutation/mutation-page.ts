import type { MutatedModule } from './modules.js';
import type { MutationRecord, Survivor } from './survivors.js';

const HEAD = `# Mutations

\`npm run mutations\` changes the code that decides, one expression at a time, with [Stryker](https://stryker-mutator.io). For each change it runs the
small tests of that module, on the store in memory, and stops at the first that fails. A thread has loaded the code with all its changes, and stays
for the tests of the next one. A change that no test notices has survived. The exit code is 1 where a survivor is new, or fewer changes were
noticed than the minimum of the module (\`test/src/mutation/modules.ts\`, which also names the tests).

\`\`\`text
npm run mutations                      # all modules, for hours
npm run mutations -- throttle          # those whose name has it
npm run mutations -- --changed         # lines that differ from the last commit; --since main: from main
npm run mutations -- throttle --record # keeps the figures and the survivors
\`\`\`

A change may make a test wait for ever, or a loop run on: then a timeout notices it. The line of a run counts those by timeout apart. A busy machine
reaches a timeout as well: where there are many, run the module again on a quiet one.

The texts of messages are not changed, nor is what runs once when a module is loaded. A page for each module, with the code, is in
\`test/mutation/report\` after a run; the survivors stand in \`test/mutation/survivors\`, each with the reason why it may.
This page is made by \`npm run mutations -- --page\`.
`;

/** The page of what was measured. Pure. */
export function mutationPage(
  modules: readonly MutatedModule[],
  recordOf: (name: string) => MutationRecord | undefined,
): string {
  const rows = modules.map((module) => scoreRow(module, recordOf(module.name)));
  const survivors = modules.flatMap(({ name }) => reasonRows(name, recordOf(name)?.survivors ?? []));
  return [
    HEAD,
    '| module | files | minimum | changes | noticed | survivors not judged |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    '## What survives, and why',
    '',
    '| module | reason | changes | in |',
    '|---|---|---|---|',
    ...survivors,
    '',
  ].join('\n');
}

/** How often the survivors stand in the code. Pure. */
export function countOf(survivors: readonly Survivor[]): number {
  return survivors.reduce((sum, { times = 1 }) => sum + times, 0);
}

function scoreRow({ name, mutate, minimum }: MutatedModule, record: MutationRecord | undefined): string {
  // The table of modules has the folder of each file.
  const files = mutate.map((glob) => `\`${glob.split('/').at(-1)}\``).join(', ');
  const unjudged = countOf((record?.survivors ?? []).filter(({ reason }) => reason === ''));
  const figures = record
    ? [record.mutations, `${((100 * record.found) / record.mutations).toFixed(1)} %`, unjudged]
    : ['not measured', '', ''];
  return `| ${[name, files, `${minimum} %`, ...figures].join(' | ')} |`;
}

function reasonRows(name: string, survivors: readonly Survivor[]): readonly string[] {
  const byReason = new Map<string, Survivor[]>();
  for (const each of survivors)
    if (each.reason !== '') byReason.set(each.reason, [...(byReason.get(each.reason) ?? []), each]);
  return [...byReason].map(([reason, alike]) => {
    const files = [...new Set(alike.map(({ file }) => `\`${file.split('/').at(-1)}\``))].join(', ');
    return `| ${name} | ${reason} | ${countOf(alike)} | ${files} |`;
  });
}
