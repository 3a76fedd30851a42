#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DIALECT_NAMES, type DialectName } from '@tillbridge/wire/iso8583/dialects/dialect-names.js';
import { type CommandSpec, misuse, runCommand, wholeNumber } from '../command-line/command-line.js';
import { ROOT } from '../stack/layout.js';
import { TEST_MODE_VARIABLE } from '../stack/test-mode.js';
import { ExternalSystem } from './external-system.js';
import { ALL_BLOWS, type Blow, SIDES, strikeBlows } from './fault-matrix.js';
import { WITH_HOST } from './journeys.js';
import { externalRate } from './rate.js';
import { STEPS } from './steps.js';

const REQUESTS = 10_000;

/** Options of the command line. */
interface Wanted {
  readonly requests: number;
  readonly only: string;
  readonly dialect: DialectName;
}

interface Part {
  readonly help: string;
  readonly run: (wanted: Wanted) => Promise<boolean>;
  /** It runs in any dialect. */
  readonly speaks: boolean;
}

const PARTS: Readonly<Record<string, Part>> = {
  journeys: {
    help: `the ${WITH_HOST.length} journeys that move money of cards, each with the host`,
    run: journeys,
    speaks: false,
  },
  faults: {
    help: 'every fault at every message of the link with a kill of gateway or host',
    run: faults,
    speaks: true,
  },
  load: { help: 'many requests, 5 % of whose messages meet a fault', run: underLoad, speaks: true },
};

const EXTERNAL_COMMAND: CommandSpec = {
  call: 'npm run external --',
  forms: ['[--only TEXT] [--requests N] [--dialect NAME] [PART…]'],
  summary:
    'Runs gateway and acquirer host as processes; ends with 0 where payments, link, ledger and settlement file are equal.',
  operands: {
    title: 'Parts (default: all)',
    rows: Object.entries(PARTS).map(([name, { help }]) => [name, help]),
  },
  options: {
    '--only': {
      value: 'TEXT',
      help: 'the journey, and the message that meets faults, of this name; else all whose name has it',
    },
    '--requests': { value: 'N', help: `requests of the load (default ${REQUESTS})` },
    '--dialect': {
      value: 'NAME',
      help: `what faults and load speak: ${DIALECT_NAMES.join(', ')} (default ${DIALECT_NAMES[0]}), or all, one after the other`,
    },
  },
};

/** Vitest shows each journey as it ends, behind its own line of exchanges and differences, and a summary. */
async function journeys({ only }: Wanted): Promise<boolean> {
  const names = chosen(WITH_HOST, only);
  const files = names.map((name) => join('test', 'src', 'journeys', `${name}.test.ts`));
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const env = { ...process.env, [TEST_MODE_VARIABLE]: 'EXTERNAL' };
  const child = spawn(process.execPath, [vitest, 'run', '--maxWorkers=1', ...files], {
    ...{ cwd: ROOT, env, stdio: 'inherit' },
  });
  const [code] = await once(child, 'exit');
  console.log(`journeys: ${names.length} with the host, ${code === 0 ? 'none failed' : 'some failed'}`);
  return code === 0;
}

async function faults({ only, dialect }: Wanted): Promise<boolean> {
  const steps = new Set<string>(chosen(Object.keys(STEPS), only));
  const blows = ALL_BLOWS.filter(({ step }) => steps.has(step));
  const total = { struck: 0, exchanges: 0, differences: 0 };
  const onBlow = ({ fault, step, side }: Blow) => {
    total.struck += 1;
    console.log(`${total.struck}/${blows.length} ${step}: ${fault}, ${side} killed`);
  };
  for (const killed of SIDES) {
    const { exchanges, differences } = await faultsOfSide(
      dialect,
      blows.filter(({ side }) => side === killed),
      onBlow,
    );
    total.exchanges += exchanges;
    total.differences += differences.length;
    for (const difference of differences) console.log(difference);
  }
  const { struck, exchanges, differences } = total;
  console.log(`faults of ${dialect}: ${struck} struck, ${exchanges} exchanges, ${differences} differences`);
  return differences === 0;
}

/** A host of its own: a blow of `totals` ends its day, and a gateway takes no settlement day that is more than ten days away. */
async function faultsOfSide(dialect: DialectName, blows: readonly Blow[], onBlow: (blow: Blow) => void) {
  const system = await ExternalSystem.start('with a store', dialect);
  try {
    const wrong = await strikeBlows(system, blows, onBlow);
    const { exchanges, ...found } = await system.compare();
    return { exchanges, differences: [...wrong, ...Object.values(found).flat()] };
  } finally {
    await system.end();
  }
}

/** The name that is a text, or those that have it. @throws UsageError where none has */
function chosen<T extends string>(names: readonly T[], only: string): readonly T[] {
  const same = names.filter((name) => name === only);
  const found = same.length > 0 ? same : names.filter((name) => name.includes(only));
  if (found.length > 0) return found;
  throw misuse(EXTERNAL_COMMAND, `no name has "${only}"; there are ${names.join(', ')}`);
}

/** The dialects that `--dialect` names. @throws UsageError where there is none of that name */
function dialectsOf(name: string): readonly DialectName[] {
  const found = name === 'all' ? DIALECT_NAMES : DIALECT_NAMES.filter((known) => known === name);
  if (found.length > 0) return found;
  throw misuse(EXTERNAL_COMMAND, `there is no dialect "${name}"; there are ${DIALECT_NAMES.join(', ')}`);
}

async function underLoad({ requests, dialect }: Wanted): Promise<boolean> {
  const { exchanges, perSecond } = await externalRate(requests, dialect);
  console.log(
    `load of ${dialect}: ${requests} requests, ${exchanges} exchanges, ${perSecond.toFixed(1)} a second, 0 differences`,
  );
  return true;
}

await runCommand(EXTERNAL_COMMAND, async (args) => {
  const requests = wholeNumber(EXTERNAL_COMMAND, args, '--requests', {
    min: 1,
    max: 1_000_000,
    preset: REQUESTS,
  });
  const only = args.options.get('--only') ?? '';
  const wanted = args.operands.length > 0 ? args.operands : Object.keys(PARTS);
  const parts = wanted.map((name) => {
    const part = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
    if (part) return part;
    throw misuse(EXTERNAL_COMMAND, `there is no part "${name}"; there are ${Object.keys(PARTS).join(', ')}`);
  });
  const dialects = dialectsOf(args.options.get('--dialect') ?? DIALECT_NAMES[0]);
  let isGood = true;
  for (const { run, speaks } of parts)
    for (const dialect of speaks ? dialects : [DIALECT_NAMES[0]])
      isGood = (await run({ requests, only, dialect })) && isGood;
  return isGood ? 0 : 1;
});
