#!/usr/bin/env node
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ParsedArguments, runCommand } from '../command-line/command-line.js';
import { driftOf, merged, readReference, thisMachine, writeReference } from './reference/reference.js';
import { type BenchRow, measure, median } from './rows/measure.js';
import { atLeast, atMost } from './rows/row.js';
import { type BenchSuite, benchCommand, chosenSuites } from './suites.js';

/** Requests a second that a link shall carry with gateway, host and merchants on a machine of two cores. */
const EXTERNAL_PER_SECOND = 20;
/** The same where nothing goes wrong, of card payments over 64 connections. */
const SMOOTH_PER_SECOND = 600;
/** From the start of the navigation until a digit can be typed in the payment form, by the clock and by the processor. */
const FORM_USABLE_MS = 300;

/** What a suite needs is loaded when it runs: to load all of it takes longer than many a suite. */
const SUITES: readonly BenchSuite[] = [
  {
    name: 'crypto',
    summary: 'DUKPT, ARQC to ARPC and TR-31 a second, against npm dukpt and plain node:crypto',
    run: async () => (await import('./codecs/crypto.js')).cryptoContests().map(measure),
  },
  {
    name: 'iso8583',
    summary: 'messages to acquirers packed and unpacked a second, against npm iso_8583',
    run: async () => (await import('./codecs/iso8583.js')).iso8583Contests().map(measure),
  },
  {
    name: 'terminals',
    summary: 'frames a second of each maker’s parser, against a bare copy of the bytes',
    run: async () => (await import('./terminals.js')).benchTerminals(),
  },
  {
    name: 'latency',
    summary: 'what the agent adds between the terminal’s last byte and the socket, against a write and sync',
    run: async () => (await import('./agent-latency.js')).benchAgentLatency(),
  },
  {
    name: 'journal-append',
    summary:
      'commits of the agent’s journal, one at a time and 256 in flight, against raw writes and inserts',
    run: async () => (await import('./journal-append.js')).benchJournalAppend(),
  },
  {
    name: 'rest',
    summary: 'payments and status requests a second over REST, against a bare Fastify echo and raw writes',
    run: async () => (await import('./rest.js')).benchRest(),
  },
  {
    name: 'form-usable',
    summary:
      'the payment form in Chromium, from the navigation until a card number can be typed, against 300 ms',
    run: async (size) => {
      const { formLoads } = await import('../widget/form-load.js');
      const loads = await formLoads(size === 'full' ? 15 : 3);
      const row = (name: string, values: readonly number[]) =>
        atMost(`form-usable: ${name}`, 'ms', median(values), FORM_USABLE_MS);
      return [
        row(
          'until a card number can be typed',
          loads.map(({ wallMs }) => wallMs),
        ),
        row(
          'processor of the page until then',
          loads.map(({ cpuMs }) => cpuMs),
        ),
      ];
    },
  },
  {
    name: 'request-log',
    summary: 'what the log of requests costs a payment: a gateway that keeps all against one that keeps none',
    run: async (size) => (await import('./rest.js')).benchRequestLog(size),
  },
  {
    name: 'nodes',
    summary:
      'payments a second of one and two gateways on PostgreSQL, against SQLite; 10,000 sales against their reversals',
    run: async (size) => (await import('./nodes.js')).benchNodes(size),
  },
  {
    name: 'drills',
    summary:
      'time to recover: a node killed, stopped, cut off; the database killed, its disk full; all nodes replaced',
    run: async (size) => {
      const { runDrills } = await import('../drills/all-drills.js');
      return (await runDrills(size)).map(({ name, recoveredMs, allowedMs }) =>
        atMost(`drills: ${name}`, 'ms', recoveredMs, allowedMs),
      );
    },
  },
  {
    name: 'transfer',
    summary: '100,000 payments moved from SQLite to PostgreSQL and verified, against 2 ms for each',
    run: async (size) => {
      const { movePayments } = await import('../load/move-payments.js');
      const payments = size === 'full' ? 100_000 : 5_000;
      const tookMs = await movePayments(payments);
      const about = `transfer: ${payments} payments from SQLite to PostgreSQL, verified, against 2 ms for each`;
      return [atMost(about, 's', tookMs / 1_000, (2 * payments) / 1_000)];
    },
  },
  {
    name: 'external',
    summary:
      '10,000 requests with an acquirer host over TCP, 5 % of them with faults: rate, and no difference of payments, ledger and settlement file; payments without faults',
    run: async (size) => {
      const { externalRate, smoothRate } = await import('../external/rate.js');
      const requests = size === 'full' ? 10_000 : 500;
      const { perSecond } = await externalRate(requests);
      const about = `external: requests a second, ${requests} with 5 % faults and no difference`;
      return [
        atLeast(about, '1/s', perSecond, EXTERNAL_PER_SECOND, 1),
        atLeast(
          'external: card payments a second over 64 connections, without faults',
          '1/s',
          await smoothRate(),
          SMOOTH_PER_SECOND,
          1,
        ),
      ];
    },
  },
  {
    name: 'settlement',
    summary:
      '10,000 payments settled to the cent, against making them; a file of a million rows, against reading it',
    run: async (size) => (await import('./settlement.js')).benchSettlement(size),
  },
  {
    name: 'validate',
    summary: 'large forms parsed and checked a second, against npm qs, which only parses',
    run: async () => (await import('./validate.js')).benchValidate(),
  },
  {
    name: 'slow-disk',
    summary: 'payments a second where each sync takes 20 ms, against what three syncs for each payment allow',
    run: async () => (await import('./slow-disk.js')).benchSlowDisk(),
  },
  {
    name: 'hostile',
    summary:
      'the p99 of honest merchants during the load of a client at its throttle and 1,000 unproven sockets, and during a flood without a token',
    run: async () => (await import('./hostile.js')).benchHostile(),
  },
  {
    name: 'bridge-sales',
    summary: 'EMV authorizations a second of 256 agents over the bridge, against REST payments',
    run: async () => (await import('./bridge-sales.js')).benchBridgeSales(),
  },
  {
    name: 'bridge-latency',
    summary: 'a sale from journal to journal, against a bare round trip and five raw writes',
    run: async (size) => (await import('./bridge-latency.js')).benchBridgeLatency(size),
  },
  {
    name: 'tap-to-approved',
    summary: 'a whole sale at 9,600 and 115,200 baud, against its bytes on the line and bridge-latency',
    run: async (size) => (await import('./tap-to-approved.js')).benchTapToApproved(size),
  },
  {
    name: 'reconnect-storm',
    summary: 'how soon 5,000 agents are back after the gateway was killed and started again',
    run: async (size) => (await import('./reconnect-storm.js')).benchReconnectStorm(size),
  },
  {
    name: 'drain',
    summary: '50,000 offline records of ten agents, against raw inserts, and live sales meanwhile',
    run: async (size) => (await import('./drain.js')).benchDrain(size),
  },
  {
    name: 'agents-connected',
    summary: 'memory of an idle agent in the gateway, against a bare ws socket',
    run: async (size) => (await import('./agents-connected.js')).benchAgentsConnected(size),
  },
  {
    name: 'growth',
    summary: 'p99 of payments, status, queries and reports at 1,000,000 payments, against 10,000',
    run: async (size) => (await import('./growth.js')).benchGrowth(size),
  },
  {
    name: 'search',
    summary: 'p99 of searches at 1,000,000 payments, against 200 ms; of payments meanwhile, against without',
    run: async (size) => (await import('./search.js')).benchSearch(size),
  },
  {
    name: 'invariants',
    summary: 'a whole round of the consistency check at 1,000,000 payments, against reading the rows',
    run: async (size) => (await import('./invariants.js')).benchInvariants(size),
  },
  {
    name: 'agent-start',
    summary: 'a start of the agent with an empty and a long journal, against loading its libraries',
    run: async (size) => (await import('./agent-start.js')).benchAgentStart(size),
  },
  {
    name: 'agent-memory',
    summary: 'memory of an idle agent with two terminals, against its libraries',
    run: async (size) => (await import('./agent-memory.js')).benchAgentMemory(size),
  },
  {
    name: 'synchronous',
    summary: 'payments of a gateway with `synchronous=NORMAL`, against the default',
    run: async (size) => (await import('./synchronous.js')).benchSynchronous(size),
  },
  {
    name: 'soak',
    summary: 'memory, p99 and open files after 30 minutes of mixed load, against its first minute',
    run: async (size) => (await import('./soak.js')).benchSoak(size),
  },
];

/** Where measurements stand; `dist/bench/run.js` lies two folders below the package. */
const FOLDER = fileURLToPath(new URL('../../bench/', import.meta.url));
const LATEST = join(FOLDER, 'latest.json');
const REFERENCE = join(FOLDER, 'reference.json');

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

function compare(rows: readonly BenchRow[]): void {
  const reference = readReference(REFERENCE);
  if (!reference) {
    console.log(`there is no reference yet: npm run bench -- --record`);
    return;
  }
  const machine = thisMachine();
  if (JSON.stringify(machine) !== JSON.stringify(reference.machine))
    console.log('measured on another machine than the reference:', { reference: reference.machine, machine });
  console.table(
    Object.fromEntries(
      driftOf(rows, reference).map(({ name, ratio, reference: before, driftPercent }) => [
        name,
        { ratio, reference: before, 'drift %': driftPercent },
      ]),
    ),
  );
}

async function main({ operands, options }: ParsedArguments): Promise<number> {
  const size = options.has('--short') ? 'short' : 'full';
  const rows: BenchRow[] = [];
  for (const suite of chosenSuites(SUITES, operands)) {
    console.log(`bench: ${suite.name}`);
    const measured = await suite.run(size);
    show(measured);
    rows.push(...measured);
  }
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(LATEST, `${JSON.stringify(rows, undefined, 2)}\n`);
  if (options.has('--compare')) compare(rows);
  if (options.has('--record')) {
    const today = new Date().toISOString().slice(0, 10);
    writeReference(REFERENCE, merged(readReference(REFERENCE), thisMachine(), rows, today));
  }
  return 0;
}

await runCommand(benchCommand(SUITES), main);
