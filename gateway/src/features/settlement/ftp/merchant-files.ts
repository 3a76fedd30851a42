import { createReadStream, existsSync, type ReadStream, statSync } from 'node:fs';
import type { ReconciliationFileRow } from '../../../kernel/store/rows.js';
import { type FileDeps, fileOf } from '../reconciliation-files.js';

/** Files that a listing shows at most, the newest. */
const LISTED = 1_000;

/** What the server reads of a file. */
interface FileStat {
  readonly name: string;
  readonly size: number;
  readonly mtime: Date;
  readonly mode: number;
  isDirectory(): boolean;
  isFile(): boolean;
}

/** What {@link MerchantFiles} works with. */
interface MerchantFilesDeps extends FileDeps {
  readonly merchantId: string;
}

/** The client requests a file that is not there, or may not be changed. */
class NoSuchFileError extends Error {
  override readonly name = 'NoSuchFileError';

  constructor() {
    super('No such file');
  }
}

/**
 * The files of one merchant as an FTP client sees them: one folder, read-only. Names are looked up in the store, never joined to a path:
 * there is no way out of the folder, and none to another merchant's files.
 */
export class MerchantFiles {
  readonly #deps: MerchantFilesDeps;

  constructor(deps: MerchantFilesDeps) {
    this.#deps = deps;
  }

  currentDirectory(): string {
    return '/';
  }

  /** @throws NoSuchFileError */
  async chdir(path = '/'): Promise<string> {
    if (!isFolder(path)) throw new NoSuchFileError();
    return '/';
  }

  /** @throws NoSuchFileError, StoreUnavailableError */
  async get(path: string): Promise<FileStat> {
    if (isFolder(path)) return stat('.', 0, 0, true);
    return this.#statOf(await this.#row(path));
  }

  /** @throws NoSuchFileError, StoreUnavailableError */
  async list(path = '.'): Promise<readonly FileStat[]> {
    if (!isFolder(path)) return [await this.get(path)];
    const rows = await this.#deps.store.findRange('reconciliationFiles', 'merchant', {
      equals: [this.#deps.merchantId],
      descending: true,
      limit: LISTED,
    });
    const stats: FileStat[] = [];
    // One after the other: a gateway that has none of them yet writes them first.
    for (const row of rows) stats.push(await this.#statOf(row));
    return stats;
  }

  /** @throws NoSuchFileError, StoreUnavailableError */
  async read(
    path: string,
    { start }: { readonly start?: number | undefined } = {},
  ): Promise<{ readonly stream: ReadStream; readonly clientPath: string }> {
    const row = await this.#row(path);
    const stream = createReadStream(await this.#pathOf(row), start === undefined ? {} : { start });
    return { stream, clientPath: `/${row.name}` };
  }

  async #row(path: string): Promise<ReconciliationFileRow> {
    const row = await this.#deps.store.get('reconciliationFiles', [path.replace(/^\.?\//, '')]);
    if (row?.merchantId !== this.#deps.merchantId) throw new NoSuchFileError();
    return row;
  }

  async #statOf(row: ReconciliationFileRow): Promise<FileStat> {
    return stat(row.name, statSync(await this.#pathOf(row)).size, row.createdAtMs, false);
  }

  #pathOf(row: ReconciliationFileRow): Promise<string> {
    return fileOf(this.#deps, row, existsSync);
  }
}

function isFolder(path: string): boolean {
  return path === '/' || path === '.' || path === './' || path === '';
}

function stat(name: string, size: number, atMs: number, isDirectory: boolean): FileStat {
  const mode = isDirectory ? 0o040500 : 0o100400;
  return {
    name,
    size,
    mtime: new Date(atMs),
    mode,
    isDirectory: () => isDirectory,
    isFile: () => !isDirectory,
  };
}
