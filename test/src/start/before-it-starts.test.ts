import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finding } from '@tillbridge/agent/doctor/finding.js';
import { diskFinding, gatewayFindings } from '@tillbridge/agent/doctor/machine-findings.js';
import { testDatabaseUrl } from '@tillbridge/gateway/kernel/store/testing/postgres-server.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../stack/layout.js';

/** Rows of the page: the machine, and the line that it gets. */
const ROWS = new Map(
  [
    ...readFileSync(join(ROOT, 'gateway/docs/before-it-starts.md'), 'utf8').matchAll(
      /^\| ([^|`]+) \| `(.+)` \|$/gm,
    ),
  ].map(([, machine = '', line = '']) => [machine, line]),
);
/** Loaded before a program: stands for an older Node.js, and for a wrong clock. */
const OLD_NODE = "Object.defineProperty(process,'versions',{value:{...process.versions,node:'18.20.8'}})";
const HOUR_AHEAD = 'const now=Date.now;Date.now=()=>now()+3600000';
/** Of a disk, in bytes: less than a gateway needs. */
const SMALL_DISK = '4m';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-preflight-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What a gateway that cannot begin prints on stderr. */
function refusal(preload: string, env: NodeJS.ProcessEnv = {}, before: readonly string[] = []): string {
  const [program = process.execPath, ...words] = [...before, process.execPath];
  const script = join(ROOT, 'gateway', 'bin', 'tillbridge-gateway.js');
  const args = [
    ...words,
    ...(preload ? ['--import', `data:text/javascript,${preload}`] : []),
    script,
    'serve',
  ];
  const { status, stderr } = spawnSync(program, args, {
    env: { ...process.env, GATEWAY_HOME: join(folder, 'home'), GATEWAY_PORT: '0', ...env },
    encoding: 'utf8',
  });
  expect({ status, stderr }).toMatchObject({ status: 2 });
  return stderr.trim();
}

describe('the line of the page “Before it starts” for', () => {
  it('Node.js 18', () => {
    expect(refusal(OLD_NODE)).toBe(ROWS.get('Node.js 18')?.replaceAll('PROGRAM', 'tillbridge-gateway'));
  });

  it('no Python: before any install', () => {
    const clone = join(folder, 'clone');
    for (const file of ['package.json', 'package-lock.json', join('test', 'start')])
      cpSync(join(ROOT, file), join(clone, file), { recursive: true });
    const bin = join(clone, 'bin');
    mkdirSync(bin);
    for (const program of ['make', 'c++']) symlinkSync('/bin/true', join(bin, program));
    const { npm_config_python: _python, PYTHON: _other, ...env } = process.env;
    const { stderr } = spawnSync(process.execPath, [join(clone, 'test', 'start', 'run.mjs'), 'start'], {
      env: { ...env, PATH: bin },
      encoding: 'utf8',
    });
    expect(stderr.trim()).toBe(ROWS.get('no Python'));
  });

  it('a full disk', ({ skip }) => {
    // In a container root may not mount either.
    if (spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', folder]).status !== 0)
      skip('no disk can be mounted here');
    const home = join(folder, 'small');
    mkdirSync(home);
    const mount = `mount -t tmpfs -o size=${SMALL_DISK} none "$0" && exec "$@"`;
    const line = refusal('', { GATEWAY_HOME: home }, ['unshare', '--mount', 'sh', '-c', mount, home]);
    expect(line).toBe(ROWS.get('full disk')?.replace('HOME', home));
  });

  it('a clock that is an hour ahead of the database server', async () => {
    expect(refusal(HOUR_AHEAD, { DATABASE_URL: await testDatabaseUrl() })).toBe(
      ROWS.get('clock an hour ahead'),
    );
  });
});

describe('the finding of the page “Before it starts” for an agent with', () => {
  const lineOf = ({ text, todo = [] }: Finding) => [text, ...todo].join(' → ');

  it('a full disk', () => {
    expect(lineOf(diskFinding('HOME', 4 * 1_048_576))).toBe(ROWS.get('full disk, agent'));
  });

  it("a clock that is an hour ahead of the gateway's", () => {
    const answer = { kind: 'answered', timeMs: 0 } as const;
    const findings = gatewayFindings('wss://gateway.example/bridge', answer, 3_600_000);
    expect(findings.map(lineOf)).toContain(ROWS.get('clock an hour ahead, agent'));
  });
});

it('a port in use is named before anything is opened', async () => {
  const line = refusal(
    "const{createServer}=await import('node:net');const s=createServer().listen(0,'127.0.0.1');await new Promise((r)=>s.on('listening',r));s.unref();process.env.GATEWAY_PORT=String(s.address().port)",
  );
  expect(line).toMatch(
    /^tillbridge-gateway: port \d+ is in use: stop the program that uses it, or set GATEWAY_PORT/,
  );
});
