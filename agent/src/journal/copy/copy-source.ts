import type { CopyCipher } from './copy-cipher.js';
import { decodeHome, decodeKept, decodePlace, decodeRow, type HomeRecord } from './copy-records.js';
import type { CopyKind, CopyTarget } from './copy-target.js';
import { RestoreError, type RestoreSource } from './restore.js';

/** Entries read at once. */
const PAGE = 500;

/**
 * Reads who the copy belongs to.
 * @throws RestoreError, CopyCipherError, CopyFormatError, CopyUnavailable
 */
export async function readCopiedHome(copy: CopyTarget, cipher: CopyCipher): Promise<HomeRecord> {
  const sealed = await copy.get('home', 0);
  if (!sealed) throw new RestoreError('there is no copy of a journal here');
  return decodeHome(cipher.open({ kind: 'home', number: 0, name: '' }, sealed));
}

/**
 * A copy as a restore reads it.
 * @throws RestoreError, CopyCipherError, CopyFormatError, CopyUnavailable; its lists do, too
 */
export async function copySource(
  copy: CopyTarget,
  cipher: CopyCipher,
  { generation }: HomeRecord,
): Promise<RestoreSource> {
  const sealed = await copy.get('place', 0);
  if (!sealed) throw new RestoreError('the copy was never begun: it holds no row');
  const { head } = decodePlace(cipher.open({ kind: 'place', number: 0, name: '' }, sealed));
  return {
    head,
    generation,
    rows: () => each(copy, cipher, 'row', decodeRow),
    kept: () => each(copy, cipher, 'kept', decodeKept),
    blobs: () => each(copy, cipher, 'blob', (bytes, messageId) => ({ messageId, sealed: bytes })),
  };
}

async function* each<T>(
  copy: CopyTarget,
  cipher: CopyCipher,
  kind: CopyKind,
  decode: (bytes: Uint8Array, name: string) => T,
): AsyncGenerator<T> {
  let after = { number: -1, name: '' };
  for (;;) {
    const page = await copy.list(kind, after, PAGE);
    for (const entry of page) yield decode(cipher.open(entry, entry.sealed), entry.name);
    const last = page.at(-1);
    if (!last) return;
    after = { number: last.number, name: last.name };
  }
}
