import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGunzip } from 'node:zlib';
import { unpackTar } from 'modern-tar/fs';
import { PackageFailure } from './package-failure.js';

const run = promisify(execFile);
/** How long the registry may take for one package, in milliseconds. */
const FETCH_TIMEOUT_MS = 300_000;
/** A folder of a package without `..` and the like is at most so deep. */
const MAX_DEPTH = 64;

/** A package of the registry, and the digest that its file must have, as the lock file writes it. */
export interface WantedPackage {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
}

/**
 * The folder with a package's files, fetched once and kept in `cache`. Its file is compared with the digest before it is unpacked.
 * @throws PackageFailure where it cannot be had or is another file
 */
export async function registryPackage(wanted: WantedPackage, cache: string): Promise<string> {
  const { name, version, integrity } = wanted;
  const digest = createHash('sha256').update(integrity).digest('hex').slice(0, 12);
  const folder = join(cache, `${name.replaceAll(/[@/]/g, '-')}-${version}-${digest}`);
  if (existsSync(folder)) return folder;
  const work = `${folder}.new`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const archive = await fetched(`${name}@${version}`, work);
  const found = await integrityOf(archive);
  if (found !== integrity)
    throw new PackageFailure(
      `${name}@${version} of the registry has the digest ${found}, not ${integrity}: it is not taken`,
    );
  const files = join(work, 'files');
  await pipeline(
    createReadStream(archive),
    createGunzip(),
    unpackTar(files, { strip: 1, maxDepth: MAX_DEPTH }),
  );
  renameSync(files, folder);
  rmSync(work, { recursive: true });
  return folder;
}

async function fetched(what: string, work: string): Promise<string> {
  const words = ['pack', what, '--pack-destination', work, '--ignore-scripts', '--silent'];
  try {
    await run('npm', words, { cwd: work, timeout: FETCH_TIMEOUT_MS });
  } catch (error) {
    const { stderr = '' } = error as { readonly stderr?: string };
    throw new PackageFailure(`the registry does not give ${what}\n${stderr}`.trim());
  }
  const archive = readdirSync(work).find((file) => file.endsWith('.tgz'));
  if (archive === undefined) throw new PackageFailure(`npm pack ${what} wrote no file`);
  return join(work, archive);
}

async function integrityOf(file: string): Promise<string> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(file), hash);
  return `sha512-${hash.digest('base64')}`;
}
