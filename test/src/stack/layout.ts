import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type AgentIdentity,
  createIdentity,
  IDENTITY_KEY_FILE,
  loadIdentity,
} from '@tillbridge/agent/uplink/identity.js';
import { makeFolder } from '@tillbridge/protocol/platform/make-folder.js';
import { UsageError } from '../command-line/command-line.js';
import { unwritable, writeHomeFile } from './home-file.js';
import { PART_NAMES, type PartName } from './options.js';

/** The repository's root, seen from the built file. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

/** Scripts of the three programs. */
export const PROGRAMS: Readonly<Record<PartName, string>> = {
  gateway: join(ROOT, 'gateway', 'dist', 'main.js'),
  agent: join(ROOT, 'agent', 'dist', 'main.js'),
  simulator: join(ROOT, 'hardware-sim', 'dist', 'main.js'),
};

/** The agent of the development system. */
export const AGENT_ID = 'dev-store';

/** Name of the file with the agent's public key, beside its private one. */
const PUBLIC_KEY_FILE = 'agent-key.pub.pem';

/** The folder that belongs to one part alone. */
export function partHome(home: string, part: PartName): string {
  return join(home, part);
}

/**
 * Makes the home and the parts' folders, readable by their owner alone.
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

/** The agent's identity of this home, made at the first start; gives the path of its public key. */
export function ensureAgentIdentity(home: string): string {
  const folder = partHome(home, 'agent');
  const known = existsSync(join(folder, IDENTITY_KEY_FILE));
  const identity = known ? loadIdentity(folder) : newIdentity(folder);
  const path = join(folder, PUBLIC_KEY_FILE);
  writeHomeFile(path, identity.publicKeyPem);
  return path;
}

function newIdentity(folder: string): AgentIdentity {
  try {
    return createIdentity(folder, AGENT_ID);
  } catch (error) {
    throw unwritable(join(folder, IDENTITY_KEY_FILE), error);
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
