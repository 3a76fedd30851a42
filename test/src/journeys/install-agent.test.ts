import { execFile } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { defaultKsns } from '@tillbridge/hardware-sim/config/config.js';
import { issueCertificate, makeAuthority } from '@tillbridge/platform/net/own-authority.js';
import { reservedPort } from '@tillbridge/platform/net/testing/reserved-port.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentClient } from '../clients/agent-client.js';
import { PROGRAMS, writeConfig } from '../stack/layout.js';
import { type PartProcess, startPart } from '../stack/part-process.js';
import { CASE_TIMEOUT_MS, SETTLE_MS } from './test-stack.js';

const run = promisify(execFile);
const TERMINAL = { id: '7001', deviceType: 'GERTEC_PPC930', serial: 'G0007001' } as const;
const IS_ROOT = process.getuid?.() === 0;
/** The user that owns nothing on a system. */
const ORDINARY_USER = 65_534;
/** Becomes the ordinary user where this process is root. */
const RUNNER = IS_ROOT
  ? [
      'setpriv',
      '--reuid',
      `${ORDINARY_USER}`,
      '--regid',
      `${ORDINARY_USER}`,
      '--clear-groups',
      process.execPath,
    ]
  : [process.execPath];

let folder: string;
let gatewayConfig: string;
let gatewaySettings: object;
let gateway: PartProcess;
let port: string;
let entityId: string;
let terminalPath: string;
let simulator: PartProcess | undefined;
/** Of the ordinary user. */
let userHome: string;

interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Step {
  readonly id: string;
  readonly state: string;
  readonly text: string;
}

/** Runs a command that ends by itself. */
async function ended(
  [program = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  try {
    const { stdout, stderr } = await run(program, args, { env: { ...process.env, ...env } });
    return { exitCode: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { exitCode: code, stdout, stderr };
  }
}

async function onGateway(...args: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [PROGRAMS.gateway, ...args, '--config', gatewayConfig]);
  return stdout;
}

/** A code for an agent, with the address of the gateway in it. */
async function codeFor(agentId: string, ...terminals: readonly string[]): Promise<string> {
  const about = ['--entity', entityId, '--agent', agentId, '--terminal', ...terminals];
  const address = ['--bridge-url', `wss://localhost:${port}/bridge`];
  return (JSON.parse(await onGateway('agents', 'enrol-code', ...about, ...address)) as { code: string }).code;
}

const userEnv = () => ({
  HOME: userHome,
  XDG_STATE_HOME: '',
  XDG_CONFIG_HOME: '',
  XDG_RUNTIME_DIR: userHome,
  AGENT_PORT: '0',
});

/** Runs the agent's command as the ordinary user. */
const asUser = (...args: readonly string[]) => ended([...RUNNER, PROGRAMS.agent, ...args], userEnv());

const stepsOf = ({ stdout }: Ended) => (JSON.parse(stdout) as { steps: Step[] }).steps;
const statesOf = (end: Ended) => Object.fromEntries(stepsOf(end).map(({ id, state }) => [id, state]));

const startGateway = () =>
  startPart({
    name: 'gateway',
    args: [PROGRAMS.gateway, 'serve', '--config', gatewayConfig],
    env: { GATEWAY_PORT: port },
  });

async function startAgent(): Promise<{ readonly agent: PartProcess; readonly client: AgentClient }> {
  const config = join(userHome, '.config', 'tillbridge', 'agent.yaml');
  const [program = '', ...first] = RUNNER;
  const runner = [program, ...first] as const;
  const agent = await startPart({
    name: 'agent',
    args: [PROGRAMS.agent, 'run', '--config', config],
    runner,
    env: userEnv(),
  });
  const token = readFileSync(
    join(userHome, '.local', 'state', 'tillbridge-agent', 'till-token'),
    'utf8',
  ).trim();
  const client = new AgentClient({ url: String(agent.listening.url), token });
  await client.untilGateway('up', SETTLE_MS);
  return { agent, client };
}

async function startSimulator(): Promise<void> {
  const home = join(userHome, 'simulator');
  const config = writeConfig(join(folder, 'simulator.yaml'), {
    home,
    port: 0,
    auto: true,
    autoDelayMs: 0,
    terminals: [{ ...TERMINAL, defaultCard: 'visa-credit-online' }],
  });
  chmodSync(config, 0o644);
  const [program = '', ...first] = RUNNER;
  const runner = [program, ...first] as const;
  simulator = await startPart({
    name: 'simulator',
    args: [PROGRAMS.simulator, 'run', '--config', config],
    runner,
  });
  const [terminal] = simulator.listening.terminals as { path: string }[];
  terminalPath = terminal?.path ?? '';
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-install-'));
  // The ordinary user gets to its own folder through it.
  chmodSync(folder, 0o755);
  userHome = join(folder, 'user');
  mkdirSync(userHome, { mode: 0o700 });
  if (IS_ROOT) chownSync(userHome, ORDINARY_USER, ORDINARY_USER);
  const valid = { fromMs: Date.now() - 60_000, toMs: Date.now() + 60 * 86_400_000 };
  const issuer = makeAuthority('Own authority', valid, systemRandom);
  const names = { commonName: 'localhost', dnsNames: ['localhost'], addresses: ['127.0.0.1'] };
  const server = issueCertificate(issuer, names, valid, systemRandom);
  const write = (name: string, content: string) => {
    writeFileSync(join(folder, name), content, { mode: 0o600 });
    return join(folder, name);
  };
  gatewaySettings = {
    home: join(folder, 'gateway'),
    tls: {
      certificateFile: write('certificate.pem', server.certificate),
      keyFile: write('key.pem', server.key),
    },
  };
  write('authority.pem', issuer.certificate);
  gatewayConfig = writeConfig(join(folder, 'gateway.yaml'), gatewaySettings);
  port = String(await reservedPort());
  const seeded = JSON.parse(await onGateway('seed', '--json')) as { merchant: { entityId: string } };
  entityId = seeded.merchant.entityId;
  [gateway] = await Promise.all([startGateway(), startSimulator()]);
}, CASE_TIMEOUT_MS);

afterAll(async () => {
  await simulator?.stop();
  await gateway?.stop();
  rmSync(folder, { recursive: true });
}, CASE_TIMEOUT_MS);

describe('an ordinary user', () => {
  it(
    'installs, sells on a simulated terminal, and uninstalls once nothing is owed',
    async () => {
      const code = await codeFor('store-7', TERMINAL.id);
      const install = (...more: readonly string[]) =>
        asUser('install', code, '--user', '--port', terminalPath, '--json', ...more);

      // What cannot work is named in words, and leaves nothing that stands in the way of the next try.
      const astray = await install('--bridge-url', `wss://localhost:${port}/console`);
      expect(astray.exitCode).toBe(2);
      expect(stepsOf(astray).at(-1)).toMatchObject({
        id: 'enrol',
        text: expect.stringContaining(`localhost:${port} answers, and has no bridge at /console (404)`),
      });

      // The gateway does not name the authority of its certificate: the agent could never connect, and stays as it was.
      const foreign = await install();
      expect(stepsOf(foreign).at(-1)?.text).toContain(
        'comes from Own authority, an authority that this machine does not know',
      );
      expect(readdirSync(join(userHome, '.local', 'state', 'tillbridge-agent')).sort()).toEqual([
        'agent-key.new.pem',
        'lock',
      ]);
      await gateway.stop();
      const bridge = { authorityFile: join(folder, 'authority.pem') };
      writeConfig(gatewayConfig, { ...gatewaySettings, bridge });
      gateway = await startGateway();

      // The same code counts. The gateway does not know the device yet: all is installed, and the trial sale names what is missing.
      const first = await install();
      expect(statesOf(first), first.stdout + first.stderr).toMatchObject({
        enrol: 'done',
        terminals: 'done',
        unit: 'done',
      });
      expect(first).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('devices add') });
      const { ksnData, ksnPin } = defaultKsns(TERMINAL.deviceType, TERMINAL.serial);
      const place = { agentId: 'store-7', terminalId: TERMINAL.id, deviceType: TERMINAL.deviceType };
      const device = { serial: TERMINAL.serial, ...place, accountKsn: ksnData, pinKsn: ksnPin };
      await onGateway('seed', '--json', '--devices', writeConfig(join(folder, 'devices.yaml'), [device]));

      // Run again without a code it goes on where it ended.
      const second = await asUser('install', '--user', '--json');
      expect(second, second.stdout).toMatchObject({ exitCode: 0 });
      expect(statesOf(second)).toEqual({
        program: 'skipped',
        machine: 'done',
        user: 'skipped',
        home: 'unchanged',
        udev: 'skipped',
        enrol: 'unchanged',
        terminals: 'unchanged',
        unit: 'unchanged',
        doctor: 'done',
        'trial-sale': 'done',
        start: 'skipped',
      });
      expect(stepsOf(second).find(({ id }) => id === 'trial-sale')?.text).toBe(
        `1.00 EUR approved on terminal ${TERMINAL.id}, reversed`,
      );
      const { left, home, unit, config } = JSON.parse(second.stdout) as Record<string, string>;
      expect(left).toContainEqual(expect.stringContaining(`run --config ${config}`));
      expect(readFileSync(unit ?? '', 'utf8')).toContain(`run --config ${config}\n`);
      for (const file of readdirSync(home ?? ''))
        expect(statSync(join(home ?? '', file)).mode & 0o077, file).toBe(0);

      const { agent, client } = await startAgent();
      const doctor = await ended([...RUNNER, PROGRAMS.agent, 'doctor', '--json', '--config', config ?? ''], {
        ...userEnv(),
        AGENT_URL: String(agent.listening.url),
      });
      expect(doctor, doctor.stdout).toMatchObject({ exitCode: 0 });
      const report = JSON.parse(doctor.stdout) as { machine: { text: string }[]; terminals: object[] };
      expect(report.machine.map(({ text }) => text)).toEqual([
        expect.stringMatching(/^Node\.js /),
        expect.stringContaining('MiB are free'),
        `the gateway at wss://localhost:${port}/bridge answers`,
        expect.stringContaining('Own authority is accepted, for 59 more days'),
        "this machine's clock agrees with the gateway's",
      ]);

      // A reversal that waits for the gateway is owed.
      const sale = await client.sale({ reference: 'order-1', amount: '12.34', currency: 'EUR' });
      expect(sale.body).toMatchObject({ outcome: 'approved', mode: 'online' });
      await gateway.stop();
      await client.untilGateway('down', SETTLE_MS);
      await client.reverse('order-1');
      await agent.stop();
      const owing = await asUser('uninstall', '--user', '--purge', 'store-7');
      expect(owing).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('money is owed: 1 message(s)'),
      });
      expect(owing.stderr).toContain('order-1');
      expect(existsSync(unit ?? '')).toBe(true);

      gateway = await startGateway();
      const again = await startAgent();
      await again.client.untilSale('order-1', 'reversed', SETTLE_MS, ({ outcome }) => outcome === 'reversed');
      await again.client.untilQueueEmpty(SETTLE_MS);
      await again.agent.stop();
      const kept = await asUser('uninstall', '--user', '--json');
      expect(kept, kept.stderr).toMatchObject({ exitCode: 0 });
      expect([unit, config, home].map((path) => existsSync(path ?? ''))).toEqual([false, false, true]);
      expect(await asUser('uninstall', '--user', '--purge', 'store-7')).toMatchObject({ exitCode: 0 });
      expect(readdirSync(join(userHome, '.local', 'state'))).toEqual([]);
      expect(readdirSync(join(userHome, '.config', 'tillbridge'))).toEqual([]);
    },
    CASE_TIMEOUT_MS,
  );
});

describe.skipIf(!IS_ROOT)('root, in a folder that stands for the root of a system', () => {
  it(
    'makes user, home, rules and unit, and removes them',
    async () => {
      const root = join(folder, 'root');
      mkdirSync(join(root, 'etc'), { recursive: true });
      for (const name of ['passwd', 'group', 'shadow', 'gshadow', 'login.defs'])
        if (existsSync(`/etc/${name}`)) cpSync(`/etc/${name}`, join(root, 'etc', name));
      const agent = (...args: readonly string[]) =>
        ended([process.execPath, PROGRAMS.agent, ...args, '--system', '--root', root, '--json'], {
          AGENT_PORT: '0',
        });
      const code = await codeFor('store-8', '8001');
      const planned = await agent('install', code, '--dry-run');
      expect(new Set(Object.values(statesOf(planned)))).toEqual(new Set(['planned', 'skipped']));
      expect(existsSync(join(root, 'var'))).toBe(false);

      // It has no terminal, which is left to do.
      const installed = await agent('install', code);
      expect(installed, installed.stdout + installed.stderr).toMatchObject({ exitCode: 1 });
      expect(statesOf(installed)).toEqual({
        program: 'skipped',
        machine: 'done',
        user: 'done',
        home: 'done',
        udev: 'done',
        enrol: 'done',
        terminals: 'failed',
        unit: 'done',
        doctor: 'done',
        'trial-sale': 'done',
        start: 'skipped',
      });
      const home = join(root, 'var', 'lib', 'tillbridge-agent');
      const [, , uid] =
        /^tillbridge-agent:.*$/m.exec(readFileSync(join(root, 'etc', 'passwd'), 'utf8'))?.[0].split(':') ??
        [];
      for (const name of ['', ...readdirSync(home)])
        expect(statSync(join(home, name)), name).toMatchObject({ uid: Number(uid) });
      const files = [
        'etc/systemd/system/tillbridge-agent.service',
        'etc/udev/rules.d/70-tillbridge.rules',
        'etc/tillbridge/agent.yaml',
      ];
      for (const file of files) expect(statSync(join(root, file)).mode & 0o777, file).toBe(0o644);

      expect(await agent('uninstall')).toMatchObject({ exitCode: 0 });
      for (const file of files) expect(existsSync(join(root, file)), file).toBe(false);
      expect(readFileSync(join(root, 'etc', 'passwd'), 'utf8')).not.toContain('tillbridge-agent');
      expect(statSync(home)).toMatchObject({ uid: 0 });
    },
    CASE_TIMEOUT_MS,
  );
});
