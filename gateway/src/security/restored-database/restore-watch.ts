import type { KeyObject } from 'node:crypto';
import { raiseAlert } from '../../kernel/alerts/alert-changes.js';
import { newId } from '../../kernel/store/new-id.js';
import type { Signals } from '../../kernel/store/signals/signals.js';
import { CommitConflict, type Store } from '../../kernel/store/store.js';
import { TrustFollower } from './follow-trust.js';
import { type PutBackDeps, takePutBack } from './put-back.js';
import { putAside, type RecordFile, readRecord, writeRecord } from './record-file.js';
import { TrustRecord } from './trust-record.js';
import type { CommitActivity } from './watch-commits.js';

/** From one round to the next, in milliseconds. */
export const RESTORE_ROUND_MS = 1_000;
/** The file is written this part of the time at most: that of tens of thousands of devices takes a while. */
const WRITE_SHARE = 20;

/** What {@link RestoreWatch} works with. */
interface RestoreWatchDeps extends PutBackDeps {
  readonly store: Store;
  readonly signals: Pick<Signals, 'listen'>;
  /** The file, outside of the database. */
  readonly path: string;
  readonly key: KeyObject;
  /** What this process commits. */
  readonly activity: Pick<CommitActivity, 'take'>;
  readonly onFault: (what: string, error: unknown) => void;
}

/** Remembers outside of the database which exchange of a link was journaled last. */
export interface LinkCheckpoint {
  /** Place of the last exchange that was noted; undefined where none was. */
  last(): number | undefined;
  /** Notes an exchange that is journaled. */
  note(sequence: number): void;
}

/**
 * Writes down outside of the database what must not be forgotten, and how far the database has come. A database that is behind that was put
 * back from a backup: it is put right, and held until an operator confirms it.
 */
export class RestoreWatch {
  readonly #deps: RestoreWatchDeps;
  readonly #database: string;
  readonly #home: string;
  readonly #record: TrustRecord;
  readonly #follower: TrustFollower;
  #markMs: number;
  /** Undefined before the file is written first. */
  #writtenRevision: number | undefined;
  /** By the monotonic clock. */
  #writeAtMs = Number.NEGATIVE_INFINITY;
  #isBusy = false;

  private constructor(deps: RestoreWatchDeps, database: string, file: RecordFile | undefined) {
    const { clock, random } = deps;
    this.#deps = deps;
    this.#database = database;
    this.#home = file?.home ?? newId(random);
    this.#markMs = file?.markMs ?? 0;
    const nowMs = (): number => Math.max(clock.nowMs(), this.#markMs);
    this.#record = new TrustRecord(file ?? { beganMs: clock.nowMs(), entries: [] }, nowMs);
    this.#follower = new TrustFollower({ ...deps, record: this.#record });
  }

  /** Looks at the database before anything is served by it. @throws StoreUnavailableError */
  static async begin(deps: RestoreWatchDeps): Promise<RestoreWatch> {
    const { value: database = '' } = (await deps.store.get('settings', ['database'])) ?? {};
    const watch = new RestoreWatch(deps, database, await fileOf(deps, database));
    try {
      await watch.round();
    } catch (error) {
      // Payments go on without the file; the rounds that follow raise an alert.
      if (!isFileError(error)) throw error;
      deps.onFault('what was revoked could not be written down outside of the database', error);
    }
    return watch;
  }

  /** Looks whether the database was put back, and writes down what is new. @throws StoreUnavailableError; the file system's error */
  async round(): Promise<void> {
    const { store, clock, activity } = this.#deps;
    const mark = await store.get('databaseMarks', [this.#home]);
    const { counters, isBusy } = activity.take(clock.nowMs());
    for (const counter of counters) this.#record.note(counter);
    if (isBusy) this.#isBusy = true;
    if ((mark?.markMs ?? 0) < this.#markMs) await this.#takePutBack();
    else this.#markMs = mark?.markMs ?? 0;
    await this.#follower.look();
    if (!this.#isBusy && this.#record.revision === this.#writtenRevision) return;
    if (clock.monotonicMs() >= this.#writeAtMs) await this.#note();
  }

  /** The last exchange with an acquirer that was journaled, for its link: a database that was put back has forgotten it. */
  linkCheckpoint(acquirer: string): LinkCheckpoint {
    const [record, { clock }] = [this.#record, this.#deps];
    return {
      last: () => record.lastExchange(acquirer),
      note: (sequence) => record.note({ kind: 'link', id: acquirer, atMs: clock.nowMs(), sequence }),
    };
  }

  /** Writes down the last of it, as far as the database can be used. */
  async end(): Promise<void> {
    this.#follower.end();
    this.#writeAtMs = Number.NEGATIVE_INFINITY;
    await this.round().catch((error) => this.#deps.onFault('the last of what was revoked is lost', error));
  }

  async #takePutBack(): Promise<void> {
    const { beganMs, entries } = this.#record.known;
    const forgotten = { home: this.#home, untilMs: this.#markMs, beganMs, entries };
    const { isWhole, closedAtMs } = await takePutBack(this.#deps, forgotten);
    if (closedAtMs !== null) return this.#noteConfirmed();
    const held = isWhole ? 'records of cards' : 'tokens and agents';
    this.#deps.onFault(
      'the database is older than what this home has seen: it was put back from a backup',
      new Error(`${held} are held until "restore confirm"`),
    );
  }

  /** Another node noticed it while this one was off, and an operator has confirmed it. */
  #noteConfirmed(): void {
    const note = new Error('what this home has written down was put right; nothing is held again');
    this.#deps.onFault('the database was put back while this node was off, and is confirmed', note);
  }

  /** The database first: a file ahead of it would be the sign of a restore. */
  async #note(): Promise<void> {
    const { store, clock, path, key } = this.#deps;
    const mark = await store.get('databaseMarks', [this.#home]);
    const markMs = Math.max(clock.nowMs(), this.#markMs + 1);
    const row = { home: this.#home, markMs, version: mark?.version ?? 1 };
    try {
      await store.commit([{ op: mark ? 'update' : 'insert', table: 'databaseMarks', row }]);
    } catch (error) {
      // A copy of this home has written it: the next round reads it.
      if (!(error instanceof CommitConflict)) throw error;
      return;
    }
    this.#markMs = markMs;
    this.#isBusy = false;
    const { revision } = this.#record;
    const startedMs = clock.monotonicMs();
    try {
      const { beganMs, entries } = this.#record.written();
      await writeRecord(path, key, { database: this.#database, home: this.#home, markMs, beganMs, entries });
      this.#writtenRevision = revision;
    } finally {
      const tookMs = clock.monotonicMs() - startedMs;
      this.#writeAtMs = clock.monotonicMs() + tookMs * WRITE_SHARE;
    }
  }
}

/** The file's entry of this database; undefined: none. A damaged one is an alert. @throws StoreUnavailableError */
async function fileOf(
  { store, clock, path, key, onFault }: RestoreWatchDeps,
  database: string,
): Promise<RecordFile | undefined> {
  try {
    const read = readRecord(path, key);
    if (read.kind === 'none') return undefined;
    if (read.kind === 'good') {
      if (read.file.database === database) return read.file;
      onFault('the record of what was revoked is about another database', new Error(path));
      return undefined;
    }
    const alert = { code: 'restore-record-damaged', subject: path, detail: 'the MAC is wrong' } as const;
    await store.commit([raiseAlert(alert, clock.nowMs())]);
    putAside(path);
  } catch (error) {
    if (!isFileError(error)) throw error;
    onFault('the record of what was revoked cannot be read', error);
  }
  return undefined;
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
