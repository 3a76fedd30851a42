import { DiskFile } from './disk-file.js';
import type { DiskDeed } from './disk-log.js';

/** Something that was done and not synced: after a power cut it may be there or not. */
export type Effect = { readonly name: string } & (
  | { readonly kind: 'write'; readonly file: DiskFile; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly file: DiskFile; readonly size: number }
  | { readonly kind: 'create'; readonly file: DiskFile }
  | { readonly kind: 'unlink' }
);

/**
 * What a power cut does to an effect. `torn`: this many of a write's first bytes reached the disk. `zeros`: the file had grown,
 * the bytes had not come yet.
 */
export type SyncOutcome = 'lost' | 'kept' | 'zeros' | { readonly torn: number };

/** The files of a folder as they are found after a power cut. */
export type DiskImage = ReadonlyMap<string, Buffer>;

/** Which syncs count; all of them, unless a test breaks the disk. */
export type SyncFilter = (name: string) => boolean;

/**
 * A folder on a disk that promises no more than POSIX does: bytes and sizes last once their file was synced, names once
 * the folder was.
 */
export class DiskModel {
  readonly #syncCounts: SyncFilter;
  /** Names that were synced. */
  readonly #directory = new Map<string, DiskFile>();
  /** Names as the process sees them. */
  readonly #names = new Map<string, DiskFile>();
  #pending: Effect[] = [];

  constructor(syncCounts: SyncFilter = () => true) {
    this.#syncCounts = syncCounts;
  }

  /** What was done since it was synced, oldest first. */
  get pending(): readonly Effect[] {
    return this.#pending;
  }

  apply(deed: DiskDeed): void {
    const { name } = deed;
    switch (deed.kind) {
      case 'write': {
        const { offset, bytes } = deed;
        this.#pending.push({ kind: 'write', name, file: this.#file(name), offset, bytes });
        return;
      }
      case 'truncate':
        this.#pending.push({ kind: 'truncate', name, file: this.#file(name), size: deed.size });
        return;
      case 'unlink':
        this.#names.delete(name);
        this.#pending.push({ kind: 'unlink', name });
        return;
      case 'sync':
        if (this.#syncCounts(name)) this.#sync(name);
    }
  }

  /** The folder when the power goes now and each pending effect meets its syncOutcome. */
  image(syncOutcomes: readonly SyncOutcome[]): DiskImage {
    const directory = new Map(this.#directory);
    const contents = new Map<DiskFile, DiskFile>();
    const copyOf = (file: DiskFile): DiskFile => {
      const copy = contents.get(file) ?? file.copy();
      contents.set(file, copy);
      return copy;
    };
    for (const [index, effect] of this.#pending.entries()) {
      const syncOutcome = syncOutcomes[index] ?? 'lost';
      if (syncOutcome === 'lost') continue;
      if (isOfName(effect)) changeName(directory, effect);
      else changeContent(copyOf(effect.file), effect, syncOutcome);
    }
    return new Map([...directory].map(([name, file]) => [name, copyOf(file).bytes]));
  }

  #file(name: string): DiskFile {
    const known = this.#names.get(name);
    if (known) return known;
    const file = new DiskFile();
    this.#names.set(name, file);
    this.#pending.push({ kind: 'create', name, file });
    return file;
  }

  #sync(name: string): void {
    const synced = (effect: Effect): boolean =>
      name === '' ? isOfName(effect) : !isOfName(effect) && effect.file === this.#names.get(name);
    for (const effect of this.#pending.filter(synced)) {
      if (isOfName(effect)) changeName(this.#directory, effect);
      else changeContent(effect.file, effect, 'kept');
    }
    this.#pending = this.#pending.filter((effect) => !synced(effect));
  }
}

type NameEffect = Extract<Effect, { readonly kind: 'create' | 'unlink' }>;
type ContentEffect = Exclude<Effect, NameEffect>;

function isOfName(effect: Effect): effect is NameEffect {
  return effect.kind === 'create' || effect.kind === 'unlink';
}

function changeName(directory: Map<string, DiskFile>, effect: NameEffect): void {
  if (effect.kind === 'create') directory.set(effect.name, effect.file);
  else directory.delete(effect.name);
}

function changeContent(
  file: DiskFile,
  effect: ContentEffect,
  syncOutcome: Exclude<SyncOutcome, 'lost'>,
): void {
  if (effect.kind === 'truncate') {
    file.resize(effect.size);
    return;
  }
  const { offset, bytes } = effect;
  const end = offset + bytes.length;
  if (typeof syncOutcome === 'object') file.write(offset, bytes.subarray(0, syncOutcome.torn));
  else if (syncOutcome === 'kept') file.write(offset, bytes);
  // Zeros are found only where the file has grown: elsewhere the old bytes are still there.
  else if (end > file.size) file.resize(end);
}
