#!/usr/bin/env node
import {
  type CommandSpec,
  misuse,
  type ParsedArguments,
  runCommand,
  UsageError,
} from '../command-line/command-line.js';
import { readVectorFiles, type VectorFile, VectorPathError } from './vector-file.js';

const COMMAND: CommandSpec = {
  call: 'npm run vectors --',
  forms: ['PATH'],
  summary:
    'Runs test vectors through the public functions: "topic: passed/total" for each topic, then "vectors: passed/total".',
  operands: {
    title: 'Path',
    rows: [['PATH', 'a vector file, or a folder of *.json files; test/vectors/README.md has the format']],
  },
  options: {},
  notes: [
    'A vector that fails, a file that is no JSON, not of its schema or without a known topic, and a wrong count: exit code 1, each reported',
    'in a line; whatever else there is, is run. A path that cannot be read: exit code 2.',
  ],
};

async function main({ operands: [path, ...rest] }: ParsedArguments): Promise<number> {
  if (path === undefined) throw misuse(COMMAND, 'a PATH is needed: a vector file, or a folder of them');
  if (rest.length > 0) throw misuse(COMMAND, `one PATH is taken; "${rest[0]}" is too much`);
  return report(filesOf(path));
}

function filesOf(path: string): VectorFile[] {
  try {
    return readVectorFiles(path);
  } catch (error) {
    throw error instanceof VectorPathError ? new UsageError(error.message) : error;
  }
}

async function report(files: readonly VectorFile[]): Promise<number> {
  const { runVectors } = await import('./run-vectors.js');
  const { topics, problems } = runVectors(files);
  for (const problem of problems) console.error(problem);
  let passed = 0;
  let total = 0;
  for (const [topic, result] of topics) {
    console.log(`${topic}: ${result.passed}/${result.total}`);
    passed += result.passed;
    total += result.total;
  }
  console.log(`vectors: ${passed}/${total}`);
  return problems.length === 0 && total > 0 ? 0 : 1;
}

await runCommand(COMMAND, main);
