import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from 'vitest';
import { PROGRAMS, ROOT } from '../stack/layout.js';
import { processesOfHome } from './processes-of-home.js';

const COMMAND_MS = 200_000;
const FREE_PORTS = { GATEWAY_PORT: '0', AGENT_PORT: '0', SIM_PORT: '0', NEXO_PORT: '0', HOST_PORT: '0' };

const SCRIPTS = {
  ...PROGRAMS,
  start: join(ROOT, 'test', 'dist', 'bundle', 'main.js'),
  bench: join(ROOT, 'test', 'dist', 'bench', 'run.js'),
  fuzz: join(ROOT, 'test', 'dist', 'fuzz', 'run.js'),
  simulate: join(ROOT, 'test', 'dist', 'simulation', 'run.js'),
  vectors: join(ROOT, 'test', 'dist', 'vectors', 'run.js'),
} as const;
type Script = keyof typeof SCRIPTS;

/** Runs a program with the arguments in `line`. */
function call(script: Script, line: string, env: NodeJS.ProcessEnv = {}) {
  const args = line === '' ? [] : line.split(' ');
  return new Promise<{ code: number; out: string; errors: string }>((resolve) => {
    const options = { env: { ...process.env, ...env }, timeout: COMMAND_MS };
    const child = execFile(process.execPath, [SCRIPTS[script], ...args], options, (_error, out, errors) =>
      resolve({ code: child.exitCode ?? -1, out, errors }),
    );
    child.stdin?.end();
  });
}

describe('every program', () => {
  it.each(Object.keys(SCRIPTS) as Script[])(
    '%s prints with --help how it is called, and its exit codes',
    async (script) => {
      const { code, out } = await call(script, '--help');
      expect(code).toBe(0);
      expect(out).toMatch(/^usage:/i);
      expect(out).toContain('--help');
      expect(out).toMatch(/Exit codes: 0 done/);
    },
  );

  it.each([
    ['gateway', 'gateway', 'tillbridge-gateway'],
    ['agent', 'agent', 'tillbridge-agent'],
    ['simulator', 'hardware-sim', 'tillbridge-sim'],
  ] as const)('%s prints with --version the one of its package', async (script, folder, name) => {
    const { version } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
    const { code, out, errors } = await call(script, '--version');
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(out.split('\n')).toEqual([
      `${name} ${version}`,
      'build of a checkout',
      expect.stringMatching(/^schema \w+ \d+$/),
      `Node.js ${process.versions.node}`,
      '',
    ]);
    expect((await call(script, '--help')).out).toContain('--version');
  });

  it.each<[Script, string, RegExp]>([
    ['gateway', 'sevre', /Did you mean serve\?/],
    ['gateway', 'serve --cnfig x', /Did you mean --config\?/],
    ['agent', 'statsu', /Did you mean status\?/],
    ['agent', 'status --jsn', /Did you mean --json\?/],
    ['simulator', 'presnet 1001', /Did you mean present\?/],
    ['simulator', 'cards --ulr x', /Did you mean --url\?/],
    ['simulator', 'record --device /dev/null --type VERIFONE_P40', /Did you mean VERIFONE_P400\?/],
    ['start', '--tuor', /did you mean --tour\?/],
    ['start', '--only agnet', /did you mean agent\?/],
    ['bench', 'crytpo', /did you mean crypto\?/],
    ['bench', 'crypto --sceonds', /--sceonds is no option/],
    ['fuzz', '--secnods 1', /did you mean --seconds\?/],
    ['simulate', '--sead 1', /did you mean --seed\?/],
    ['vectors', '', /a PATH is needed/],
    ['vectors', '/nowhere/at-all', /no such file or folder/],
  ])('%s %s exits 2 and names the likely intent', async (script, line, named) => {
    const { code, errors } = await call(script, line);
    expect(errors).toMatch(named);
    expect(code).toBe(2);
  });

  it.each<[Script, string, string]>([
    ['gateway', 'serve', 'GATEWAY_HOME'],
    ['agent', 'run', 'AGENT_HOME'],
    ['simulator', 'run', 'SIM_HOME'],
    ['start', '', 'TILLBRIDGE_HOME'],
  ])(
    '%s %s exits 2 where its home cannot be made, and names the variable',
    async (script, line, variable) => {
      const { code, errors } = await call(script, line, { [variable]: '/dev/null/home' });
      expect(errors).toMatch(/\/dev\/null\/home cannot be used/);
      expect(errors).toContain(variable);
      expect(code).toBe(2);
    },
  );

  it('gateway migrate makes the schema of a new home, and reports an up-to-date one as such', async () => {
    const home = mkdtempSync(join(tmpdir(), 'tillbridge-programs-'));
    const migrate = () => call('gateway', 'migrate', { GATEWAY_HOME: home });
    const [first, second] = [await migrate(), await migrate()];
    rmSync(home, { recursive: true });
    expect(first).toEqual({ code: 0, out: expect.stringMatching(/^applied 1: /), errors: '' });
    expect(second).toEqual({ code: 0, out: 'the schema is up to date\n', errors: '' });
  });

  it.each([
    ['--bogus', {}, /--bogus/],
    ['--only till', {}, /till/],
    ['--only agent --tour', {}, /--only/],
    ['', { GATEWAY_PORT: '70000' }, /GATEWAY_PORT/],
    ['', { AGENT_PORT: 'x' }, /AGENT_PORT/],
    ['', { SIM_PORT: '-1' }, /SIM_PORT/],
    ['', { NEXO_PORT: '8443s' }, /NEXO_PORT/],
    ['', { SIM_AUTO: 'yes' }, /SIM_AUTO/],
    ['', { AGENT_OFFLINE: 'perhaps' }, /AGENT_OFFLINE/],
  ])('start %s with %j exits 2 and names what is wrong', async (line, env, named) => {
    const home = mkdtempSync(join(tmpdir(), 'tillbridge-programs-'));
    const { code, errors } = await call('start', line, { TILLBRIDGE_HOME: home, ...FREE_PORTS, ...env });
    rmSync(home, { recursive: true });
    expect(errors).toMatch(named);
    expect(code).toBe(2);
  });

  it.each([
    ['replay /nowhere/trace.jsonl', /^tillbridge-sim: ENOENT: no such file or directory.*trace\.jsonl/],
    [
      'record --device /dev/nowhere --type VERIFONE_P400',
      /^tillbridge-sim: \/dev\/nowhere cannot be opened: No such file or directory$/m,
    ],
  ])('simulator %s exits 1 and names the file', async (line, reason) => {
    const { code, errors } = await call('simulator', line);
    expect(errors).toMatch(reason);
    expect(code).toBe(1);
  });
});

describe.skipIf(process.platform === 'win32')('npx', () => {
  const home = mkdtempSync(join(tmpdir(), 'tillbridge-npx-'));
  afterAll(() => {
    // Only what a failed test has left.
    for (const pid of processesOfHome(home, 'SIM_HOME')) process.kill(pid, 'SIGKILL');
    rmSync(home, { recursive: true });
  });

  it('ends the program with itself, which the shell between them does not', async () => {
    const child = spawn('npx', ['tillbridge-sim', 'run'], {
      cwd: ROOT,
      env: { ...process.env, SIM_HOME: home, SIM_PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: child.stdout });
    for await (const line of lines) if (line.startsWith('listening ')) break;
    // Closed only when every process that could write to it has ended.
    const closed = once(child, 'close');
    child.stdout.resume();
    child.kill('SIGTERM');
    await closed;
  });
});
