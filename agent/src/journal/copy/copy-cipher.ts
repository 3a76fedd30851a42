import { ByteSealer } from '../sealed-bytes.js';
import type { CopyEntry } from './copy-target.js';

/** An entry was changed, put in another place, or sealed under another key. */
export class CopyCipherError extends Error {
  override readonly name = 'CopyCipherError';
}

type EntryPlace = Pick<CopyEntry, 'kind' | 'number' | 'name'>;

/** Seals the entries of a copy, each bound to its place in the copy. */
export class CopyCipher extends ByteSealer {
  /** Seals bytes for a place. */
  seal(place: EntryPlace, clear: Uint8Array): CopyEntry {
    return { ...place, sealed: this.sealBytes(boundTo(place), clear) };
  }

  /** @throws CopyCipherError */
  open(place: EntryPlace, sealed: Uint8Array): Buffer {
    const clear = this.openBytes(boundTo(place), sealed);
    if (clear) return clear;
    const { kind, number } = place;
    throw new CopyCipherError(
      `entry ${kind} ${number} of the copy does not open: it was sealed under another key, or damaged`,
    );
  }
}

function boundTo({ kind, number, name }: EntryPlace): string {
  return JSON.stringify(['tillbridge journal copy 1', kind, number, name]);
}
