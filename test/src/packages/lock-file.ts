import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ROOT } from '../stack/layout.js';

/** What `package-lock.json` has of a package. */
export interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Packages by their places, such as `node_modules/pino` and `protocol/wire`. */
export type LockFile = Readonly<Record<string, LockedPackage>>;

/** The packages that an install of the repository brings. */
export function readLockFile(): LockFile {
  return (
    JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { readonly packages: LockFile }
  ).packages;
}

/**
 * Where Node.js finds a package that another one imports. Pure.
 * @throws Error when the lock file lacks it
 */
export function placeOf(packages: LockFile, name: string, importer: string): string {
  for (let folder = importer; ; folder = posix.dirname(folder)) {
    const place = posix.join(folder, 'node_modules', name);
    const { link, resolved } = packages[place] ?? {};
    if (link && resolved !== undefined) return resolved;
    if (place in packages) return place;
    if (folder === '.') throw new Error(`${importer} needs ${name}, which is not in package-lock.json`);
  }
}

/** The name of the package at a place, such as `@fastify/send`. Pure. */
export function nameAt(place: string): string {
  return place.replace(/^.*node_modules\//, '');
}
