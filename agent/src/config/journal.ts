import { resolve, sep } from 'node:path';
import type { CopyMode } from '../journal/copy/journal-copier.js';
import { oneOf, type Problems, type Rule, Section, text, wholeNumber } from './section.js';

/** Where a copy is kept. */
export type CopyPlace =
  /** A folder: another disk, a share. It must exist: one that is not mounted must not be mistaken for it. */
  | { readonly kind: 'folder'; readonly path: string }
  /** A neighbouring agent. */
  | {
      readonly kind: 'neighbour';
      readonly url: string;
      /** Holds the secret that the two share. */
      readonly secretFile: string;
      /** PEM of the certificate that the neighbour's comes from; absent: those that the system trusts. */
      readonly caFile?: string;
    };

/** Where the journal is copied to, encrypted. */
export interface CopyConfig {
  readonly place: CopyPlace;
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

const MODES = ['required', 'best-effort'] as const;
const COPY_KEYS = ['path', 'url', 'secretFile', 'caFile', 'mode', 'keyFile'] as const;

/** A path of a file or folder. */
export const PATH: Rule<string> = text('a path', /^[^\0]{1,1024}$/);

/** Plain `http:` stays on this machine: the entries are sealed, the secret is not. */
const NEIGHBOUR_URL: Rule<string> = {
  expected: 'an https: address of a neighbour, or http: on loopback, such as https://10.0.0.7:8443',
  read: (value) => {
    if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
    const { protocol, hostname, username, password, pathname, search, hash, origin } = new URL(value);
    if (username || password || search || hash || pathname !== '/') return undefined;
    const local = ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
    return protocol === 'https:' || (protocol === 'http:' && local) ? origin : undefined;
  },
};

/** Reads `journal: {retentionDays, copy: {path or url, mode, keyFile, …}}`; what is wrong is noted. */
export function readJournal(root: Section, problems: Problems): JournalConfig {
  const section = new Section(root.raw('journal'), root.at('journal'), ['retentionDays', 'copy'], problems);
  const days = wholeNumber(1, 36_500, 'days');
  const retentionDays = section.read('retentionDays', days, DEFAULT_RETENTION_DAYS);
  if (section.raw('copy') === undefined) return { retentionDays };
  const copy = readCopy(new Section(section.raw('copy'), section.at('copy'), COPY_KEYS, problems), problems);
  return { retentionDays, ...(copy && { copy }) };
}

function readCopy(written: Section, problems: Problems): CopyConfig | undefined {
  const place = readPlace(written, problems);
  const keyFile = written.need('keyFile', PATH);
  const mode = written.read<CopyMode>('mode', oneOf(MODES), 'required');
  if (place === undefined || keyFile === undefined) return undefined;
  const key = resolve(keyFile);
  if (place.kind === 'folder' && key.startsWith(place.path + sep)) {
    problems.add(
      written.at('keyFile'),
      'lies inside the copy: whoever finds the copy would find its key, too',
    );
  }
  return { place, mode, keyFile: key };
}

function readPlace(written: Section, problems: Problems): CopyPlace | undefined {
  const [path, url] = [written.raw('path'), written.raw('url')];
  if ((path === undefined) === (url === undefined)) {
    problems.add(written.at('path'), 'or url is needed, and not both: a folder, or a neighbour');
    return undefined;
  }
  if (url === undefined) {
    const folder = written.need('path', PATH);
    return folder === undefined ? undefined : { kind: 'folder', path: resolve(folder) };
  }
  return readNeighbour(written);
}

/** What it takes to reach a neighbour: `url`, `secretFile` and perhaps `caFile`. */
function readNeighbour(written: Section): CopyPlace | undefined {
  const url = written.need('url', NEIGHBOUR_URL);
  const secretFile = written.need('secretFile', PATH);
  const caFile = written.read<string | undefined>('caFile', PATH, undefined);
  if (url === undefined || secretFile === undefined) return undefined;
  const ca = caFile === undefined ? {} : { caFile: resolve(caFile) };
  return { kind: 'neighbour', url, secretFile: resolve(secretFile), ...ca };
}
