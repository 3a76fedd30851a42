import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NODE_OPTIONS } from '../stack/layout.js';
import { identityOf } from './build-identity.js';
import { debianPackage } from './debian-package.js';
import { hostContents, hostTarget } from './host-contents.js';
import { newestGlibc, type ProgramContents } from './program-contents.js';
import { PROGRAMS, type Program } from './targets.js';
import { tarGz } from './write-archive.js';

const START_MS = 240_000;
const IDENTITY = identityOf({
  release: '0.1.0',
  commit: '1b53bd7312345678901234567890123456789012',
  committedSeconds: 1_795_935_730,
  tags: ['v0.1.0'],
  isChanged: false,
});
const target = hostTarget();

let folder: string;
const made = new Map<Program['name'], ProgramContents>();
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-contents-'));
  for (const program of PROGRAMS) made.set(program.name, hostContents(program, IDENTITY, folder));
}, START_MS);
afterAll(() => rmSync(folder, { recursive: true }));

function contentsOf(name: Program['name']): ProgramContents {
  const contents = made.get(name);
  if (contents === undefined) throw new Error(`${name} was not made`);
  return contents;
}

describe.each(PROGRAMS)('the archive of $name', (program) => {
  it(
    'runs from another folder through a link, without a variable',
    async () => {
      const place = join(folder, program.name);
      mkdirSync(place);
      const bytes = await tarGz(contentsOf(program.name).entries, { time: IDENTITY.time, prefix: 'top/' });
      const archive = join(place, 'archive.tar.gz');
      writeFileSync(archive, bytes);
      execFileSync('tar', ['-xzf', archive, '-C', place]);
      const link = join(place, 'tool');
      execFileSync('ln', ['-s', join('top', 'bin', program.command), link]);
      const options = { cwd: place, env: { PATH: '/usr/bin:/bin' }, encoding: 'utf8' } as const;
      const { version, commit } = IDENTITY;
      expect(execFileSync(link, ['--version'], options)).toContain(
        `${program.command} 0.1.0\nbuild ${version}, commit ${commit.slice(0, 12)}\n`,
      );
    },
    START_MS,
  );

  it('starts Node.js with the options of the program', () => {
    const { entries } = contentsOf(program.name);
    const content = entries.find(({ path }) => path === `bin/${program.command}`)?.content;
    const script = content && 'bytes' in content ? new TextDecoder().decode(content.bytes) : '';
    const options = NODE_OPTIONS[program.name].map((option) => `${option} `).join('');
    expect(script).toContain(`exec "$root/runtime/node" ${options}"$root/${program.folder}/dist/`);
  });

  it('states every work inside with its licence', () => {
    const { entries } = contentsOf(program.name);
    const read = (path: string) => {
      const content = entries.find((entry) => entry.path === path)?.content;
      return content && 'bytes' in content ? new TextDecoder().decode(content.bytes) : '';
    };
    const parties = read('THIRD-PARTY.txt');
    const names = ['fastify', 'sqlite3', 'sqlite', 'node', 'commander', 'bindings'];
    for (const name of names) expect(parties, name).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+: `, 'm'));
    expect(parties).toContain('The licence of Node.js');
    const { components } = JSON.parse(read('sbom.cdx.json')) as { components: object[] };
    // The library names works that share a reference by chance, with each call another way.
    expect(read('sbom.cdx.json')).not.toContain('BomRef.');
    expect(components.length).toBe(parties.split('\n\n')[1]?.split('\n').length);
    expect(JSON.parse(read('BUILD.json'))).toMatchObject({
      version: '0.1.0',
      glibc: contentsOf(program.name).glibc,
    });
  });

  it('has no test, no declaration and no earlier bundle', () => {
    const paths = contentsOf(program.name).entries.map(({ path }) => path);
    expect(
      paths.filter((path) => /\.test\.|\/testing\/|\.d\.ts$|^(agent|gateway|hardware-sim)\/src\//.test(path)),
    ).toEqual([]);
    expect(new Set(paths).size).toBe(paths.length);
  });
});

it.skipIf(!existsSync('/usr/bin/dpkg-deb'))('dpkg reads the package of the agent', async () => {
  const agent = PROGRAMS.find(({ name }) => name === 'agent');
  if (agent === undefined) throw new Error('there is no agent');
  const file = join(folder, 'agent.deb');
  writeFileSync(file, await debianPackage(agent, target, contentsOf('agent'), IDENTITY));
  const info = execFileSync('dpkg-deb', ['--info', file], { encoding: 'utf8' });
  expect(info).toContain(`Architecture: ${target.debian}\n`);
  const place = join(folder, 'installed');
  execFileSync('dpkg-deb', ['--extract', file, place]);
  expect(statSync(join(place, 'usr', 'bin', 'tillbridge-agent')).mode & 0o111).not.toBe(0);
  const unit = readFileSync(join(place, 'usr/lib/systemd/system/tillbridge-agent.service'), 'utf8');
  const [, program = ''] = /^ExecStart=(\S+)/m.exec(unit) ?? [];
  expect(existsSync(join(place, program))).toBe(true);
});

it('finds the newest C library that a binary needs', () => {
  const binaries = ['GLIBC_2.9\0GLIBC_2.28\0', 'GLIBC_2.17\0GLIBC_PRIVATE\0'].map((text) =>
    Buffer.from(text),
  );
  expect(newestGlibc(binaries)).toBe('2.28');
});
