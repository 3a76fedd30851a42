import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { hostTarget } from '../host-contents.js';
import { Outside } from '../outside.js';
import { PackageFailure } from '../package-failure.js';
import { PROGRAMS, type Program } from '../targets.js';
import { type StoreTrialResult, type TriedPrograms, tryStore } from './store-trial.js';

const run = promisify(execFile);

/** The name of a program's archive for this machine, without its end. */
export function archiveName({ name }: Program, version: string): string {
  return `tillbridge-${name}-${version}-linux-${hostTarget().arch}`;
}

/**
 * Unpacks the archives in an empty folder, and runs a store with them, from its installation to its end.
 * @param folder where the archives are
 * @throws PackageFailure where something does not work
 */
export async function tryArchives(
  folder: string,
  version: string,
  note: (text: string) => void,
): Promise<StoreTrialResult> {
  const outside = new Outside();
  const beganMs = performance.now();
  const report = (text: string) =>
    note(`try: ${text} (${((performance.now() - beganMs) / 1_000).toFixed(1)} s)`);
  report(
    outside.isHidden
      ? `as an ordinary user in ${outside.folder}, the checkout hidden`
      : `in ${outside.folder}; root alone can hide the checkout and become another user, where it may mount`,
  );
  try {
    const paths: Record<string, string> = {};
    for (const program of PROGRAMS) {
      const name = archiveName(program, version);
      const archive = join(folder, `${name}.tar.gz`);
      if (!existsSync(archive))
        throw new PackageFailure(`${archive} is not there: a trial needs all programs`);
      await run('tar', ['-xzf', archive, '-C', outside.folder]);
      const command = join(outside.folder, name, 'bin', program.command);
      paths[program.name] = command;
      report((await outside.command([command, '--version'])).replaceAll('\n', ', '));
    }
    const agentFolder = dirname(dirname(paths.agent ?? ''));
    return await tryStore(outside, paths as TriedPrograms, agentFolder, report);
  } finally {
    outside.remove();
  }
}
