import type { BuildIdentity } from '../build-identity.js';
import { tryContainers } from '../containers/try-containers.js';
import { hostTarget } from '../host-contents.js';
import { PackageFailure } from '../package-failure.js';
import { tryArchives } from '../store/try-archives.js';
import { tryDebian } from '../try-debian.js';

/** From the archive of the agent to the first sale of a till. */
const FIRST_SALE_SECONDS = 60;

/**
 * Runs a store with the archives, from its installation to its end. Then the packages for Debian are installed into a copy of this system, and
 * the steps of the Containerfiles carried out.
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
  await tryDebian(folder, identity, target, note);
  await tryContainers(folder, target, note);
}
