// Import arrows: the rules of .dependency-cruiser.mjs, and no circle of imports between folders, of any length.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import swc from '@swc/core';
import { cruise } from 'dependency-cruiser';
import configuration from '../../.dependency-cruiser.mjs';
import { ROOT } from './prepare.mjs';

const SOURCES = [
  'protocol/wire/src',
  'protocol/platform/src',
  'protocol/panel-kit/src',
  'gateway/src',
  'gateway/widget/src',
  'agent/src',
  'agent/panel/src',
  'hardware-sim/src',
  'hardware-sim/panel/src',
  'test/src',
];

const TESTS = /\.test(\.support)?\.tsx?$|\/testing\//;

/** What is wrong with the imports, a line each. */
async function importProblems() {
  readTsx();
  const { forbidden, options } = configuration;
  const sources = SOURCES.filter((folder) => existsSync(join(ROOT, folder)));
  const cruised = await cruise(
    sources,
    { ...options, baseDir: ROOT, validate: true, ruleSet: { forbidden } },
    options.enhancedResolveOptions,
  );
  const { modules, summary } = cruised.output;
  return [...summary.violations.map(violation), ...folderCircles(modules)];
}

/** dependency-cruiser parses each file as TypeScript without JSX, and has no option for it. */
function readTsx() {
  const { parseFileSync } = swc;
  swc.parseFileSync = (file, options) => parseFileSync(file, { ...options, tsx: file.endsWith('.tsx') });
}

function violation({ rule, from, to, cycle }) {
  const path = cycle ? cycle.map(({ name }) => name) : [to];
  return `${rule.name}: ${[from, ...path].join(' → ')}`;
}

/**
 * Circles of any length between the parts of a folder: its folders, each with all that is below, and its own files as one part more.
 * The rules of dependency-cruiser with `scope: folder` see only the folder of each imported file: not that `a/x` imports `b/y`, and `b/z` `a/w`.
 */
function folderCircles(modules) {
  const problems = [];
  for (const [folder, arrows] of arrowsByFolder(modules)) {
    const reported = new Set();
    for (const part of arrows.keys()) {
      const circle = reported.has(part) ? undefined : shortestCircle(arrows, part);
      if (!circle) continue;
      for (const one of circle) reported.add(one);
      const imports = circle.slice(1).map((to, at) => arrows.get(circle[at]).get(to));
      problems.push(
        `no-circle-of-folders: ${folder}: ${circle.join(' → ')} (${imports.join('; ')}): move what both need below both`,
      );
    }
  }
  return problems;
}

/** For each folder: which of its parts imports which, and an example. */
function arrowsByFolder(modules) {
  const folders = new Map();
  for (const { source, dependencies } of modules) {
    if (TESTS.test(source)) continue;
    for (const { resolved } of dependencies) {
      if (!/^(protocol\/[^/]+|[^/]+\/(panel|widget)|[^/]+)\/src\//.test(resolved) || TESTS.test(resolved))
        continue;
      const { folder, from, to } = meeting(source, resolved);
      if (from === to) continue;
      const arrows = entry(folders, folder, () => new Map());
      entry(arrows, to, () => new Map());
      entry(
        entry(arrows, from, () => new Map()),
        to,
        () => `${source} imports ${resolved}`,
      );
    }
  }
  return folders;
}

/**
 * The deepest folder that holds both files, and the part of it that each is in. The `register.ts` of a feature is a separate part: it hands
 * all of its folder to the app, and nothing in the folder imports it.
 */
function meeting(source, resolved) {
  const [from, to] = [source, resolved].map((file) => file.split('/').slice(0, -1));
  let depth = 0;
  while (depth < from.length && from[depth] === to[depth]) depth += 1;
  const part = (folders, file) =>
    folders[depth] ?? (file.endsWith('/register.ts') ? 'register.ts' : 'its own files');
  return { folder: from.slice(0, depth).join('/'), from: part(from, source), to: part(to, resolved) };
}

/** The parts of a shortest circle, the first again at the end. */
function shortestCircle(arrows, start) {
  const paths = [[start]];
  const seen = new Set();
  for (const path of paths) {
    for (const next of arrows.get(path.at(-1)).keys()) {
      if (next === start) return [...path, start];
      if (!seen.has(next)) paths.push([...path, next]);
      seen.add(next);
    }
  }
  return undefined;
}

function entry(map, key, make) {
  if (!map.has(key)) map.set(key, make());
  return map.get(key);
}

const problems = await importProblems();
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
