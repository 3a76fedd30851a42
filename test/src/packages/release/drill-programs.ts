import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { RELEASE_NAME } from '@tillbridge/agent/update/release-source.js';
import { ROOT_NAME } from '@tillbridge/agent/update/slots/places.js';
import { type Envelope, publicKeyText } from '@tillbridge/agent/update/trust/envelope.js';
import { type ArchiveEntry, fileEntry } from '../archive-entry.js';
import { launcher, ownEntries } from '../program-contents.js';
import { PROGRAMS } from '../targets.js';
import { tarGz } from '../write-archive.js';
import { releaseOf, signedRelease } from './make-release.js';
import { unsignedRoot, withSignature } from './roots.js';

const AGENT = PROGRAMS.find(({ name }) => name === 'agent') as (typeof PROGRAMS)[number];
/** How long releases of a drill can be installed. */
const DRILL_DAYS = 30;
const YEAR_MS = 365 * 86_400_000;

/** Keys of a release and of its root document, and that document. */
export interface DrillKeys {
  readonly release: KeyObject;
  readonly root: Envelope;
}

/** Keys of a drill alone: two root keys, both of which sign. */
export function drillKeys(): DrillKeys {
  const [release, ...root] = Array.from({ length: 3 }, () => generateKeyPairSync('ed25519').privateKey);
  const document = {
    version: 1,
    expires: `${new Date(Date.now() + YEAR_MS).toISOString().slice(0, 19)}Z`,
    root: { threshold: 2, keys: root.map(publicKeyText) },
    release: { threshold: 1, keys: [publicKeyText(release as KeyObject)] },
  };
  return { release: release as KeyObject, root: root.reduce(withSignature, unsignedRoot(document)) };
}

/** A program of a drill: the agent with a version and a release of its own, and what else was changed. */
export interface DrillProgram {
  readonly version: string;
  readonly release: number;
  readonly entries: readonly ArchiveEntry[];
}

/** Changes the text of one module of the agent's bundle. */
export type Change = (text: string) => string;

/** One more migration of the journal, which only adds. */
export const MIGRATION: Change = (text) =>
  text.replace(
    /(const JOURNAL_MIGRATIONS = )\[\]/,
    "$1[{ id: 2, name: 'drill', readableFrom: 1, sql: 'ALTER TABLE rows ADD COLUMN drill TEXT' }]",
  );

/** The agent does not start. */
export const NO_START: Change = (text) =>
  text.replace(/async function runAgent\([^)]*\) \{/, '$& process.exit(70);');

/** No sale of a rehearsal is approved. */
export const NO_SALE: Change = (text) =>
  text.replace(/Disposition\.APPROVED(?=[^}]*"REHEARSAL")/, 'Disposition.DECLINED');

/** The entries of a program with changes of its bundle. @throws Error where it has not what is changed */
export function changedEntries(
  entries: readonly ArchiveEntry[],
  ...changes: readonly Change[]
): readonly ArchiveEntry[] {
  return changes.reduce(changedBy, entries);
}

function changedBy(entries: readonly ArchiveEntry[], change: Change): readonly ArchiveEntry[] {
  let changed = 0;
  const all = entries.map((entry) => {
    if (!/\/dist\/bundle\/[^/]*\.cjs$/.test(entry.path) || !('bytes' in entry.content)) return entry;
    const text = Buffer.from(entry.content.bytes).toString('utf8');
    const next = change(text);
    if (next === text) return entry;
    changed += 1;
    return fileEntry(entry.path, next, entry.executable);
  });
  if (changed === 0)
    throw new Error('the program has not what this drill would change: write the drill anew');
  return all;
}

/** What a slot needs to be one, in front of the files of a program. */
export function slotEntries(version: string, release: number, { root }: DrillKeys): ArchiveEntry[] {
  return [
    fileEntry('BUILD.json', JSON.stringify({ program: AGENT.command, version, release })),
    fileEntry(ROOT_NAME, JSON.stringify(root)),
  ];
}

/**
 * The agent of this checkout as a packed one, without its own Node.js and modules: slots have to be inside of the checkout. It takes a second,
 * and a packed one a minute.
 */
export function checkoutEntries(): ArchiveEntry[] {
  const node = `#!/bin/sh\nexec ${process.execPath} "$@"\n`;
  return [
    fileEntry(`bin/${AGENT.command}`, launcher(AGENT), true),
    fileEntry('runtime/node', node, true),
    ...ownEntries(AGENT).filter(({ path }) => !path.endsWith('.map') && !path.includes('/docs/')),
  ];
}

/** Writes the archive of a program into a folder; gives its path. */
export async function writeArchive(
  folder: string,
  name: string,
  entries: readonly ArchiveEntry[],
): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.tar.gz`);
  writeFileSync(path, await tarGz(entries, { time: new Date(), prefix: `${name}/` }));
  return path;
}

/** Writes the archive of an agent and its signed release into a folder; gives the path of the release. */
export async function writeRelease(folder: string, program: DrillProgram, keys: DrillKeys): Promise<string> {
  const { version, release, entries } = program;
  const archive = await writeArchive(folder, `tillbridge-agent-${version}-linux-${process.arch}`, entries);
  const files = [[basename(archive), readFileSync(archive)]] as const;
  const terms = { release, comesFrom: 0, days: DRILL_DAYS };
  const path = join(folder, RELEASE_NAME);
  const signed = releaseOf(files, { version, time: new Date() }, terms);
  writeFileSync(path, signedRelease(signed, [keys.root], [keys.release]));
  return path;
}
