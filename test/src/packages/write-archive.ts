import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { packTar, type TarEntry } from 'modern-tar';
import type { ArchiveEntry } from './archive-entry.js';

const compress = promisify(gzip);
const MODES = { file: 0o644, program: 0o755, folder: 0o755, link: 0o777 };

/**
 * A tar.gz of entries: sorted, of one time, owned by root. The same entries give the same bytes.
 * @param options.prefix what each path begins with, such as `./`
 */
export async function tarGz(
  entries: readonly ArchiveEntry[],
  { time, prefix = '' }: { readonly time: Date; readonly prefix?: string },
): Promise<Uint8Array> {
  const owner = { uid: 0, gid: 0, uname: 'root', gname: 'root', mtime: time };
  const folder = (path: string): TarEntry => ({
    header: { ...owner, name: `${prefix}${path}/`, size: 0, type: 'directory', mode: MODES.folder },
  });
  const item = ({ path, content, executable }: ArchiveEntry): TarEntry =>
    'link' in content
      ? {
          header: {
            ...owner,
            name: prefix + path,
            size: 0,
            type: 'symlink',
            linkname: content.link,
            mode: MODES.link,
          },
        }
      : {
          header: {
            ...owner,
            name: prefix + path,
            size: content.bytes.length,
            type: 'file',
            mode: executable ? MODES.program : MODES.file,
          },
          body: content.bytes,
        };
  const all = [
    ...foldersOf(entries).map((path) => ({ path, entry: folder(path) })),
    ...entries.map((entry) => ({ path: entry.path, entry: item(entry) })),
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
  const tar = await packTar(all.map(({ entry }) => entry));
  return compress(tar, { level: constants.Z_BEST_COMPRESSION });
}

/** Every folder above an entry. */
function foldersOf(entries: readonly ArchiveEntry[]): string[] {
  const folders = new Set<string>();
  for (const { path } of entries) {
    const parts = path.split('/');
    for (let count = 1; count < parts.length; count += 1) folders.add(parts.slice(0, count).join('/'));
  }
  return [...folders];
}
