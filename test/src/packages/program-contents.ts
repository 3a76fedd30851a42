import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT_NAME } from '@tillbridge/agent/update/slots/places.js';
import { NODE_OPTIONS, ROOT } from '../stack/layout.js';
import { type ArchiveEntry, fileEntry, filesBelow, folderEntries } from './archive-entry.js';
import type { BuildIdentity } from './build-identity.js';
import type { LockFile } from './lock-file.js';
import { compiledFileOf, isProductionFile, productionModules } from './production-modules.js';
import { billOfMaterials } from './sbom.js';
import { NODE_VERSION, type Program, type Target } from './targets.js';
import { distinctParties, packagesOf, type ThirdParty, thirdPartyText } from './third-party.js';

/** What stands next to a folder of a build: `test/start/bundle.mjs` writes it. */
interface BuildRecord {
  readonly files?: readonly string[];
  readonly packages: readonly string[];
  readonly outside: readonly string[];
}

/** What an archive is made of in addition to the build. */
export interface Ingredients {
  readonly lock: LockFile;
  readonly identity: BuildIdentity;
  /** Of a release: its number, and the root document by which the agent trusts the next one. */
  readonly release?: { readonly number: number; readonly root: Uint8Array };
  /** The folder of the registry's package with Node.js. */
  readonly nodeFolder: string;
  /** Where the files of a place of the lock file are. */
  readonly folderOf: (place: string) => string;
  /** A binary that was compiled for a place of the lock file. */
  readonly compiled: (place: string) => string;
}

/** The files of a program. */
export interface ProgramContents {
  readonly entries: readonly ArchiveEntry[];
  /** The oldest C library on which its binaries load, such as `2.34`. */
  readonly glibc: string;
}

/** The launcher: finds the folder that it is in through any links, and hands over to the Node.js inside. */
export const launcher = ({ folder, name }: Pick<Program, 'folder' | 'name'>): string => `#!/bin/sh
self=$(readlink -f "$0")
root=\${self%/bin/*}
exec ${['"$root/runtime/node"', ...NODE_OPTIONS[name]].join(' ')} "$root/${folder}/dist/bundle/main.js" "$@"
`;

/** Packages of a program that it loads from \`node_modules\`. */
export function modulesOf(program: Program, lock: LockFile, target: Target): string[] {
  const { outside } = recordOf(program, 'bundle');
  const { optionalDependencies = {} } = lock[program.folder] ?? {};
  return productionModules(lock, [...outside, ...Object.keys(optionalDependencies)], target);
}

/** All files of a program for a target, licences and bill of materials among them. */
export function programContents(program: Program, target: Target, ingredients: Ingredients): ProgramContents {
  const { lock, identity, release, nodeFolder, folderOf } = ingredients;
  const places = modulesOf(program, lock, target);
  const modules = places.flatMap((place) => moduleEntries(place, target, ingredients));
  const node = readFileSync(join(nodeFolder, 'bin', 'node'));
  const parties = distinctParties([
    nodeParty(target, nodeFolder),
    ...libraryParties(places),
    ...packagesOf(lock, bundledPackages(program, places), folderOf),
    ...packagesOf(lock, places, folderOf),
  ]);
  const { version, time } = identity;
  const bill = billOfMaterials(
    { name: program.command, version, platform: `linux-${target.arch}`, time },
    parties,
  );
  const glibc = newestGlibc([node, ...modules.flatMap(binaryOf)]);
  const entries = [
    fileEntry(`bin/${program.command}`, launcher(program), true),
    fileEntry('runtime/node', node, true),
    ...ownEntries(program),
    ...modules,
    fileEntry('LICENSE', readFileSync(join(ROOT, 'LICENSE'))),
    fileEntry('THIRD-PARTY.txt', thirdPartyText(program.command, parties)),
    fileEntry('sbom.cdx.json', bill),
    fileEntry('BUILD.json', buildFile(program, target, { ...identity, release: release?.number }, glibc)),
    ...(release && program.name === 'agent' ? [fileEntry(ROOT_NAME, release.root)] : []),
  ];
  return { entries, glibc };
}

function buildFile(
  program: Program,
  target: Target,
  { version, commit, isChanged, release }: BuildIdentity & { readonly release: number | undefined },
  glibc: string,
): string {
  const content = {
    program: program.command,
    version,
    commit,
    ...(release !== undefined && { release }),
    ...(isChanged && { changed: true }),
    platform: `linux-${target.arch}`,
    node: NODE_VERSION,
    glibc,
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** What of the program's own package it runs on, and its pages. */
export function ownEntries(program: Program): ArchiveEntry[] {
  const { folder, reads } = program;
  const home = join(ROOT, folder);
  const { files = [] } = recordOf(program, 'bundle');
  const single = ['package.json', 'README.md', 'LICENSE'].map((name) =>
    fileEntry(`${folder}/${name}`, readFileSync(join(home, name))),
  );
  const bundle = files.map((name) =>
    fileEntry(`${folder}/dist/bundle/${name}`, readFileSync(join(home, 'dist', 'bundle', name))),
  );
  // What a compiler leaves next to what browsers get is no file of theirs.
  const read = reads
    .filter((name) => existsSync(join(home, name)))
    .flatMap((name) =>
      folderEntries(join(home, name), `${folder}/${name}`, (file) => !file.startsWith('types/')),
    );
  return [...single, ...bundle, ...read, ...folderEntries(join(home, 'docs'), `${folder}/docs`)];
}

function moduleEntries(place: string, target: Target, { folderOf, compiled }: Ingredients): ArchiveEntry[] {
  const folder = folderOf(place);
  const files = filesBelow(folder)
    .filter((file) => isProductionFile(place, file, target))
    .map((file) => fileEntry(`${place}/${file}`, readFileSync(join(folder, file))));
  const binary = compiledFileOf(place);
  return binary === undefined
    ? files
    : [...files, fileEntry(`${place}/${binary}`, readFileSync(compiled(place)))];
}

/** Packages inside of the bundle and of what browsers get, without those that are modules as well. */
function bundledPackages(program: Program, modules: readonly string[]): string[] {
  const records = ['bundle', ...program.browser].map((name) => recordOf(program, name));
  const places = new Set(records.flatMap(({ packages }) => packages));
  return [...places].filter((place) => !modules.includes(place));
}

/** Names of the files of a package's current bundle; none where it has no bundle. @param folder of the package */
export function currentBundle(folder: string): ReadonlySet<string> {
  const file = join(ROOT, folder, 'dist', 'bundle.contents.json');
  if (!existsSync(file)) return new Set();
  return new Set((JSON.parse(readFileSync(file, 'utf8')) as BuildRecord).files);
}

function recordOf({ folder }: Program, name: string): BuildRecord {
  return JSON.parse(readFileSync(join(ROOT, folder, 'dist', `${name}.contents.json`), 'utf8')) as BuildRecord;
}

function nodeParty({ arch, nodeIntegrity }: Target, folder: string): ThirdParty {
  return {
    name: 'node',
    version: NODE_VERSION,
    license: 'MIT',
    purl: `pkg:npm/node-linux-${arch}@${NODE_VERSION}`,
    integrity: nodeIntegrity,
    texts: [['LICENSE', readFileSync(join(folder, 'LICENSE'), 'utf8')]],
  };
}

/** Libraries in C inside of packages with native code: vulnerabilities are published under their names. */
function libraryParties(places: readonly string[]): ThirdParty[] {
  return [
    ...(places.includes('node_modules/sqlite3')
      ? [sqliteParty(join(ROOT, 'node_modules', 'sqlite3', 'deps'))]
      : []),
    ...(places.includes('node_modules/node-hid')
      ? [hidapiParty(join(ROOT, 'node_modules', 'node-hid', 'hidapi'))]
      : []),
  ];
}

function sqliteParty(folder: string): ThirdParty {
  const archive = filesBelow(folder).find((file) => file.startsWith('sqlite-autoconf-'));
  // 3520000 is 3.52.0: https://sqlite.org/versionnumbers.html
  const [, ...parts] = /-(\d)(\d\d)(\d\d)\d\d\.tar\.gz$/.exec(archive ?? '') ?? [];
  const version = parts.map(Number).join('.');
  const text = 'The author disclaims copyright to this source code: https://sqlite.org/copyright.html';
  const purl = `pkg:generic/sqlite@${version}`;
  return { name: 'sqlite', version, license: 'blessing', purl, texts: [['sqlite3.c', text]] };
}

function hidapiParty(folder: string): ThirdParty {
  const version = readFileSync(join(folder, 'VERSION'), 'utf8').trim();
  const text = readFileSync(join(folder, 'LICENSE-bsd.txt'), 'utf8');
  const purl = `pkg:github/libusb/hidapi@hidapi-${version}`;
  return { name: 'hidapi', version, license: 'BSD-3-Clause', purl, texts: [['LICENSE-bsd.txt', text]] };
}

function binaryOf({ path, content }: ArchiveEntry): Uint8Array[] {
  return path.endsWith('.node') && 'bytes' in content ? [content.bytes] : [];
}

/** The newest version of glibc that binaries name as one whose symbols they need. Pure. */
export function newestGlibc(binaries: readonly Uint8Array[]): string {
  const minors = binaries.flatMap((bytes) =>
    [
      ...Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
        .toString('latin1')
        .matchAll(/GLIBC_2\.(\d{1,3})\0/g),
    ].map(([, minor]) => Number(minor)),
  );
  return `2.${Math.max(0, ...minors)}`;
}
