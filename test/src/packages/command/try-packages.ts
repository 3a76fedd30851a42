import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { defaultKsns } from '@tillbridge/hardware-sim/config/config.js';
import { type PartProcess, startPart } from '../../stack/part-process.js';
import type { BuildIdentity } from '../build-identity.js';
import { tryContainers } from '../containers/try-containers.js';
import { Outside } from '../outside.js';
import { PackageFailure } from '../package-failure.js';
import { PROGRAMS, type Program, TARGETS } from '../targets.js';
import { tryDebian } from '../try-debian.js';

const run = promisify(execFile);
const AGENT_ID = 'tried-store';
/** One on a serial line, one by USB-HID. */
const TERMINALS = [
  { id: '1001', deviceType: 'GERTEC_PPC930', serial: 'G0001001', defaultCard: 'visa-credit-online' },
  { id: '1002', deviceType: 'MAGTEK_DYNAFLEX', serial: 'B0001005', defaultCard: 'visa-credit-online' },
] as const;

type Programs = Readonly<Record<Program['name'], string>>;
interface ListedTerminal {
  readonly id: string;
  readonly deviceType: string;
  readonly transport: string;
  readonly path: string;
}

/**
 * Unpacks the archives in an empty folder and sells with them: a gateway, an agent that is enrolled, simulated terminals. Then the packages
 * for Debian are installed into a copy of this system.
 * @param folder where the packages are
 * @throws PackageFailure where something does not work
 */
export async function tryPackages(
  folder: string,
  identity: BuildIdentity,
  note: (text: string) => void,
): Promise<void> {
  const target = TARGETS.find(({ arch }) => arch === process.arch);
  if (target === undefined)
    throw new PackageFailure(`nothing is made for ${process.arch}: nothing can be tried`);
  const outside = new Outside();
  note(
    outside.isHidden
      ? `try: as an ordinary user in ${outside.folder}, the checkout hidden`
      : `try: in ${outside.folder}; only root can hide the checkout and become another user`,
  );
  const began = performance.now();
  const seconds = () => `${((performance.now() - began) / 1_000).toFixed(1)} s`;
  try {
    const paths: Record<string, string> = {};
    for (const program of PROGRAMS) {
      const name = `tillbridge-${program.name}-${identity.version}-linux-${target.arch}`;
      const archive = join(folder, `${name}.tar.gz`);
      if (!existsSync(archive))
        throw new PackageFailure(`${archive} is not there: a trial needs all programs`);
      await run('tar', ['-xzf', archive, '-C', outside.folder]);
      paths[program.name] = join(outside.folder, name, 'bin', program.command);
      const version = await outside.command([paths[program.name] ?? '', '--version']);
      note(`try: ${version.replaceAll('\n', ', ')} (${seconds()})`);
    }
    await sell(outside, paths as Programs, (text) => note(`try: ${text} (${seconds()})`));
  } finally {
    outside.remove();
  }
  await tryDebian(folder, identity, target, note);
  await tryContainers(folder, target, note);
}

/** Enrols an agent at a gateway and sells on each terminal. */
async function sell(outside: Outside, programs: Programs, note: (text: string) => void): Promise<void> {
  const parts: PartProcess[] = [];
  const start = async (name: Program['name'], args: string[], env: Record<string, string>) => {
    const part = await startPart({ name, args: [programs[name], ...args], runner: outside.runner(env) });
    parts.push(part);
    return part.listening;
  };
  try {
    const gatewayEnv = { GATEWAY_HOME: outside.home('gateway'), GATEWAY_PORT: '0' };
    const gateway = (...words: string[]) => outside.command([programs.gateway, ...words], gatewayEnv);
    const seed = JSON.parse(await gateway('seed', '--json')) as SeededMerchant;
    const { bridgeUrl } = (await start('gateway', ['serve'], gatewayEnv)) as { bridgeUrl: string };
    note('the gateway listens');
    const terminals = await startTerminals(outside, start);
    const home = outside.home('agent');
    const config = outside.file(join(home, 'agent.yaml'), {
      home,
      port: 0,
      gateway: { bridgeUrl },
      terminals,
    });
    const agent = (...words: string[]) => outside.command([programs.agent, ...words]);
    const ids = TERMINALS.flatMap(({ id }) => ['--terminal', id]);
    const about = ['--entity', seed.merchant.entityId, '--agent', AGENT_ID, ...ids];
    const { code } = JSON.parse(await gateway('agents', 'enrol-code', ...about)) as { code: string };
    await agent('enrol', code, '--config', config);
    await gateway('seed', '--json', '--devices', outside.file(join(outside.folder, 'devices.yaml'), DEVICES));
    const { url } = (await start('agent', ['run', '--config', config], {})) as { url: string };
    note('the agent is enrolled and listens');
    const token = readFileSync(join(home, 'till-token'), 'utf8').trim();
    for (const { id, deviceType } of TERMINALS) {
      const words = [
        '--amount',
        '12.34',
        '--currency',
        'EUR',
        '--terminal',
        id,
        '--url',
        url,
        '--token',
        token,
      ];
      await agent('sale', ...words);
      note(`a sale is approved on a ${deviceType}`);
    }
    await gateway('check');
    note('the consistency check of the gateway finds no difference');
  } finally {
    for (const part of parts.reverse()) await part.stop();
  }
}

interface SeededMerchant {
  readonly merchant: { readonly entityId: string };
}

/** The terminals in the gateway's inventory. */
const DEVICES = TERMINALS.map(({ id, deviceType, serial }) => {
  const { ksnData, ksnPin } = defaultKsns(deviceType, serial);
  return { serial, deviceType, accountKsn: ksnData, pinKsn: ksnPin, agentId: AGENT_ID, terminalId: id };
});

async function startTerminals(
  outside: Outside,
  start: (name: 'simulator', args: string[], env: Record<string, string>) => Promise<Record<string, unknown>>,
): Promise<object[]> {
  const home = outside.home('simulator');
  const config = outside.file(join(home, 'simulator.yaml'), {
    home,
    port: 0,
    auto: true,
    terminals: TERMINALS,
  });
  const listening = await start('simulator', ['run', '--config', config], {});
  const { terminals } = listening as { readonly terminals: readonly ListedTerminal[] };
  return terminals.map(({ id, deviceType, transport, path }) => ({ id, deviceType, transport, path }));
}
