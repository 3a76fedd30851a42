import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { BuildIdentity } from '../build-identity.js';
import { tryContainers } from '../containers/try-containers.js';
import { hostTarget } from '../host-contents.js';
import { PackageFailure } from '../package-failure.js';
import { drillKeys } from '../release/drill-programs.js';
import { asRelease, unpackedEntries } from '../store/releases-of.js';
import { archiveName, tryArchives } from '../store/try-archives.js';
import { PROGRAMS, type Program } from '../targets.js';
import { tryDebian } from '../try-debian.js';
import { trySystemd } from '../try-systemd.js';

const run = promisify(execFile);
/** From the archive of the agent to the first sale of a till. */
const FIRST_SALE_SECONDS = 60;

/**
 * Runs a store with the archives, from its installation to its end, as an ordinary user and by systemd. Then the packages for Debian are installed
 * into a copy of this system, and the steps of the Containerfiles carried out.
 * @param folder where the packages are
 * @throws PackageFailure where something does not work
 */
export async function tryPackages(
  folder: string,
  identity: BuildIdentity,
  note: (text: string) => void,
): Promise<void> {
  const target = hostTarget();
  const { firstSaleSeconds } = await tryArchives(folder, identity.version, note);
  if (firstSaleSeconds > FIRST_SALE_SECONDS)
    throw new PackageFailure(
      `the first sale took ${firstSaleSeconds.toFixed(1)} s, not ${FIRST_SALE_SECONDS}`,
    );
  await tryByRoot(folder, identity.version, note);
  await tryDebian(folder, identity, target, note);
  await tryContainers(folder, target, note);
}

async function tryByRoot(folder: string, version: string, note: (text: string) => void): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'tillbridge-root-'));
  try {
    for (const program of PROGRAMS) {
      mkdirSync(join(place, program.name));
      const archive = join(folder, `${archiveName(program, version)}.tar.gz`);
      await run('tar', ['-xzf', archive, '-C', join(place, program.name), '--strip-components=1']);
    }
    const entries = unpackedEntries(join(place, 'agent'));
    const keys = drillKeys();
    const trial = {
      folder: place,
      gateway: commandOf('gateway'),
      simulator: commandOf('simulator'),
      first: relative(place, await asRelease(entries, { folder: place, release: 1, keys })),
      next: relative(place, await asRelease(entries, { folder: place, release: 2, keys })),
    };
    await trySystemd(trial, (text) => note(`try: ${text}`));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function commandOf(name: Program['name']): string {
  const program = PROGRAMS.find((each) => each.name === name);
  return join(name, 'bin', program?.command ?? '');
}
