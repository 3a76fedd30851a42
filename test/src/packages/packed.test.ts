import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sourceStack } from '@tillbridge/platform/log/source-stacks.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { partHome, ROOT } from '../stack/layout.js';
import { type PartProcess, startPart } from '../stack/part-process.js';
import { copyPreparedHome } from '../stack/prepared-home.js';

const PACKAGES = ['wire', 'platform', 'agent', 'gateway', 'hardware-sim'] as const;
const START_MS = 240_000;

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** A folder with the packages as npm installs them, and of other packages what their manifests name and nothing else. */
let place: string;
const running: PartProcess[] = [];
beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'tillbridge-packed-'));
  const words = [
    'pack',
    '--pack-destination',
    place,
    ...PACKAGES.flatMap((name) => ['-w', `@tillbridge/${name}`]),
  ];
  execFileSync('npm', words, { cwd: ROOT, stdio: 'ignore' });
  for (const file of readdirSync(place)) install(join(place, file));
  await copyPreparedHome(join(place, 'home'));
}, START_MS);
afterAll(async () => {
  for (const part of running) await part.stop();
  rmSync(place, { recursive: true });
}, START_MS);

const installed = (name: string): string => join(place, 'node_modules', '@tillbridge', name);

function install(archive: string): void {
  const name = /^tillbridge-(.+)-\d+\.\d+\.\d+.*\.tgz$/.exec(basename(archive))?.[1] ?? '';
  const folder = installed(name);
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xzf', archive, '-C', folder, '--strip-components=1']);
  const own = join(folder, 'node_modules');
  const { dependencies = {} } = manifestOf(folder);
  for (const dependency of Object.keys(dependencies)) {
    if (dependency.startsWith('@tillbridge/')) continue;
    const link = join(own, dependency);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', dependency), link);
  }
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

describe('a packed package', () => {
  it.each(PACKAGES)('%s has the license of the project, and no test', (name) => {
    expect(readFileSync(join(installed(name), 'LICENSE'), 'utf8')).toBe(
      readFileSync(join(ROOT, 'LICENSE'), 'utf8'),
    );
    const files = readdirSync(installed(name), { recursive: true, encoding: 'utf8' });
    const own = files.filter((file) => !file.startsWith('node_modules'));
    expect(own.filter((file) => /\.test\.|[\\/]testing[\\/]/.test(file))).toEqual([]);
  });

  it.each(['wire', 'platform'])('%s loads each of its modules with what its manifest names', (name) => {
    const folder = join(installed(name), 'dist');
    const modules = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.js'),
    );
    expect(modules.length).toBeGreaterThan(50);
    const script = modules.map((file) => `import ${JSON.stringify(pathToFileURL(join(folder, file)).href)};`);
    execFileSync(process.execPath, ['--input-type=module', '--eval', script.join('\n')], { stdio: 'pipe' });
  });

  it.each([
    ['gateway', 'tillbridge-gateway', 'gateway/src/app/program.ts'],
    ['agent', 'tillbridge-agent', 'agent/src/cli/program.ts'],
    ['hardware-sim', 'tillbridge-sim', 'hardware-sim/src/main.ts'],
  ] as const)('%s has the maps by which its stacks name source files', (name, program, source) => {
    const bundle = join(installed(name), 'dist', 'bundle', 'program.cjs');
    const lines = readFileSync(bundle, 'utf8').split('\n');
    const at = lines.findIndex((text) => text.includes(`new Command("${program}")`));
    const column = (lines[at] ?? '').indexOf('new Command');
    const named = sourceStack(`Error: x\n    at y (file://${bundle}:${at + 1}:${column + 1})`);
    expect(named).toMatch(new RegExp(`${source.replace(/^[^/]+/, '')}:\\d+:\\d+\\)$`));
  });

  it.each([
    ['gateway', 'tillbridge-gateway', 'serve'],
    ['agent', 'tillbridge-agent', 'run'],
    ['hardware-sim', 'tillbridge-sim', 'run'],
  ] as const)(
    '%s runs on what its manifest names',
    async (name, program, command) => {
      const part = name === 'hardware-sim' ? 'simulator' : name;
      const script = join(installed(name), 'bin', `${program}.js`);
      const version = execFileSync(process.execPath, [script, '--version'], { encoding: 'utf8' });
      expect(version.split('\n')[0]).toBe(`${program} ${manifestOf(installed(name)).version}`);
      const home = join(place, 'homes', name);
      cpSync(partHome(join(place, 'home'), part), home, { recursive: true });
      const homes = { AGENT_HOME: home, GATEWAY_HOME: home, SIM_HOME: home };
      const ports = { AGENT_PORT: '0', GATEWAY_PORT: '0', SIM_PORT: '0' };
      const env = { ...homes, ...ports, GATEWAY_BRIDGE_URL: 'ws://127.0.0.1:1/bridge' };
      const started = await startPart({ name: part, args: [script, command], env });
      running.push(started);
      if (part === 'simulator') return;
      // The API docs are read from files of the package.
      for (const path of ['/docs', '/docs/openapi.json']) {
        const { status } = await fetch(`${String(started.listening.url)}${path}`);
        expect([path, status]).toEqual([path, 200]);
      }
    },
    START_MS,
  );
});
