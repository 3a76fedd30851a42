import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { maskText } from '@tillbridge/wire/mask/mask.js';
import { present } from '@tillbridge/wire/present.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import type { FittingName } from '../../../core/acquirers/configuration/file-names.js';
import { clearAlert, raiseAlert } from '../../../kernel/alerts/alert-changes.js';
import { newId } from '../../../kernel/store/new-id.js';
import type { AcquirerFileRow } from '../../../kernel/store/rows.js';
import { type Change, CommitConflict } from '../../../kernel/store/store.js';
import type { CsvForm } from '../import/csv-form.js';
import { type AcquirerFileDeps, importAcquirerFile } from '../import/import-acquirer-file.js';
import { type FilePlace, FileTooLongError, PLACE_LIMITS, type PlacedFile } from './file-place.js';
import { alertOf } from './quarantine-alert.js';

const HOST_FILE_LIMITS = {
  /** Faults of a file that are kept, and characters of each. */
  faults: 20,
  faultLength: 200,
} as const;

/** Where files of an acquirer come from, and which of them are what. */
export interface HostFileSource {
  readonly acquirer: string;
  readonly place: FilePlace;
  readonly form: CsvForm;
  readonly settlements: (name: string) => FittingName | undefined;
  readonly chargebacks: (name: string) => FittingName | undefined;
}

/** What files are imported with. */
interface HostFilesDeps extends Omit<AcquirerFileDeps, 'reportLine' | 'progress'> {
  readonly random: Random;
  /** Where files are while they are imported. */
  readonly folder: string;
}

/** What became of a file. */
type Outcome = Pick<AcquirerFileRow, 'state' | 'faults' | 'rows'>;

const TOO_LONG: Outcome = {
  state: 'quarantined',
  faults: JSON.stringify([new FileTooLongError().message]),
  rows: null,
};

/**
 * Imports the files that acquirers put into a place, each once: the database records which. A file that cannot be imported whole is put
 * aside with an alert; nothing of it counts. Nothing is changed at the place. Nodes may look at the same time: rows of a file are imported once.
 */
export class HostFiles {
  readonly #deps: HostFilesDeps;
  /** By acquirer: the files that were there when it was looked last, with size and time: one that still comes is not taken. */
  readonly #seen = new Map<string, ReadonlyMap<string, string>>();

  constructor(deps: HostFilesDeps) {
    this.#deps = deps;
  }

  /** Imports what is there and was there before. @throws PlaceError, StoreUnavailableError */
  async look(source: HostFileSource): Promise<void> {
    const { acquirer, place, settlements, chargebacks } = source;
    const files = await place.list((name) => (settlements(name) ?? chargebacks(name)) !== undefined);
    const before = this.#seen.get(acquirer);
    this.#seen.set(acquirer, new Map(files.map((file) => [file.name, stateOf(file)])));
    // A day behind the other, as far as names show it.
    for (const file of [...files].sort((a, b) => (a.name < b.name ? -1 : 1)))
      if (before?.get(file.name) === stateOf(file)) await this.#take(source, file);
  }

  async #take(source: HostFileSource, file: PlacedFile): Promise<void> {
    const { store, clock, random, folder } = this.#deps;
    const { acquirer, place, settlements } = source;
    const { name, size, modified } = file;
    const known = await store.get('acquirerFiles', [acquirer, name]);
    const isDone = known !== undefined && known.state !== 'due';
    if (isDone && known.size === size && known.modified === modified) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, newId(random));
    try {
      const digest = size > PLACE_LIMITS.bytes ? null : await copied(place, name, path);
      // Touched, and not changed.
      if (isDone && known.digest === digest) return await this.#keep({ ...known, size, modified }, known);
      const kind = settlements(name) ? 'settlement' : 'chargebacks';
      const outcome = digest === null ? TOO_LONG : await this.#import(source, name, path);
      const { createdAtMs, version } = known ?? { createdAtMs: clock.nowMs(), version: 1 };
      const row = { acquirer, name, kind, size, modified, digest, note: null, createdAtMs, version } as const;
      await this.#keep({ ...row, ...outcome }, known);
    } finally {
      await rm(path, { force: true });
    }
  }

  async #import(
    { acquirer, form, settlements }: HostFileSource,
    name: string,
    path: string,
  ): Promise<Outcome> {
    const faults: string[] = [];
    const reportLine = (line: number, what: string): void => {
      if (faults.length < HOST_FILE_LIMITS.faults)
        // A fault may quote a heading, which in a broken file is anything.
        faults.push(
          maskText(`line ${line}: ${what}`)
            .replace(/\p{Cc}/gu, '?')
            .slice(0, HOST_FILE_LIMITS.faultLength),
        );
    };
    const settlement = settlements(name);
    const { refused, report } = await importAcquirerFile(
      { ...this.#deps, reportLine },
      {
        open: () => createReadStream(path),
        form,
        whole: true,
        ...present({ acquirer: settlement && acquirer, day: settlement?.day }),
      },
    );
    const outcome = { rows: report.rows, faults: JSON.stringify(faults) };
    if (refused) return { ...outcome, state: 'quarantined' };
    // A request on a payment ran: the next look goes on.
    return { ...outcome, state: report.wrong > 0 ? 'due' : 'imported' };
  }

  async #keep(row: AcquirerFileRow, known: AcquirerFileRow | undefined): Promise<void> {
    const { store, clock } = this.#deps;
    const changes: Change[] = [{ op: known ? 'update' : 'insert', table: 'acquirerFiles', row }];
    const alert = alertOf(row);
    if (row.state === 'quarantined') changes.push(raiseAlert(alert, clock.nowMs()));
    else if (row.state === 'imported') changes.push(clearAlert(alert.code, alert.subject, clock.nowMs()));
    try {
      await store.commit(changes);
    } catch (error) {
      // Another node looked, or a person has changed its state: the next look sees it.
      if (!(error instanceof CommitConflict)) throw error;
    }
  }
}

/** What changes while a file still comes. */
function stateOf({ size, modified }: PlacedFile): string {
  return `${size} ${modified}`;
}

/** Copies a file; its digest, or null where it is too long. @throws PlaceError */
async function copied(place: FilePlace, name: string, path: string): Promise<string | null> {
  try {
    await place.copy(name, path);
  } catch (error) {
    if (error instanceof FileTooLongError) return null;
    throw error;
  }
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
