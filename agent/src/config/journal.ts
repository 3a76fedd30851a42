import { resolve, sep } from 'node:path';
import type { CopyMode } from '../journal/copy/journal-copier.js';
import { oneOf, type Problems, Section, text, wholeNumber } from './section.js';

/** Where the journal is copied to, encrypted. */
export interface CopyConfig {
  /** A folder: another disk, a share. It must exist: one that is not mounted must not be mistaken for it. */
  readonly path: string;
  readonly mode: CopyMode;
  /** 64 hex digits; never inside the copy. */
  readonly keyFile: string;
}

/** How long the journal keeps what, and where it has a copy. */
export interface JournalConfig {
  /** Days that the rows of a finished sale stay; afterwards its parameters, message ids and answer stay for ever. */
  readonly retentionDays: number;
  readonly copy?: CopyConfig;
}

/** Longer than any dispute about a card payment. */
const DEFAULT_RETENTION_DAYS = 400;

const PATH = text('a path', /^[^\0]{1,1024}$/);
const MODES = ['required', 'best-effort'] as const;

/** Reads `journal: {retentionDays, copy: {path, mode, keyFile}}`; what is wrong is noted. */
export function readJournal(root: Section, problems: Problems): JournalConfig {
  const section = new Section(root.raw('journal'), root.at('journal'), ['retentionDays', 'copy'], problems);
  const days = wholeNumber(1, 36_500, 'days');
  const retentionDays = section.read('retentionDays', days, DEFAULT_RETENTION_DAYS);
  if (section.raw('copy') === undefined) return { retentionDays };
  const copy = readCopy(section, problems);
  return { retentionDays, ...(copy && { copy }) };
}

function readCopy(section: Section, problems: Problems): CopyConfig | undefined {
  const keys = ['path', 'mode', 'keyFile'];
  const written = new Section(section.raw('copy'), section.at('copy'), keys, problems);
  const path = written.need('path', PATH);
  const keyFile = written.need('keyFile', PATH);
  const mode = written.read<CopyMode>('mode', oneOf(MODES), 'required');
  if (path === undefined || keyFile === undefined) return undefined;
  const copy = { path: resolve(path), mode, keyFile: resolve(keyFile) };
  if (copy.keyFile.startsWith(copy.path + sep)) {
    problems.add(
      written.at('keyFile'),
      'lies inside the copy: whoever finds the copy would find its key, too',
    );
  }
  return copy;
}
