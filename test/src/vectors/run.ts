#!/usr/bin/env node
import { runVectors } from './run-vectors.js';
import { readVectorFiles, type VectorFile, VectorPathError } from './vector-file.js';

const USAGE =
  'usage: npm run vectors -- PATH   (a vector file, or a folder of them; see test/vectors/README.md)';

function main(args: readonly string[]): number {
  const [path, ...rest] = args;
  if (path === undefined || rest.length > 0 || path === '--help') {
    console.error(USAGE);
    return path === '--help' ? 0 : 2;
  }
  let files: VectorFile[];
  try {
    files = readVectorFiles(path);
  } catch (error) {
    if (!(error instanceof VectorPathError)) throw error;
    console.error(error.message);
    return 2;
  }
  return report(files);
}

function report(files: readonly VectorFile[]): number {
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

process.exitCode = main(process.argv.slice(2));
