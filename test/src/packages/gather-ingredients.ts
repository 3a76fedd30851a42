import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../stack/layout.js';
import type { BuildIdentity } from './build-identity.js';
import { compiledNative } from './compile-native.js';
import { type LockFile, nameAt } from './lock-file.js';
import { PackageFailure } from './package-failure.js';
import { compiledFileOf } from './production-modules.js';
import { type Ingredients, modulesOf } from './program-contents.js';
import { registryPackage } from './registry-package.js';
import { NODE_VERSION, type Program, type Target } from './targets.js';

/**
 * Fetches and compiles what the programs need for a target, and what the checkout has not.
 * @param options.cache where it is kept for the next time
 * @throws PackageFailure where something cannot be had
 */
export async function gatherIngredients(
  programs: readonly Program[],
  target: Target,
  options: {
    readonly lock: LockFile;
    readonly identity: BuildIdentity;
    readonly cache: string;
    readonly note: (text: string) => void;
  },
): Promise<Ingredients> {
  const { lock, identity, cache, note } = options;
  note(`Node.js ${NODE_VERSION} for linux-${target.arch}`);
  const node = { name: `node-linux-${target.arch}`, version: NODE_VERSION, integrity: target.nodeIntegrity };
  const nodeFolder = await registryPackage(node, cache);
  const folders = new Map<string, string>();
  const binaries = new Map<string, string>();
  for (const place of new Set(programs.flatMap((program) => modulesOf(program, lock, target)))) {
    const { version = '', integrity = '' } = lock[place] ?? {};
    const installed = join(ROOT, place);
    // Binaries for other kinds of machines are in the lock file, and not installed here.
    const folder = existsSync(installed)
      ? installed
      : await registryPackage({ name: nameAt(place), version, integrity }, cache);
    folders.set(place, folder);
    const binary = compiledFileOf(place);
    if (binary === undefined) continue;
    const source = { place, integrity, binary };
    binaries.set(place, await compiledNative(source, target, { headers: nodeFolder, cache, note }));
  }
  return {
    lock,
    identity,
    nodeFolder,
    folderOf: (place) => folders.get(place) ?? join(ROOT, place),
    compiled: (place) => {
      const file = binaries.get(place);
      if (file === undefined) throw new PackageFailure(`${place} was not compiled for ${target.arch}`);
      return file;
    },
  };
}
