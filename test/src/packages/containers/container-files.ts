import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../stack/layout.js';
import { type ArchiveEntry, fileEntry, folderEntries } from '../archive-entry.js';
import type { Program } from '../targets.js';

/** Where the Containerfile of a program is. */
export function containerfileOf({ folder }: Pick<Program, 'folder'>): string {
  return join(ROOT, folder, 'docs', 'containers', 'Containerfile');
}

const CLUSTER = join(ROOT, 'gateway', 'docs', 'cluster');
/** The chart, and where it stands in the archive. */
export const CHART = join(ROOT, 'gateway', 'docs', 'helm', 'tillbridge-gateway');

/** What runs the programs in containers: a Containerfile of each, files for compose, a chart of Helm. */
export function containerEntries(programs: readonly Program[]): readonly ArchiveEntry[] {
  const files = programs.map((program) =>
    fileEntry(`${program.name}/Containerfile`, readFileSync(containerfileOf(program))),
  );
  if (!programs.some(({ name }) => name === 'gateway')) return files;
  const compose = readdirSync(CLUSTER)
    .filter((name) => !name.endsWith('.service'))
    .map((name) => fileEntry(`compose/${name}`, readFileSync(join(CLUSTER, name))));
  return [...files, ...compose, ...folderEntries(CHART, 'helm/tillbridge-gateway')];
}
