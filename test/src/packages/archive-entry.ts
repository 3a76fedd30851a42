import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file or symbolic link of an archive. Folders follow from the paths. */
export interface ArchiveEntry {
  /** Without a slash in front. */
  readonly path: string;
  readonly content: { readonly bytes: Uint8Array } | { readonly link: string };
  /** True: everybody may run it. */
  readonly executable?: boolean;
}

/** A file with this content. */
export function fileEntry(path: string, content: string | Uint8Array, executable = false): ArchiveEntry {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return { path, content: { bytes }, executable };
}

/** The files below a folder that `isWanted`, by their paths in it, below `to`. */
export function folderEntries(
  folder: string,
  to: string,
  isWanted: (file: string) => boolean = () => true,
): ArchiveEntry[] {
  return filesBelow(folder)
    .filter(isWanted)
    .map((file) => fileEntry(`${to}/${file}`, readFileSync(join(folder, file))));
}

/** Paths of the files below a folder, sorted. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}
