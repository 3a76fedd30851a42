import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../stack/layout.js';
import type { BuildIdentity } from './build-identity.js';
import { readLockFile } from './lock-file.js';
import { PackageFailure } from './package-failure.js';
import { compiledFileOf } from './production-modules.js';
import { type ProgramContents, programContents } from './program-contents.js';
import { type Program, TARGETS, type Target } from './targets.js';

/** The kind of this machine. @throws PackageFailure where nothing is made for it */
export function hostTarget(): Target {
  const target = TARGETS.find(({ arch }) => arch === process.arch);
  if (target === undefined) throw new PackageFailure(`nothing is made for ${process.arch}`);
  return target;
}

/**
 * Contents of a program for this machine, within a second and without the registry or a compiler: the Node.js inside hands over to the one that
 * runs this, and what is compiled is that of the checkout.
 * @param folder for the stand-in of Node.js
 */
export function hostContents(program: Program, identity: BuildIdentity, folder: string): ProgramContents {
  const nodeFolder = join(folder, 'node');
  mkdirSync(join(nodeFolder, 'bin'), { recursive: true });
  writeFileSync(join(nodeFolder, 'bin', 'node'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
  writeFileSync(join(nodeFolder, 'LICENSE'), 'The licence of Node.js');
  return programContents(program, hostTarget(), {
    lock: readLockFile(),
    identity,
    nodeFolder,
    folderOf: (place) => join(ROOT, place),
    compiled: (place) => join(ROOT, place, compiledFileOf(place) ?? ''),
  });
}
