#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type CommandSpec, misuse, runCommand, wholeNumber } from '../command-line/command-line.js';
import { ROOT } from '../stack/layout.js';
import { TEST_MODE_VARIABLE } from '../stack/test-mode.js';
import { ExternalSystem } from './external-system.js';
import { ALL_BLOWS, strikeBlows } from './fault-matrix.js';
import { externalRate } from './rate.js';

/** Journeys that sell by cards. */
const JOURNEYS = ['tour', 'six-makers', 'offline-rules', 'manual-resolution', 'pulled-cables', 'kill'];
const REQUESTS = 10_000;

const PARTS: Readonly<
  Record<string, { readonly help: string; readonly run: (requests: number) => Promise<boolean> }>
> = {
  journeys: {
    help: `sales at terminals of every maker against the host: ${JOURNEYS.join(', ')}`,
    run: journeys,
  },
  faults: { help: 'every fault at every step with a kill of gateway or host', run: faults },
  load: { help: 'many requests, 5 % of whose messages meet a fault', run: underLoad },
};

const EXTERNAL_COMMAND: CommandSpec = {
  call: 'npm run external --',
  forms: ['[--requests N] [PART…]'],
  summary:
    'Runs gateway and acquirer host as processes; ends with 0 where payments, link, ledger and settlement file are equal.',
  operands: {
    title: 'Parts (default: all)',
    rows: Object.entries(PARTS).map(([name, { help }]) => [name, help]),
  },
  options: { '--requests': { value: 'N', help: `requests of the load (default ${REQUESTS})` } },
};

async function journeys(): Promise<boolean> {
  const files = JOURNEYS.map((name) => join('test', 'src', 'journeys', `${name}.test.ts`));
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const env = { ...process.env, [TEST_MODE_VARIABLE]: 'EXTERNAL' };
  const child = spawn(process.execPath, [vitest, 'run', '--maxWorkers=1', ...files], {
    ...{ cwd: ROOT, env, stdio: 'inherit' },
  });
  const [code] = await once(child, 'exit');
  return code === 0;
}

async function faults(): Promise<boolean> {
  const system = await ExternalSystem.start();
  try {
    let count = 0;
    await strikeBlows(system, ALL_BLOWS, ({ fault, step, side }) => {
      count += 1;
      console.log(`${count}/${ALL_BLOWS.length} ${step}: ${fault}, ${side} killed`);
    });
    const { exchanges, ...found } = await system.compare();
    const differences = Object.values(found).flat();
    for (const difference of differences) console.log(difference);
    console.log(
      `faults: ${ALL_BLOWS.length} struck, ${exchanges} exchanges, ${differences.length} differences`,
    );
    return differences.length === 0;
  } finally {
    await system.end();
  }
}

async function underLoad(requests: number): Promise<boolean> {
  const { exchanges, perSecond } = await externalRate(requests);
  console.log(
    `load: ${requests} requests, ${exchanges} exchanges, ${perSecond.toFixed(1)} a second, 0 differences`,
  );
  return true;
}

await runCommand(EXTERNAL_COMMAND, async (args) => {
  const requests = wholeNumber(EXTERNAL_COMMAND, args, '--requests', {
    min: 1,
    max: 1_000_000,
    preset: REQUESTS,
  });
  const wanted = args.operands.length > 0 ? args.operands : Object.keys(PARTS);
  const parts = wanted.map((name) => {
    const part = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
    if (part) return part;
    throw misuse(EXTERNAL_COMMAND, `there is no part "${name}"; there are ${Object.keys(PARTS).join(', ')}`);
  });
  let isGood = true;
  for (const { run } of parts) isGood = (await run(requests)) && isGood;
  return isGood ? 0 : 1;
});
