import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { unpackTar } from 'modern-tar';
import { ROOT } from '../stack/layout.js';
import { type ArchiveEntry, fileEntry } from './archive-entry.js';
import { currentBundle } from './program-contents.js';
import type { Program } from './targets.js';
import { tarGz } from './write-archive.js';

const run = promisify(execFile);
/** Packages of ours that go inside of each tarball: no registry has them. */
const INSIDE = ['wire', 'platform'] as const;

/** Any of the three bits that let somebody run a file. */
const EXECUTABLE = 0o111;
/** Of npm's list of the files of a package. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/**
 * A tarball for `npm install FILE` of each program. It has our own packages inside, and names all that they import itself, so that npm
 * finds the rest in the registry.
 */
export async function npmTarballs(programs: readonly Program[], time: Date): Promise<[string, Uint8Array][]> {
  const place = mkdtempSync(join(tmpdir(), 'tillbridge-npm-'));
  try {
    const inside: ArchiveEntry[][] = [];
    for (const name of INSIDE) inside.push(await packed(name, place));
    const made: [string, Uint8Array][] = [];
    for (const program of programs) {
      const own = await packed(program.folder, place);
      const manifest = manifestOf(own);
      const full = withInside(manifest, inside.map(manifestOf));
      const all = [
        ...own.filter(({ path }) => path !== 'package.json'),
        fileEntry('package.json', `${JSON.stringify(full, null, 2)}\n`),
        ...inside.flatMap((entries) =>
          entries.map((entry) => ({
            ...entry,
            path: `node_modules/${manifestOf(entries).name}/${entry.path}`,
          })),
        ),
      ];
      const name = `tillbridge-${program.name}-${manifest.version}.tgz`;
      made.push([name, await tarGz(all, { time, prefix: 'package/' })]);
    }
    return made;
  } finally {
    rmSync(place, { recursive: true });
  }
}

/** The files that npm packs of one of our packages, without those of earlier bundles. */
async function packed(name: string, place: string): Promise<ArchiveEntry[]> {
  const words = [
    'pack',
    '-w',
    `@tillbridge/${name}`,
    '--pack-destination',
    place,
    '--ignore-scripts',
    '--json',
  ];
  const { stdout } = await run('npm', words, { cwd: ROOT, maxBuffer: MAX_OUTPUT_BYTES });
  const file = archiveName(JSON.parse(stdout));
  const files = await unpackTar(gunzipSync(readFileSync(join(place, file))), { strip: 1 });
  const isOld = isOldBundle(name);
  return files.flatMap(({ header, data }) =>
    data === undefined || isOld(header.name)
      ? []
      : [fileEntry(header.name, data, ((header.mode ?? 0) & EXECUTABLE) !== 0)],
  );
}

/** npm prints a list, newer ones an object by name. */
function archiveName(printed: unknown): string {
  const [first] = Object.values(printed as object) as { readonly filename?: string }[];
  if (first?.filename === undefined) throw new Error('npm pack printed no name of a file');
  return first.filename.replace('@', '').replaceAll('/', '-');
}

function isOldBundle(name: string): (path: string) => boolean {
  const folder = 'dist/bundle/';
  const current = currentBundle(name);
  return (path) => path.startsWith(folder) && !current.has(path.slice(folder.length));
}

function manifestOf(entries: readonly ArchiveEntry[]): Manifest {
  const content = entries.find(({ path }) => path === 'package.json')?.content;
  if (content === undefined || !('bytes' in content)) throw new Error('a packed package has no package.json');
  return JSON.parse(new TextDecoder().decode(content.bytes)) as Manifest;
}

/** The manifest of a package with others inside: what these import is its own to install. Pure. */
export function withInside(
  manifest: Manifest,
  inside: readonly (Manifest & { readonly name: string })[],
): object {
  const { devDependencies: _, scripts: __, dependencies, ...rest } = manifest;
  const needed = Object.assign({}, ...inside.map((each) => each.dependencies), dependencies) as Record<
    string,
    string
  >;
  const names = inside.map(({ name }) => name);
  return {
    ...rest,
    dependencies: Object.fromEntries(Object.entries(needed).sort(([a], [b]) => (a < b ? -1 : 1))),
    bundleDependencies: names,
  };
}
