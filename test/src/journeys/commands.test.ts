import { existsSync, lstatSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reservedPort } from '@tillbridge/platform/net/testing/reserved-port.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AgentClient } from '../clients/agent-client.js';
import { until } from '../clients/http.js';
import { SimulatorClient } from '../clients/simulator-client.js';
import type { DevFile } from '../stack/dev-file.js';
import { PART_NAMES, type PartName, PORT_VARIABLES } from '../stack/options.js';
import { namedTestMode } from '../stack/test-mode.js';
import { npmStart, type StartedNpm } from './npm-start.js';
import { processesOfHome } from './processes-of-home.js';

const COMMAND_TIMEOUT_MS = 120_000;
const WHOLE = namedTestMode() === 'EXTERNAL' ? ['--external'] : [];

let home: string;
const running: StartedNpm[] = [];

function start(
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
  by: 'npm' | 'node' = 'npm',
): StartedNpm {
  const npm = npmStart(home, args, env, by);
  running.push(npm);
  return npm;
}

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'tillbridge-commands-'));
});
afterEach(() => {
  // Only what a failed test has left.
  for (const pid of processesOfHome(home)) process.kill(pid, 'SIGKILL');
  running.length = 0;
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Nothing of a stack is left: no process, and so none of its ports, and no terminal at its path. */
function expectGone(dev: DevFile): void {
  expect(processesOfHome(home)).toEqual([]);
  for (const { path } of dev.terminals) expect(() => lstatSync(fileOf(path))).toThrow(/ENOENT/);
}

/** The file of a terminal's path, which may name a socket. */
function fileOf(path: string): string {
  return path.replace(/^unix:/, '');
}

async function sell(dev: DevFile, reference: string) {
  const [terminal] = dev.terminals;
  const agent = new AgentClient(dev.agent);
  await agent.untilGateway('up', COMMAND_TIMEOUT_MS);
  await agent.untilTerminalsReady(COMMAND_TIMEOUT_MS);
  const { body } = await agent.sale({
    reference,
    amount: '7.77',
    currency: 'EUR',
    terminalId: terminal?.id ?? '',
  });
  return body;
}

describe('npm start', () => {
  it.each([
    ['SIGTERM', 'npm'],
    ['SIGINT', 'group'],
    ['SIGTERM', 'group'],
  ] as const)(
    '%s to %s ends every process, exits 0, and the next start finds its data',
    async (signal, to) => {
      const npm = start(WHOLE);
      const dev = await npm.ready;
      // What "nothing is left" later looks for is there now.
      expect(processesOfHome(home)).toEqual(
        expect.arrayContaining(Object.values(dev.processes).map(({ pid }) => pid)),
      );
      for (const { path } of dev.terminals) lstatSync(fileOf(path));
      expect(JSON.parse(readFileSync(join(home, 'dev.json'), 'utf8'))).toEqual(dev);
      expect(statSync(join(home, 'dev.json')).mode & 0o777).toBe(0o600);
      if (to === 'npm') {
        const second = start([], {}, 'node');
        expect(await second.ended).toMatchObject({
          code: 2,
          printed: expect.stringMatching(/is in use by another npm start: .*TILLBRIDGE_HOME/),
        });
      }
      // The same reference at every start: the first sells, the later ones find that sale.
      const sale = await sell(dev, 'across-starts');
      expect(sale).toMatchObject({ state: 'done', outcome: 'approved' });
      const approved = await new SimulatorClient(dev.simulator.url).hostTransactions();
      expect(approved.filter(({ amount }) => amount === '7.77')).toHaveLength(1);
      npm.signal(signal, to);
      expect(await npm.ended).toMatchObject({ code: 0 });
      expectGone(dev);
    },
  );

  it.each([
    ['SIGINT', 'group'],
    ['SIGTERM', 'npm'],
  ] as const)('%s to %s while it starts ends it all the same', async (signal, to) => {
    const fresh = join(home, `early-${signal}`);
    const npm = start([], { TILLBRIDGE_HOME: fresh });
    await until('the first part to be prepared', COMMAND_TIMEOUT_MS, async () =>
      existsSync(join(fresh, 'gateway')) ? true : undefined,
    );
    npm.signal(signal, to);
    expect(await npm.ended).toMatchObject({ code: 0 });
    expect(processesOfHome(home)).toEqual([]);
  });

  it('starts a killed part alone, on its former port', async () => {
    const ports: NodeJS.ProcessEnv = {};
    for (const { variable } of Object.values(PORT_VARIABLES)) ports[variable] = `${await reservedPort()}`;
    const npm = start(WHOLE, ports);
    const dev = await npm.ready;
    const pids: number[] = [];
    for (const part of PART_NAMES) pids.push(await replace(part, dev));
    expect(await sell(dev, 'after-all-were-killed')).toMatchObject({ outcome: 'approved' });
    const [killed, ...others] = running.slice(1);
    // Its part was all that it had.
    process.kill(pids[0] ?? 0, 'SIGKILL');
    expect(await killed?.ended).toMatchObject({ code: 1 });
    for (const alone of others) {
      alone.signal('SIGTERM', 'npm');
      expect(await alone.ended).toMatchObject({ code: 0 });
    }
    npm.signal('SIGTERM', 'npm');
    expect(await npm.ended).toMatchObject({ code: 0 });
    expectGone(dev);
  });

  async function replace(part: PartName, dev: DevFile): Promise<number> {
    const { pid } = dev.processes[part];
    process.kill(pid, 'SIGKILL');
    const alone = start(['--only', part], {}, 'node');
    const now = await alone.ready;
    expect(now[part].url).toBe(dev[part].url);
    expect(now.terminals).toEqual(dev.terminals);
    return now.processes[part].pid;
  }

  // The agent comes last: to start all that comes before it shows nothing that the simulator does not show.
  it.each([
    ['gateway', []],
    ['simulator', []],
    ['agent', ['--only', 'agent']],
  ] as const)('ends with 2 when the port of the %s is taken, and names the variable', async (part, args) => {
    const taken = createServer();
    const port = await new Promise<number>((resolve) => {
      taken.listen(0, '127.0.0.1', () => resolve((taken.address() as { port: number }).port));
    });
    const { variable } = PORT_VARIABLES[part];
    const npm = start(args, { [variable]: String(port) }, 'node');
    const { code, printed } = await npm.ended;
    taken.close();
    expect(code).toBe(2);
    expect(printed).toContain(String(port));
    expect(printed).toContain(variable);
    expect(processesOfHome(home)).toEqual([]);
  });
});
