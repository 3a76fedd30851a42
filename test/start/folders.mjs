// Folders show the parts: a limit on the files of one folder, and pure folders that stay pure.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './prepare.mjs';

/** Most source files in one folder, tests and their helpers aside. */
const MAX_FILES = 25;

/** What waits, or reads a clock or randomness. */
const IMPURE = /\b(async|await|Promise|Date\.now|Math\.random|randomBytes)\b/;

/** Folders whose code decides and does nothing else: what they may not import, and why. */
const PURE_FOLDERS = [
  {
    folder: /^gateway\/src\/(core\/payments\/(rules|instruments|policy|timeline)|features\/[^/]+\/rules)\//,
    imports: /from '[^']*\/(metrics|workers|http|platform(?!\/schema))\//,
    reason: 'decisions on payments and rules of features wait for nothing and read no clock',
  },
  {
    folder: /^agent\/src\/sale\/(machine|offline)\//,
    imports: /from '[^']*\/platform(?!\/schema)\//,
    reason: 'the sale machine waits for nothing and reads no clock',
  },
];

function sourceFiles() {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '--', '*/src/**.ts', '*/src/**.tsx'],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  );
  return listed
    .split('\n')
    .filter((file) => file && existsSync(join(ROOT, file)))
    .filter((file) => !/\.test(\.support)?\.tsx?$|\/testing\//.test(file));
}

/** What is wrong with the folders, a line each. */
export function folderProblems() {
  const counts = new Map();
  const problems = [];
  for (const file of sourceFiles()) {
    const folder = dirname(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
    problems.push(...impurities(file, readFileSync(join(ROOT, file), 'utf8')));
  }
  for (const [folder, count] of counts) {
    if (count > MAX_FILES)
      problems.push(
        `${folder}: ${count} source files; at most ${MAX_FILES}: move a part of them to a new folder`,
      );
  }
  return problems;
}

function impurities(file, text) {
  const rule = PURE_FOLDERS.find(({ folder }) => folder.test(file));
  if (!rule) return [];
  return withoutComments(text)
    .split('\n')
    .flatMap((line, at) => {
      const isImpure = rule.imports.test(line) || IMPURE.test(line.replace(/'[^']*'|`[^`]*`/g, "''"));
      return isImpure ? [`${file}:${at + 1}: ${rule.reason}: ${line.trim()}`] : [];
    });
}

/** The same lines with comments blanked. */
function withoutComments(text) {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, (comment) => comment.replace(/[^\n]/g, ' '));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const problems = folderProblems();
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
