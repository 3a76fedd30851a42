import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '@tillbridge/platform/make-folder.js';
import { UsageError } from '../command-line/command-line.js';
import { writeHomeFile } from './home-file.js';
import { PART_NAMES, type PartName } from './options.js';

/** The repository's root, seen from the built file. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

/** Scripts of the three programs. */
export const PROGRAMS: Readonly<Record<PartName, string>> = {
  gateway: join(ROOT, 'gateway', 'dist', 'bundle', 'main.js'),
  agent: join(ROOT, 'agent', 'dist', 'bundle', 'main.js'),
  simulator: join(ROOT, 'hardware-sim', 'dist', 'bundle', 'main.js'),
};

/**
 * Options of Node.js for a program, wherever it is started: by the packages, by the stack and by the unit of a cluster. The gateway answers many
 * requests at once: with twice the usual room for what is new, the collector copies what is at work half as often.
 */
export const NODE_OPTIONS: Readonly<Record<PartName, readonly string[]>> = {
  gateway: ['--max-semi-space-size=32'],
  agent: [],
  simulator: [],
};

/** The agent of the development system. */
export const AGENT_ID = 'dev-store';

/** The folder of the acquirer's host. */
export function acquirerHostHome(home: string): string {
  return join(home, 'acquirer-host');
}

/** The folder that belongs to only one part. */
export function partHome(home: string, part: PartName): string {
  return join(home, part);
}

/**
 * Makes the home and the parts' folders, readable only by their owner.
 * @throws UsageError when the place cannot be used
 */
export function makeHome(home: string): void {
  try {
    for (const part of PART_NAMES) makeFolder(partHome(home, part));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new UsageError(
      `${home} cannot be used as a home (${code}): name another folder with TILLBRIDGE_HOME`,
    );
  }
}

/** A secret text kept in a file of mode 0600; `make` is called when there is none yet. */
export function ensureSecretFile(path: string, make: () => string): string {
  if (existsSync(path)) return readFileSync(path, 'utf8').trim();
  const secret = make();
  writeHomeFile(path, `${secret}\n`);
  return secret;
}

/** Writes a part's configuration. JSON is YAML: the programs read it as such. */
export function writeConfig(path: string, config: object): string {
  writeHomeFile(path, `${JSON.stringify(config, null, 2)}\n`);
  return path;
}
