import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ArchiveEntry, fileEntry, filesBelow } from '../archive-entry.js';
import { type DrillKeys, slotEntries, writeRelease } from '../release/drill-programs.js';

/** Bits of the owner. */
const EXECUTE = 0o100;

/** The files of a program that was unpacked. */
export function unpackedEntries(folder: string): ArchiveEntry[] {
  return filesBelow(folder).map((file) => {
    const path = join(folder, file);
    return fileEntry(file, readFileSync(path), (statSync(path).mode & EXECUTE) !== 0);
  });
}

/**
 * Writes a program as the archive of a release, with the root document by which it trusts the next one; gives the folder of the release.
 * @param entries of the agent
 */
export async function asRelease(
  entries: readonly ArchiveEntry[],
  { folder, release, keys }: { readonly folder: string; readonly release: number; readonly keys: DrillKeys },
): Promise<string> {
  const version = `0.1.${release}`;
  const own = slotEntries(version, release, keys);
  const others = entries.filter(({ path }) => own.every((each) => each.path !== path));
  const program = { version, release, entries: [...own, ...others] };
  return dirname(await writeRelease(join(folder, version), program, keys));
}
