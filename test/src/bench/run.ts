#!/usr/bin/env node
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { benchAgentLatency } from './agent-latency.js';
import { benchCrypto } from './crypto.js';
import type { BenchRow } from './measure.js';
import { type BenchSuite, BenchUsageError, chosenSuites } from './suites.js';
import { benchTerminals } from './terminals.js';

const SUITES: readonly BenchSuite[] = [
  { name: 'crypto', run: benchCrypto },
  { name: 'terminals', run: benchTerminals },
  { name: 'latency', run: benchAgentLatency },
];

/** Where the last measurements stand; `dist/bench/run.js` lies two folders below the package. */
const LATEST = fileURLToPath(new URL('../../bench/latest.json', import.meta.url));

function show(rows: readonly BenchRow[]): void {
  console.table(
    Object.fromEntries(
      rows.map(({ name, value, unit, baseline, ratio, goal }) => [
        name,
        { value, unit, baseline, ratio, goal, reached: ratio >= goal },
      ]),
    ),
  );
}

async function main(args: readonly string[]): Promise<number> {
  const rows: BenchRow[] = [];
  for (const suite of chosenSuites(SUITES, args)) {
    console.log(`bench: ${suite.name}`);
    const measured = await suite.run();
    show(measured);
    rows.push(...measured);
  }
  mkdirSync(dirname(LATEST), { recursive: true });
  writeFileSync(LATEST, `${JSON.stringify(rows, undefined, 2)}\n`);
  return 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof BenchUsageError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
