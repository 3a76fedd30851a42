import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { udevFile } from '@tillbridge/agent/doctor/port-advice.js';
import { NODE_OPTIONS, ROOT } from '../stack/layout.js';
import { type ArchiveEntry, fileEntry } from './archive-entry.js';
import type { BuildIdentity } from './build-identity.js';
import type { ProgramContents } from './program-contents.js';
import type { Program, Target } from './targets.js';
import { tarGz } from './write-archive.js';

const SCRIPTS = ['postinst', 'prerm', 'postrm'] as const;
const SCRIPT_FOLDER = join(ROOT, 'test', 'src', 'packages', 'debian');
const MAINTAINER = 'tillbridge <packages@tillbridge.invalid>';

/**
 * A package of Debian: `debian-binary`, control and data in an archive of `ar`. Source: deb(5), deb-control(5).
 * The same contents give the same bytes.
 */
export async function debianPackage(
  program: Program,
  target: Target,
  contents: ProgramContents,
  identity: BuildIdentity,
): Promise<Uint8Array> {
  const options = { time: identity.time, prefix: './' };
  const data = dataEntries(program, contents.entries);
  const scripts = SCRIPTS.map((name) =>
    fileEntry(name, readFileSync(join(SCRIPT_FOLDER, `${program.name}.${name}`)), true),
  );
  const control = [fileEntry('control', controlFile(program, target, contents, identity, data)), ...scripts];
  return arArchive(
    [
      ['debian-binary', new TextEncoder().encode('2.0\n')],
      ['control.tar.gz', await tarGz(control, options)],
      ['data.tar.gz', await tarGz(data, options)],
    ],
    identity.time,
  );
}

function controlFile(
  { command, summary }: Program,
  { debian }: Target,
  { glibc }: ProgramContents,
  { debianVersion, commit }: BuildIdentity,
  data: readonly ArchiveEntry[],
): string {
  const bytes = data.reduce((sum, { content }) => sum + ('bytes' in content ? content.bytes.length : 0), 0);
  return [
    `Package: ${command}`,
    `Version: ${debianVersion}`,
    `Architecture: ${debian}`,
    `Maintainer: ${MAINTAINER}`,
    `Installed-Size: ${Math.ceil(bytes / 1_024)}`,
    // libstdc++ comes with every system that has a program in C++; the binaries need no newer one than their C library's release has.
    `Depends: libc6 (>= ${glibc}), libstdc++6, passwd`,
    'Section: net',
    'Priority: optional',
    `Description: tillbridge: ${summary}`,
    ` With its own Node.js inside. Made of commit ${commit.slice(0, 12)}.`,
    '',
  ].join('\n');
}

/** Where the files of an archive lie on a Debian system, and what is added there. */
function dataEntries(program: Program, entries: readonly ArchiveEntry[]): ArchiveEntry[] {
  const { command, folder, name } = program;
  const home = `usr/lib/${command}`;
  const docs = `usr/share/doc/${command}`;
  const moved = entries.map((entry) => {
    const page = `${folder}/docs/`;
    if (entry.path.startsWith(page)) return { ...entry, path: `${docs}/${entry.path.slice(page.length)}` };
    return { ...entry, path: `${home}/${entry.path}` };
  });
  const copyright = readFileSync(join(ROOT, 'LICENSE'), 'utf8');
  const changes = gzipSync(readFileSync(join(ROOT, 'CHANGELOG.md')), { level: 9 });
  return [
    ...moved,
    { path: `usr/bin/${command}`, content: { link: `../lib/${command}/bin/${command}` } },
    fileEntry(`${docs}/copyright`, `${copyright}\nWorks of others inside: /${home}/THIRD-PARTY.txt\n`),
    fileEntry(`${docs}/changelog.gz`, changes),
    ...(name === 'agent' ? agentFiles(docs) : gatewayFiles(command)),
  ];
}

function agentFiles(docs: string): ArchiveEntry[] {
  const folder = join(ROOT, 'agent', 'docs', 'install');
  return [
    fileEntry(
      'usr/lib/systemd/system/tillbridge-agent.service',
      readFileSync(join(folder, 'tillbridge-agent.service')),
    ),
    fileEntry('usr/lib/udev/rules.d/70-tillbridge.rules', `${udevFile()}\n`),
    fileEntry(`${docs}/examples/agent.yaml`, readFileSync(join(folder, 'agent.yaml'))),
  ];
}

/** What the unit of the pages runs, and what runs in its place. */
const EXAMPLE_COMMAND = [
  ...['/usr/bin/env node', ...NODE_OPTIONS.gateway],
  '/opt/tillbridge/gateway/bin/tillbridge-gateway.js',
].join(' ');

function gatewayFiles(command: string): ArchiveEntry[] {
  const file = join(ROOT, 'gateway', 'docs', 'cluster', 'tillbridge-gateway@.service');
  const parts = readFileSync(file, 'utf8').split(EXAMPLE_COMMAND);
  if (parts.length !== 2)
    throw new Error(`${file} runs "${EXAMPLE_COMMAND}" ${parts.length - 1} times, not once`);
  return [
    fileEntry(
      'usr/lib/systemd/system/tillbridge-gateway@.service',
      parts.join(`/usr/lib/${command}/bin/${command}`),
    ),
  ];
}

/** An archive of `ar` in its common form: a header of 60 bytes before each file, each at an even place. Source: ar(5). Pure. */
export function arArchive(
  files: readonly (readonly [name: string, bytes: Uint8Array])[],
  time: Date,
): Uint8Array {
  const seconds = Math.floor(time.getTime() / 1_000);
  const pieces = files.flatMap(([name, bytes]) => {
    const header =
      name.padEnd(16) +
      String(seconds).padEnd(12) +
      '0'.padEnd(6) +
      '0'.padEnd(6) +
      '100644'.padEnd(8) +
      String(bytes.length).padEnd(10) +
      '`\n';
    return [Buffer.from(header, 'latin1'), bytes, Buffer.from(bytes.length % 2 === 1 ? '\n' : '')];
  });
  return Buffer.concat([Buffer.from('!<arch>\n'), ...pieces]);
}
