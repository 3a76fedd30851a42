#!/usr/bin/env node
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ParsedArguments, runCommand } from '../command-line/command-line.js';
import { benchAgentLatency } from './agent-latency.js';
import { benchBridgeSales } from './bridge-sales.js';
import { benchCrypto } from './crypto.js';
import { benchHostile } from './hostile.js';
import type { BenchRow } from './measure.js';
import { benchRest } from './rest.js';
import { type BenchSuite, benchCommand, chosenSuites } from './suites.js';
import { benchTerminals } from './terminals.js';

const SUITES: readonly BenchSuite[] = [
  {
    name: 'crypto',
    summary: 'DUKPT, ARQC to ARPC and TR-31 a second, against npm dukpt and plain node:crypto',
    run: benchCrypto,
  },
  {
    name: 'terminals',
    summary: 'frames a second of each maker’s parser, against a bare copy of the bytes',
    run: benchTerminals,
  },
  {
    name: 'latency',
    summary: 'what the agent adds between the terminal’s last byte and the socket, against a write and sync',
    run: benchAgentLatency,
  },
  {
    name: 'rest',
    summary: 'payments and status requests a second over REST, against a bare Fastify echo and raw writes',
    run: benchRest,
  },
  {
    name: 'hostile',
    summary: 'the p99 of honest merchants beside a client at its throttle and 1,000 unproven sockets',
    run: benchHostile,
  },
  {
    name: 'bridge-sales',
    summary: 'EMV authorizations a second of 256 agents over the bridge, against REST payments',
    run: benchBridgeSales,
  },
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

async function main({ operands }: ParsedArguments): Promise<number> {
  const rows: BenchRow[] = [];
  for (const suite of chosenSuites(SUITES, operands)) {
    console.log(`bench: ${suite.name}`);
    const measured = await suite.run();
    show(measured);
    rows.push(...measured);
  }
  mkdirSync(dirname(LATEST), { recursive: true });
  writeFileSync(LATEST, `${JSON.stringify(rows, undefined, 2)}\n`);
  return 0;
}

await runCommand(benchCommand(SUITES), main);
