import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { WidgetBuildRow } from '../../../kernel/store/rows.js';
import { CommitConflict, type Store } from '../../../kernel/store/store.js';
import { readWidgetFiles, type WidgetFiles } from './files.js';

/** Bounds of the builds that are kept. */
export const WIDGET_LIMITS = {
  /** How long a build is served after a newer one, in milliseconds: longer than a checkout lives. */
  keepMs: 60 * 60_000,
  /** How long what was read of the database is believed, in milliseconds. */
  believeMs: 5_000,
  /** Builds looked at: more are not made within the time that they are kept. */
  builds: 20,
} as const;

/** What {@link WidgetBuilds} works with. */
interface WidgetDeps {
  readonly store: Pick<Store, 'get' | 'findRange' | 'commit'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** The build of this process; absent: that of this package. */
  readonly files?: () => WidgetFiles;
}

/**
 * The builds of the payment form, which all nodes share. A page that was given the hash of a build gets the bytes of that build, also after a
 * newer one: for an hour.
 */
export class WidgetBuilds {
  readonly #deps: WidgetDeps;
  #own: Promise<WidgetFiles> | undefined;
  /** What was read of the texts of builds, by their hashes: each is read once. */
  readonly #files = new Map<string, WidgetFiles>();
  #known: { readonly rows: readonly WidgetBuildRow[]; readonly atMs: number } | undefined;

  constructor(deps: WidgetDeps) {
    this.#deps = deps;
  }

  /** The build that pages made at a time load; the newest where no such build is kept. @throws StoreUnavailableError */
  async at(atMs: number): Promise<WidgetFiles> {
    const rows = await this.#rows();
    const row = rows.find(({ sinceMs }) => sinceMs <= atMs) ?? rows[0];
    return row ? this.#filesOf(row) : this.#register();
  }

  /** The newest build. @throws StoreUnavailableError */
  newest(): Promise<WidgetFiles> {
    return this.at(this.#deps.clock.nowMs());
  }

  /** The build whose pages have this version; undefined when it is not kept any more. @throws StoreUnavailableError */
  async ofVersion(cacheVersion: string): Promise<WidgetFiles | undefined> {
    const row = (await this.#rows()).find((each) => each.cacheVersion === cacheVersion);
    return row && this.#filesOf(row);
  }

  /** `integrity` of the script that a checkout made now loads: `sha384-…`. @throws StoreUnavailableError */
  async scriptIntegrity(): Promise<string> {
    return `sha384-${(await this.newest()).hash}`;
  }

  /** The builds that are kept, the newest first; the own one among them. */
  async #rows(): Promise<readonly WidgetBuildRow[]> {
    await this.#register();
    const nowMs = this.#deps.clock.nowMs();
    const { believeMs, builds: limit } = WIDGET_LIMITS;
    if (this.#known && nowMs - this.#known.atMs < believeMs) return this.#known.rows;
    const rows = await this.#deps.store.findRange('widgetBuilds', 'since', { descending: true, limit });
    this.#known = { rows, atMs: nowMs };
    for (const hash of this.#files.keys())
      if (!rows.some((row) => row.hash === hash)) this.#files.delete(hash);
    return rows;
  }

  /** Enters the build of this process as the newest, once; removes those that no page can request any more. */
  #register(): Promise<WidgetFiles> {
    this.#own ??= this.#enter().catch((error: unknown) => {
      this.#own = undefined;
      throw error;
    });
    return this.#own;
  }

  async #enter(): Promise<WidgetFiles> {
    const { store, clock, files = readWidgetFiles } = this.#deps;
    const own = files();
    const nowMs = clock.nowMs();
    const { builds: limit, keepMs } = WIDGET_LIMITS;
    const rows = await store.findRange('widgetBuilds', 'since', { descending: true, limit });
    const [newest] = rows;
    if (newest?.hash === own.hash) return own;
    const known = rows.find(({ hash }) => hash === own.hash);
    const row = {
      hash: own.hash,
      cacheVersion: own.cacheVersion,
      files: JSON.stringify(own.files),
      sinceMs: nowMs,
      createdAtMs: nowMs,
    };
    // No page requests the build before the oldest that was in use within the time.
    const lastNeeded = rows.findIndex(({ sinceMs }) => sinceMs <= nowMs - keepMs);
    const old = lastNeeded < 0 ? [] : rows.slice(lastNeeded + 1).filter(({ hash }) => hash !== own.hash);
    try {
      await store.commit([
        known
          ? { op: 'update', table: 'widgetBuilds', row: { ...known, sinceMs: nowMs } }
          : { op: 'insert', table: 'widgetBuilds', row: { ...row, version: 1 } },
        ...old.map(
          ({ hash, version }) => ({ op: 'delete', table: 'widgetBuilds', key: [hash], version }) as const,
        ),
      ]);
    } catch (error) {
      // Another node of the same build came first.
      if (!(error instanceof CommitConflict)) throw error;
    }
    this.#known = undefined;
    return own;
  }

  #filesOf({ hash, cacheVersion, files: text }: WidgetBuildRow): WidgetFiles {
    const read = this.#files.get(hash);
    if (read) return read;
    const files = { hash, cacheVersion, files: JSON.parse(text) as WidgetFiles['files'] };
    this.#files.set(hash, files);
    return files;
  }
}
