#!/usr/bin/env node
import { type CommandSpec, misuse, runCommand, wholeNumber } from '../command-line/command-line.js';
import { type ApiDocument, routesOf } from '../tenants/document.js';
import { sendRest } from '../tenants/rest-client.js';
import { CONTENTION_TABLE, tableFaults } from './cases/contention-table.js';
import { ALL_PLACES, type Gateways, MAX_NODES, openGateways } from './gateways.js';
import { differences } from './ledger-agreement.js';
import { Trials } from './trial.js';

const LIMITS = { atOnce: { min: 2, max: 90, preset: 16 }, nodes: { min: 0, max: MAX_NODES, preset: 0 } };

const CONTENTION_COMMAND: CommandSpec = {
  call: 'npm run contention --',
  forms: ['[--at-once N] [--nodes N] [TEXT…]'],
  summary:
    'Fires equal and conflicting requests at once at every route that writes; ends with 0 where nothing is answered 5xx, one effect is\none, and payments and ledger agree.',
  operands: {
    title: 'Routes (default: all)',
    rows: [['TEXT', 'those whose name has it, such as "checkouts/{id}"']],
  },
  options: {
    '--at-once': { value: 'N', help: `requests at once (default ${LIMITS.atOnce.preset})` },
    '--nodes': {
      value: 'N',
      help: `gateways on one PostgreSQL database, ${MAX_NODES} at most; 0: one on SQLite (default)`,
    },
  },
};

/** Prints a line for each case, and what is wrong below it. @returns how much is wrong */
async function tryRoutes(gateways: Gateways, names: readonly string[], atOnce: number): Promise<number> {
  const trials = new Trials(gateways, atOnce);
  let faults = 0;
  const report = (lines: readonly string[]) => {
    faults += lines.length;
    for (const line of lines) console.log(`  WRONG: ${line}`);
  };
  for (const name of names)
    for (const [kind, cases] of Object.entries(CONTENTION_TABLE[name] ?? {}))
      for (const tried of cases) {
        const { summary, wrong } = await trials.try(tried);
        console.log(`${name}, ${kind}, ${tried.what}: ${summary}`);
        report(wrong);
      }
  report(await differences(gateways));
  report(gateways.faults());
  return faults;
}

await runCommand(CONTENTION_COMMAND, async (args) => {
  const atOnce = wholeNumber(CONTENTION_COMMAND, args, '--at-once', LIMITS.atOnce);
  const nodes = wholeNumber(CONTENTION_COMMAND, args, '--nodes', LIMITS.nodes);
  const { operands } = args;
  const names = Object.keys(CONTENTION_TABLE).filter(
    (name) => operands.length === 0 || operands.some((text) => name.includes(text)),
  );
  const strange = operands.find((text) => !Object.keys(CONTENTION_TABLE).some((name) => name.includes(text)));
  if (strange !== undefined)
    throw misuse(CONTENTION_COMMAND, `"${strange}" is in the name of no route that writes`);
  const gateways = await openGateways(nodes, ALL_PLACES);
  try {
    const { body } = await sendRest(gateways.urls[0] ?? '', {
      ...{ method: 'GET', path: '/docs/openapi.json', form: {} },
    });
    const missing = tableFaults(routesOf(body as ApiDocument));
    for (const line of missing) console.log(`WRONG: ${line}`);
    const faults = (await tryRoutes(gateways, names, atOnce)) + missing.length;
    console.log(`${names.length} routes, ${atOnce} at once: ${faults === 0 ? 'nothing' : faults} wrong`);
    return faults === 0 ? 0 : 1;
  } finally {
    await gateways.close();
  }
});
